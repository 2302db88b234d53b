//! A parameter, before and after the forms are merged.

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
    /// Returns the word of JSON Schema.
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

/// The need for an argument.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Need {
    /// The argument is always required.
    Required,
    /// The argument is never required.
    Optional,
    /// The argument is required under a condition, in the words of the text.
    When(String),
}

/// The form in which a parameter was declared, from the weakest to the strongest.
///
/// The letters are those of `docs/design/calls-in-prose.md`, "Forms".
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Form {
    /// Running text asks the caller to send it.
    P,
    /// A sample value in a call block.
    D2,
    /// An annotated value in a call block.
    D1,
    /// A field outside of blocks with an annotation after it.
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
    /// Returns the code in `x-source`.
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
    /// A text from between quotes.
    Quoted(String),
    /// A value of a structured form.
    Json(Value),
    /// Words that are not a literal.
    Prose(String),
}

/// A parameter.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Param {
    /// The name.
    pub(crate) name: String,
    /// Other names of the same argument.
    pub(crate) aliases: Vec<String>,
    /// The stated types; empty if the text states none.
    pub(crate) types: Vec<Type>,
    /// The stated need; `None` if the text states none.
    pub(crate) need: Option<Need>,
    /// The stated default.
    pub(crate) default: Option<Default>,
    /// A closed list of values.
    pub(crate) choices: Vec<Value>,
    /// The description in the text.
    pub(crate) description: String,
    /// True if the parameter is the first of a numbered family.
    pub(crate) numbered: bool,
    /// The lower and upper bounds, from a structured form.
    pub(crate) bounds: Vec<(&'static str, Value)>,
    /// The strongest form it was read in.
    pub(crate) form: Form,
}

impl Param {
    /// Returns a parameter with only a name.
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

    /// Returns the name and the aliases.
    pub(crate) fn all_names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.name.as_str()).chain(self.aliases.iter().map(String::as_str))
    }
}
