//! The results of reading: dispatch, schema, examples, search words.

use serde_json::{Map, Value};
use skill_diagnostics::Diagnostic;

/// The sources of a dispatch argument.
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
    /// Returns the word for this source in `METADATA.yml`.
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
    /// The name of the argument.
    pub key: String,
    /// The value of the argument.
    pub value: String,
    /// The source of the argument.
    pub source: DispatchSource,
}

/// The result of reading the prose of one command.
#[derive(Clone, PartialEq, Debug)]
pub struct CommandReading {
    /// A summary of the command in one or two sentences of the text.
    pub summary: String,
    /// The argument that selects the command, if it needs one.
    pub dispatch: Option<Dispatch>,
    /// True if numbered arguments can combine several calls in one.
    pub numbered_batch: bool,
    /// The JSON Schema of the arguments, without the dispatch argument; always an object schema
    /// with `additionalProperties: true`.
    pub input_schema: Value,
    /// The argument objects of the call blocks, without protocol fields and dispatch.
    pub examples: Vec<Map<String, Value>>,
    /// Findings about doubtful parts of the text.
    pub findings: Vec<Diagnostic>,
}

/// Words for search and for the description of a skill.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Blurb {
    /// Words that requests may use, in both languages if the text has both; at most 24.
    pub keywords: Vec<String>,
    /// Phrases that a user might say.
    pub phrases: Vec<String>,
    /// Goals of a user.
    pub intents: Vec<String>,
    /// Requests that a user might write, in the plugin's own words and of at least two words; at most 8.
    pub requests: Vec<String>,
    /// The effect of the plugin, in one sentence without its stop.
    pub what: String,
    /// Further sentences on what it does; may be empty.
    pub more: String,
    /// A sentence that says when to use the plugin (`Use when …`, `当…时使用`).
    pub when: String,
    /// The trade of a Chinese plugin in English, where it is certain, for clients that compare words.
    pub english: Option<String>,
}
