//! The result of a tool as an answer.

use serde_json::Value;

use crate::envelope::{ErrorCode, Failure, Success};

/// Converts a result. The value is the structured content, or the only text, or all parts.
pub(super) fn outcome(mut result: Value) -> Result<Success, Failure> {
    let content = match result.get_mut("content").map(Value::take) {
        Some(Value::Array(parts)) => parts,
        _ => Vec::new(),
    };
    let texts: Vec<&str> = content
        .iter()
        .filter_map(|part| part["text"].as_str())
        .collect();
    let structured = result.get_mut("structuredContent").map(Value::take);
    let structured = structured.filter(|value| !value.is_null());
    if result["isError"] == Value::Bool(true) {
        let message = if texts.is_empty() {
            "the tool failed without a message".to_owned()
        } else {
            texts.join("\n")
        };
        let mut failure = Failure::new(ErrorCode::PluginError, message);
        if let Some(value) = structured {
            failure = failure.with("result", value);
        }
        if content.len() > 1 || content.len() > texts.len() {
            failure = failure.with("content", content.clone());
        }
        return Err(failure);
    }
    let value = match (structured, &texts[..]) {
        (Some(value), _) => value,
        (None, [text]) if content.len() == 1 => Value::from(*text),
        _ => Value::from(content.clone()),
    };
    Ok(Success {
        value,
        content,
        ..Success::default()
    })
}
