//! Turns examples into argument objects.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::fact::default;
use crate::form::calls::{self, Argument, FlatCall};
use crate::param::{Param, Type};
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
pub(crate) fn objects(
    calls: &[&FlatCall],
    dispatch: Option<&Dispatch>,
    params: &[Param],
) -> Vec<Map<String, Value>> {
    let by_name: BTreeMap<&str, &Param> = params
        .iter()
        .flat_map(|param| param.all_names().map(move |name| (name, param)))
        .collect();
    let mut res: Vec<Map<String, Value>> = Vec::new();
    for call in calls {
        let object = object(call, dispatch, &by_name);
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
fn object(
    call: &FlatCall,
    dispatch: Option<&Dispatch>,
    params: &BTreeMap<&str, &Param>,
) -> Option<Map<String, Value>> {
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
        let param = params.get(argument.key.as_str()).copied();
        res.insert(
            argument.key.clone(),
            argument.json.clone().unwrap_or_else(|| typed(text, param)),
        );
    }
    Some(res)
}

/// Returns a sample as a value of the stated type of its parameter, or as a string if it does not
/// have that type.
fn typed(text: &str, param: Option<&Param>) -> Value {
    let stated = param.map_or(&[][..], |param| param.types.as_slice());
    let found = match stated.first() {
        Some(Type::Boolean) if matches!(text, "true" | "false") => {
            Some(Value::from(text == "true"))
        }
        Some(Type::Integer | Type::Number)
            if !text.ends_with(|c: char| c.is_ascii_alphabetic()) =>
        {
            default::number(text)
        }
        Some(Type::Array) => serde_json::from_str(text).ok().filter(Value::is_array),
        Some(Type::Object) => serde_json::from_str(text).ok().filter(Value::is_object),
        _ => None,
    };
    found.unwrap_or_else(|| Value::from(text))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::param::Form;

    #[track_caller]
    fn check(example: &str, expected: &Value) {
        let call = json_call(example).unwrap();
        let limit = Param {
            types: vec![Type::Integer],
            ..Param::named("limit", Form::A1)
        };
        let found = objects(&[&call], None, &[limit]);
        assert_eq!(
            &Value::from(found.into_iter().map(Value::Object).collect::<Vec<_>>()),
            expected
        );
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

    #[test]
    fn samples_take_the_stated_type() {
        let limit = Param {
            types: vec![Type::Integer],
            ..Param::named("limit", Form::A1)
        };
        assert_eq!(typed("3", Some(&limit)), json!(3));
        assert_eq!(typed("many", Some(&limit)), json!("many"));
        assert_eq!(typed("3", None), json!("3"));
    }
}
