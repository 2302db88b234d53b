//! YAML: the only module that depends on the YAML library.
//!
//! - [`parse`]: one document as a tree of [`Node`]s that keep their positions, for `SKILL.md`.
//! - [`from_str`]: one document as a [`serde_json::Value`], for files that need no positions.
//! - [`to_string`]: any serializable value as block-style text, the same bytes every time.
//!
//! Reading is bounded: [`MAX_BYTES`] before anything is parsed, then depth, nodes and alias
//! expansion (`docs/design/security.md`, "YAML"). Duplicate keys are errors.

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
pub use parse::{parse, parse_document, parse_source};

/// Longest text that is parsed, in bytes; longer ones are rejected unread.
pub const MAX_BYTES: usize = 64 * 1024;
/// Longest `METADATA.yml` that is parsed, in bytes: manifests with long command texts need more
/// than a frontmatter.
pub const MAX_DOCUMENT_BYTES: usize = 4 * 1024 * 1024;
/// Maximum nesting depth.
pub const MAX_DEPTH: usize = 32;
/// Maximum number of values in a frontmatter, and of values that aliases may add in any document.
pub const MAX_NODES: usize = 20_000;
/// Maximum number of values in a `METADATA.yml`, which lists every file.
pub const MAX_DOCUMENT_NODES: usize = 500_000;
/// Longest document of a plugin that is parsed, in bytes: descriptions of services are long.
pub const MAX_SOURCE_BYTES: usize = 16 * 1024 * 1024;
/// Maximum number of values in a document of a plugin.
pub const MAX_SOURCE_NODES: usize = 2_000_000;
/// Maximum nesting depth of a document of a plugin; that of JSON.
pub const MAX_SOURCE_DEPTH: usize = 128;

/// The reason why a text is not valid YAML here.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct YamlError {
    /// The problem: a lower-case phrase.
    pub message: String,
    /// Byte offset in the text, approximately.
    pub offset: usize,
    /// True if a key occurs twice, which has its own rule.
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
///
/// # Errors
///
/// [`YamlError`] for invalid YAML, a second document, duplicate keys, and exceeded bounds.
pub fn from_str(text: &str) -> Result<Value, YamlError> {
    Ok(parse_document(text)?.map_or(Value::Null, |node| node.to_value()))
}

/// Writes a value: block style, two spaces per level, long texts on one line. Strings that a YAML
/// 1.1 or 1.2 reader could read as another type, and strings with invisible characters, are in
/// double quotes.
pub fn to_string(value: &impl Serialize) -> String {
    let value = serde_json::to_value(value).expect("our types have string keys and finite numbers");
    to_string_value(&value)
}
