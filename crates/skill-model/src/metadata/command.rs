//! A command of a skill.

use http_request::Operation;
use serde::Serialize;
use serde_json::{Value, json};

use crate::sample::sample_arguments;

/// One invocation command.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Command {
    /// The identifier in the source, unchanged.
    pub id: String,
    /// A description of one or two sentences.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// The argument that selects the command. Always written; `null` means that none is needed.
    pub dispatch: Option<Dispatch>,
    /// The convention for several calls in one, if there is one: `numbered-suffix`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub batch: Option<String>,
    /// True if a call of this command may be repeated, although not every call of the skill may.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub idempotent: bool,
    /// `required` if each call needs an approval, although the skill needs none: the command deletes
    /// or changes something that matters. Otherwise absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approval: Option<String>,
    /// The request, for services over HTTP that have one for each command.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub http: Option<Operation>,
    /// Hints about the effects of a call, as an MCP server gives them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
    /// JSON Schema of the arguments, without the dispatch argument.
    pub input_schema: Value,
    /// JSON Schema of the structured content of an answer, if an MCP server names one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_schema: Option<Value>,
    /// Arguments that the program reads although its texts do not declare them; of a program with
    /// several commands, in any of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also_read: Vec<String>,
    /// Argument objects, without the dispatch argument.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<Value>,
}

/// The words of an MCP server about a tool, for people and clients, which nothing here relies on,
/// except that `destructive` asks for an approval. An absent hint is not passed on.
///
/// Source: <https://modelcontextprotocol.io/specification/2025-11-25/schema#toolannotations>.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Annotations {
    /// A name for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// True if a call changes nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_only: Option<bool>,
    /// True if a call may delete or overwrite something.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub destructive: Option<bool>,
    /// True if a repeated call has no further effect.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idempotent: Option<bool>,
    /// True if a call reaches beyond the server, such as the web.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub open_world: Option<bool>,
}

/// The argument that selects a command.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Dispatch {
    /// Name of the argument.
    pub key: String,
    /// Its value.
    pub value: String,
    /// The evidence for it: `example`, `const`, `code` or `assumed`.
    pub source: String,
}

impl Command {
    /// Creates a command that takes any arguments.
    pub fn new(id: &str) -> Self {
        Self {
            id: id.to_owned(),
            description: String::new(),
            dispatch: None,
            batch: None,
            idempotent: false,
            approval: None,
            http: None,
            annotations: None,
            input_schema: json!({
                "type": "object", "properties": {}, "required": [], "additionalProperties": true
            }),
            output_schema: None,
            also_read: Vec::new(),
            examples: Vec::new(),
        }
    }

    /// Returns arguments for a call, without the dispatch argument: an example, or a value for each
    /// required one.
    pub fn sample_arguments(&self) -> Value {
        sample_arguments(&self.examples, &self.input_schema)
    }

    /// Returns whether each call needs an approval.
    pub fn needs_approval(&self) -> bool {
        self.approval.as_deref() == Some("required")
    }
}
