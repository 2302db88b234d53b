//! The result of a call, as a text for models and as data for programs.

use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Value, json};
use skill_loader::load::LoadError;

/// The output of a tool: a text for models and the same as data for programs.
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
            res.structured_content = Some(output.data);
            res
        }
        Err(refusal) => {
            let mut text = format!("error[{}]: {}", refusal.code, refusal.message);
            if !refusal.nearest.is_empty() {
                text = format!("{text}; did you mean {}?", refusal.nearest.join(", "));
            }
            let mut res = CallToolResult::error(vec![ContentBlock::text(text)]);
            res.structured_content = Some(json!({"error": {
                "code": refusal.code,
                "message": refusal.message,
                "nearest": refusal.nearest,
            }}));
            res
        }
    }
}
