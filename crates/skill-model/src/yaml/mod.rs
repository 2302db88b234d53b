//! YAML: the only module that knows which YAML library there is.
//!
//! - [`parse`]: one document as a tree of [`Node`]s that keep their places, for `SKILL.md`.
//! - [`from_str`]: one document as a [`serde_json::Value`], for files that need no places.
//! - [`to_string`]: any serializable value as block-style text, the same bytes every time.
//!
//! Reading is bounded: [`MAX_BYTES`] before anything is parsed, then depth, nodes and alias
//! expansion (`security.md` §1.2 L5). Duplicate keys are errors.

mod emit;
mod node;
mod parse;
mod resolve;
mod simple;

use serde::Serialize;
use serde_json::Value;

pub(crate) use emit::{MAX_SIMPLE_KEY, is_reserved};
pub use emit::{quoted, to_string_value};
pub use node::{Content, Node, Style};
pub use parse::{parse, parse_document};

/// Longest text that is parsed; longer ones are refused unread.
pub const MAX_BYTES: usize = 64 * 1024;
/// Longest `METADATA.yml` that is parsed: manifests with long command texts need more than a
/// frontmatter does.
pub const MAX_DOCUMENT_BYTES: usize = 4 * 1024 * 1024;
/// Deepest nesting.
pub const MAX_DEPTH: usize = 32;
/// Most values in a frontmatter, and most that aliases may add anywhere.
pub const MAX_NODES: usize = 20_000;
/// Most values in a `METADATA.yml`, which lists every file.
pub const MAX_DOCUMENT_NODES: usize = 500_000;

/// Why a text is not the YAML that is wanted.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct YamlError {
    /// What was found: a lower-case phrase.
    pub message: String,
    /// Byte offset in the text, as near as is known.
    pub offset: usize,
    /// Whether a key stands twice, which has its own rule.
    pub duplicate_key: bool,
}

impl YamlError {
    fn new(message: impl Into<String>, offset: usize) -> Self {
        Self {
            message: message.into(),
            offset,
            duplicate_key: false,
        }
    }
}

/// Reads one document of at most [`MAX_DOCUMENT_BYTES`] with the YAML 1.2 core schema.
///
/// An empty document is `null`.
pub fn from_str(text: &str) -> Result<Value, YamlError> {
    Ok(parse_document(text)?.map_or(Value::Null, |node| node.to_value()))
}

/// Writes a value: block style, two spaces a level, long texts on one line, every string that a
/// YAML 1.1 or 1.2 reader could take for something else, and every one with a character that has
/// no ink, in double quotes.
pub fn to_string(value: &impl Serialize) -> String {
    let value = serde_json::to_value(value).expect("our types have string keys and finite numbers");
    to_string_value(&value)
}
