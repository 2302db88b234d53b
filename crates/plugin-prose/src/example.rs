//! Turns examples into argument objects.

use serde_json::{Map, Value};

use crate::form::calls::{self, Argument, FlatCall};
use crate::reading::Dispatch;

/// The maximum number of examples.
const MAX: usize = 32;

/// Reads the call in a JSON object of an example: `{"command": "status", "id": 3}`.
///
/// A wrapper such as `{"tool": …, "arguments": {…}}` is opened.
pub(crate) fn json_call(text: &str) -> Option<FlatCall> {
    let text = text
        .trim()
        .trim_start_matches("```json")
        .trim_matches('`')
        .trim();
    if !text.starts_with('{') {
        return None;
    }
    let mut map: Map<String, Value> = serde_json::from_str(text).ok()?;
    for key in ["arguments", "args", "parameters", "params", "input"] {
        if map.len() <= 3
            && map.get(key).is_some_and(Value::is_object)
            && map
                .keys()
                .any(|other| matches!(other.as_str(), "tool" | "tool_name" | "name"))
        {
            if let Some(Value::Object(inner)) = map.remove(key) {
                map = inner;
            }
            break;
        }
    }
    let tool = map
        .remove("tool_name")
        .and_then(|value| value.as_str().map(str::to_owned));
    let arguments = map.into_iter().map(argument).collect();
    Some(FlatCall {
        arguments,
        tool,
        batch: false,
    })
}

fn argument((key, json): (String, Value)) -> Argument {
    let value = json
        .as_str()
        .map_or_else(|| json.to_string(), str::to_owned);
    Argument {
        key,
        value,
        json: Some(json),
        around: Default::default(),
        group: None,
    }
}

/// Returns the argument objects of calls that are real samples, each once.
pub(crate) fn objects(calls: &[&FlatCall], dispatch: Option<&Dispatch>) -> Vec<Map<String, Value>> {
    let mut res: Vec<Map<String, Value>> = Vec::new();
    for call in calls {
        let object = object(call, dispatch);
        if let Some(object) = object.filter(|object| !res.contains(object)) {
            res.push(object);
        }
        if res.len() == MAX {
            break;
        }
    }
    res
}

/// Returns one call as an object, or `None` if its values explain themselves instead of being
/// samples.
fn object(call: &FlatCall, dispatch: Option<&Dispatch>) -> Option<Map<String, Value>> {
    let mut res = Map::new();
    for argument in &call.arguments {
        if dispatch.is_some_and(|dispatch| dispatch.key == argument.key) {
            continue;
        }
        let text = argument.value.trim();
        if calls::is_annotated(text)
            || argument.group.is_some()
            || !calls::alternatives(text).is_empty()
        {
            return None;
        }
        // The old host sent texts, whatever the type: some programs refuse anything else.
        let value = argument.json.clone();
        res.insert(
            argument.key.clone(),
            value.unwrap_or_else(|| Value::from(with_line_ends(text))),
        );
    }
    Some(res)
}

/// Returns a sample with real line ends where its author wrote `\n`, as in `Text\nTag: a`: a model
/// writes a line end there. Code, patterns and paths of Windows stay as they are.
pub(crate) fn with_line_ends(text: &str) -> String {
    let res = text.replace("\\n", "\n");
    let is_plain = !res.contains(['\\', '\'', '"', '`', '{', '[']) && !text.contains(":\\");
    if is_plain { res } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(example: &str, expected: &Value) {
        let call = json_call(example).unwrap();
        let found = objects(&[&call], None);
        assert_eq!(
            &Value::from(found.into_iter().map(Value::Object).collect::<Vec<_>>()),
            expected
        );
    }

    #[test]
    fn line_ends_in_samples() {
        let check = |text: &str, expected: &str| assert_eq!(with_line_ends(text), expected);
        check("Text\\nTag: a", "Text\nTag: a");
        check("C:\\notes\\new", "C:\\notes\\new");
        check("print('a\\n')", "print('a\\n')");
        check("\\d+\\n", "\\d+\\n");
        check("a\\tb", "a\\tb");
    }

    #[test]
    fn json_examples() {
        check(
            r#"{"command": "status", "limit": "3"}"#,
            &json!([{"command": "status", "limit": "3"}]),
        );
        check(
            r#"{"tool_name": "T", "arguments": {"limit": 3}}"#,
            &json!([{"limit": 3}]),
        );
        assert!(json_call("text").is_none());
    }
}
