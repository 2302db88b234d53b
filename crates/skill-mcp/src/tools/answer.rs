//! The result of a call: a text for models, and data for programs beside it.
//!
//! The data is in `_meta`, because some clients give models `structuredContent` in place of the text, and
//! others give them both. It does not repeat the text.

use rmcp::model::{CallToolResult, ContentBlock, JsonObject, MetaObject};
use serde_json::{Value, json};
use skill_loader::load::LoadError;

/// The key of the data in `_meta`.
pub(crate) const DATA: &str = "skills-serve/data";

/// The output of a tool: a text for models, and what programs want to know about it.
pub(crate) struct ToolOutput {
    pub(crate) text: String,
    pub(crate) data: Value,
}

/// The reason why a call failed.
#[derive(Debug)]
pub(crate) struct Refusal {
    /// The error code.
    pub(crate) code: &'static str,
    /// One sentence that says what is wrong and, if known, what to do about it.
    pub(crate) message: String,
    /// Names that may have been meant, best first.
    pub(crate) nearest: Vec<String>,
}

pub(crate) type Answer = Result<ToolOutput, Refusal>;

impl Refusal {
    pub(crate) fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            nearest: Vec::new(),
        }
    }
}

impl From<LoadError> for Refusal {
    fn from(error: LoadError) -> Self {
        let mut res = Self::new(error.code().0, message(&error));
        match error {
            LoadError::SkillNotFound { nearest, .. } => res.nearest = nearest,
            other => {
                if let Some(help) = other.help() {
                    res.message = format!("{}; {help}", res.message);
                }
            }
        }
        res
    }
}

/// Returns the message without a path of this machine.
fn message(error: &LoadError) -> String {
    match error {
        LoadError::Io(inner) => format!("cannot {} the file: {}", inner.action, inner.source),
        other => other.to_string(),
    }
}

/// Converts an answer to the result type of the protocol.
pub(crate) fn result(answer: Answer) -> CallToolResult {
    match answer {
        Ok(output) => {
            let mut res = CallToolResult::success(vec![ContentBlock::text(output.text)]);
            res.meta = Some(with_data(output.data));
            res
        }
        Err(refusal) => {
            let mut text = format!("error[{}]: {}", refusal.code, refusal.message);
            if !refusal.nearest.is_empty() {
                text = format!("{text}; did you mean {}?", refusal.nearest.join(", "));
            }
            let mut res = CallToolResult::error(vec![ContentBlock::text(text)]);
            res.meta = Some(with_data(json!({"error": {
                "code": refusal.code,
                "message": refusal.message,
                "nearest": refusal.nearest,
            }})));
            res
        }
    }
}

/// Returns metadata with the data of an answer.
pub(crate) fn with_data(data: Value) -> MetaObject {
    MetaObject(JsonObject::from_iter([(DATA.to_owned(), data)]))
}
