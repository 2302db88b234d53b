//! What is known of one parameter, before and after the forms are merged.

use serde_json::Value;

/// A type of JSON that a text can state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Type {
    /// Text.
    String,
    /// A whole number.
    Integer,
    /// A number.
    Number,
    /// True or false.
    Boolean,
    /// A list.
    Array,
    /// An object.
    Object,
}

impl Type {
    /// The word of JSON Schema.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::Boolean => "boolean",
            Self::Array => "array",
            Self::Object => "object",
        }
    }
}

/// Whether an argument must be given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Need {
    /// Always.
    Required,
    /// Never.
    Optional,
    /// Under a condition, in the words of the text.
    When(String),
}

/// Where a parameter was read, from the weakest to the strongest form.
///
/// The letters are those of the reference's table of forms.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Form {
    /// Running text tells the caller to send it.
    P,
    /// A sample value in a call block.
    D2,
    /// An annotated value in a call block.
    D1,
    /// A field outside of blocks, annotated behind it.
    F,
    /// A list inside a sentence.
    C,
    /// `- name: text`.
    B2,
    /// `- name: 可选，text`.
    B1,
    /// A row of a table.
    T,
    /// A docstring (`@param`, `:param x:`, `Args:`).
    G,
    /// `- name (type, 必需): text`.
    A1,
    /// `parameters`, `args` or a JSON Schema.
    S,
}

impl Form {
    /// The code in `x-source`.
    pub(crate) fn code(self) -> &'static str {
        match self {
            Self::P => "P",
            Self::D2 => "D2",
            Self::D1 => "D1",
            Self::F => "F",
            Self::C => "C",
            Self::B2 => "B2",
            Self::B1 => "B1",
            Self::T => "T",
            Self::G => "G",
            Self::A1 => "A1",
            Self::S => "S",
        }
    }
}

/// A default value as the text has it.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Default {
    /// A bare word or number; the type decides what it is.
    Bare(String),
    /// A text that stood between quotes.
    Quoted(String),
    /// A value of a structured form.
    Json(Value),
    /// Words that are no literal.
    Prose(String),
}

/// One parameter.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Param {
    /// Its name.
    pub(crate) name: String,
    /// Other names of the same argument.
    pub(crate) aliases: Vec<String>,
    /// Stated types; empty where the text is silent.
    pub(crate) types: Vec<Type>,
    /// Stated need; `None` where the text is silent.
    pub(crate) need: Option<Need>,
    /// Stated default.
    pub(crate) default: Option<Default>,
    /// A closed list of values.
    pub(crate) choices: Vec<Value>,
    /// What the text says of it.
    pub(crate) description: String,
    /// Whether it is the first of a numbered family.
    pub(crate) numbered: bool,
    /// Lower and upper bound, from a structured form.
    pub(crate) bounds: Vec<(&'static str, Value)>,
    /// The strongest form it was read in.
    pub(crate) form: Form,
}

impl Param {
    /// A parameter of which nothing but the name is known.
    pub(crate) fn named(name: impl Into<String>, form: Form) -> Self {
        Self {
            name: name.into(),
            aliases: Vec::new(),
            types: Vec::new(),
            need: None,
            default: None,
            choices: Vec::new(),
            description: String::new(),
            numbered: false,
            bounds: Vec::new(),
            form,
        }
    }

    /// Name and aliases.
    pub(crate) fn all_names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.name.as_str()).chain(self.aliases.iter().map(String::as_str))
    }
}
