//! Secrets in what a server says about its tools: they are in no file, and in no digest.

use std::borrow::Cow;

use serde_json::Value;
use skill_model::{REDACTED, named_secret, scan_secrets};

/// Keys whose value belongs to the key above them.
const VALUE_KEYS: [&str; 5] = ["default", "example", "examples", "const", "enum"];

/// Returns a tool of a server with `REDACTED` in place of the secrets in its texts. Its name stays.
pub(super) fn without_secrets(tool: &Value) -> Cow<'_, Value> {
    let mut res = tool.clone();
    for (key, value) in res.as_object_mut().into_iter().flatten() {
        if key != "name" {
            redact(value, key);
        }
    }
    if res == *tool {
        return Cow::Borrowed(tool);
    }
    Cow::Owned(res)
}

/// Returns a text with `REDACTED` in place of its secrets.
pub(super) fn without_secrets_of(text: &str) -> String {
    let mut res = text.to_owned();
    for hit in scan_secrets(text).into_iter().rev() {
        res.replace_range(hit.range, REDACTED);
    }
    res
}

/// Redacts the secrets of a value. `name` is the name that it belongs to.
fn redact(value: &mut Value, name: &str) {
    match value {
        Value::String(text) if named_secret(name, text).is_some() => REDACTED.clone_into(text),
        Value::String(text) => *text = without_secrets_of(text),
        Value::Array(items) => items.iter_mut().for_each(|it| redact(it, name)),
        Value::Object(map) => {
            for (key, value) in map {
                let is_value = VALUE_KEYS.contains(&key.as_str());
                redact(value, if is_value { name } else { key });
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn secrets_of_a_tool_are_redacted_and_its_names_stay() {
        let password = ["Sonne77", "blume!x"].concat();
        let url = format!("postgres://ann:{password}@db.example/x");
        let tool = json!({
            "name": "query",
            "description": format!("Asks {url} for rows."),
            "inputSchema": {"type": "object", "required": ["password"], "properties": {
                "password": {"type": "string", "description": "of the user", "default": password},
                "url": {"type": "string", "examples": [url]},
            }},
        });
        let found = without_secrets(&tool);
        assert!(!found.to_string().contains(&password), "{found}");
        let properties = &found["inputSchema"]["properties"];
        assert_eq!(properties["password"]["default"], REDACTED);
        assert_eq!(properties["password"]["description"], "of the user");
        assert_eq!(found["inputSchema"]["required"], json!(["password"]));
        let plain = json!({"name": "a", "description": "Reads a file.", "inputSchema": {}});
        assert_eq!(*without_secrets(&plain), plain);
    }
}
