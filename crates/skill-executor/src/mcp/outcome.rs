//! The result of a tool as an answer.

use serde_json::Value;

use crate::envelope::{ErrorCode, Failure, Success};

/// Converts a result. The value is the structured content, or the only text, or all parts. A result that is
/// none of MCP is the value as it is.
pub(super) fn outcome(mut result: Value) -> Result<Success, Failure> {
    if !is_result(&result) {
        return Ok(Success::new(result));
    }
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

/// Returns true for a result of a tool as MCP has it: an object with a list of parts, structured content, or
/// the mark of a failure.
fn is_result(result: &Value) -> bool {
    let has_mark = result["isError"].is_boolean() || !result["structuredContent"].is_null();
    result["content"].is_array() || has_mark
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_a_server_answers_is_not_lost() {
        for (result, expected) in [
            (
                json!({"content": [{"type": "text", "text": "a"}]}),
                json!("a"),
            ),
            (json!({"content": []}), json!([])),
            (json!({"structuredContent": {"n": 1}}), json!({"n": 1})),
            (json!("only a text"), json!("only a text")),
            (json!({"answer": 7}), json!({"answer": 7})),
            (json!({"content": "a text"}), json!({"content": "a text"})),
            (json!(["a"]), json!(["a"])),
        ] {
            let found = outcome(result.clone()).map(|it| it.value);
            assert_eq!(found.ok(), Some(expected), "{result}");
        }
    }
}
