//! What the prose of a legacy plugin says of its commands: parameters as a JSON Schema, the
//! dispatch argument, examples, and the words that search lives on.
//!
//! In most plugins the parameters stand only in Chinese or English sentences and in call blocks
//! (`<<<[TOOL_REQUEST]>>>` … `key:「始」value「末」`).
//!
//! **Invariant:** text in, values out; no IO; linear time in the length of the text.
//! **Invariant:** knows neither skills nor manifests nor files.
//! **Invariant:** nothing is invented where the text is silent.

use serde_json::{Map, Value};
use skill_diagnostics::Diagnostic;

/// What is known of one command before its prose is read.
#[derive(Clone, Copy, Debug)]
pub struct CommandSource<'a> {
    /// Name of the plugin, as calls write it in `tool_name`.
    pub plugin: &'a str,
    /// Identifier of the command.
    pub id: &'a str,
    /// Other identifiers that the manifest gives the command (`command` beside
    /// `commandIdentifier`).
    pub other_ids: &'a [&'a str],
    /// How many commands the plugin has.
    pub n_commands: usize,
    /// The command's description.
    pub description: &'a str,
    /// The command's examples.
    pub examples: &'a [&'a str],
    /// `parameters`, `args` or a JSON Schema, when the manifest has one.
    pub structured: Option<&'a Value>,
    /// Whether a string stands as a quoted literal in the plugin's code.
    pub in_code: &'a dyn InCode,
}

/// Answers whether a string stands as a quoted literal in the plugin's code.
pub trait InCode: std::fmt::Debug + Sync {
    /// Whether `literal` stands in the code between quotes.
    fn contains(&self, literal: &str) -> bool;
}

/// No code is at hand.
#[derive(Clone, Copy, Debug)]
pub struct NoCode;

impl InCode for NoCode {
    fn contains(&self, _literal: &str) -> bool {
        false
    }
}

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

/// Reads one command.
pub fn read_command(source: &CommandSource<'_>) -> CommandReading {
    CommandReading {
        summary: source
            .description
            .lines()
            .next()
            .unwrap_or_default()
            .to_owned(),
        dispatch: None,
        numbered_batch: false,
        input_schema: serde_json::json!({ "type": "object", "properties": {}, "required": [], "additionalProperties": true }),
        examples: Vec::new(),
        findings: Vec::new(),
    }
}

/// What is known of a whole plugin, for [`read_blurb`].
#[derive(Clone, Copy, Debug)]
pub struct PluginSource<'a> {
    /// Name of the plugin.
    pub name: &'a str,
    /// Name for people.
    pub display_name: Option<&'a str>,
    /// The plugin's description.
    pub description: &'a str,
    /// Identifier and summary of each command.
    pub commands: &'a [(&'a str, &'a str)],
    /// Names (bare) and descriptions of the placeholders it fills.
    pub placeholders: &'a [(&'a str, &'a str)],
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

/// Derives search words and the "use when" sentence.
pub fn read_blurb(source: &PluginSource<'_>) -> Blurb {
    Blurb {
        when: format!("Use when the task needs {}.", source.name),
        ..Blurb::default()
    }
}
