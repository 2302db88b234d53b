//! What the prose says: dispatch, schema, examples, search words.

use serde_json::{Map, Value};
use skill_diagnostics::Diagnostic;

/// How the dispatch argument was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DispatchSource {
    /// A field of a call block.
    Example,
    /// A line that fixes the value.
    Const,
    /// A literal in the code.
    Code,
    /// By convention alone.
    Assumed,
}

impl DispatchSource {
    /// The word in `METADATA.yml`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Example => "example",
            Self::Const => "const",
            Self::Code => "code",
            Self::Assumed => "assumed",
        }
    }
}

/// The argument that selects a command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dispatch {
    /// Name of the argument.
    pub key: String,
    /// Its value.
    pub value: String,
    /// How it was found.
    pub source: DispatchSource,
}

/// What the prose says of one command.
#[derive(Clone, PartialEq, Debug)]
pub struct CommandReading {
    /// What the command does, in one or two sentences of the text.
    pub summary: String,
    /// The argument that selects the command, if it needs one.
    pub dispatch: Option<Dispatch>,
    /// Whether several calls may be made in one by numbered arguments.
    pub numbered_batch: bool,
    /// JSON Schema of the arguments, without the dispatch argument; always an object schema with
    /// `additionalProperties: true`.
    pub input_schema: Value,
    /// Argument objects of the call blocks, without protocol fields and dispatch.
    pub examples: Vec<Map<String, Value>>,
    /// What is doubtful.
    pub findings: Vec<Diagnostic>,
}

/// Words for search and for the description of a skill.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Blurb {
    /// Words that requests may use, in both languages where the text gives both; at most 24.
    pub keywords: Vec<String>,
    /// What a user might say.
    pub phrases: Vec<String>,
    /// What a user might want.
    pub intents: Vec<String>,
    /// A sentence that says when to use the plugin (`Use when …`, `当…时使用`).
    pub when: String,
}
