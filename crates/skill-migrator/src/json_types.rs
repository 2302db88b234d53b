//! The values of examples in the JSON types of their parameters.
//!
//! The old host sent every value as text, and examples were written for it. A program takes JSON types, unless
//! its code only handles text: `args.loud === 'true'`, `args.teas.split(',')`.

use serde_json::{Map, Value};
use skill_model::Command;

use crate::render::plain_value;

/// Writes the examples of all commands in JSON types, without values that the program takes anyway.
pub(crate) fn apply(commands: &mut [Command]) {
    for command in commands {
        let schema = std::mem::take(&mut command.input_schema);
        let dispatch = command.dispatch.as_ref().map(|it| it.key.clone());
        for example in command.examples.iter_mut().filter_map(Value::as_object_mut) {
            *example = of_call(std::mem::take(example), &schema, dispatch.as_deref());
        }
        command.input_schema = schema;
    }
}

/// Returns the arguments of a call in JSON types, without values that the program takes anyway.
pub(crate) fn of_call(
    arguments: Map<String, Value>,
    schema: &Value,
    dispatch: Option<&str>,
) -> Map<String, Value> {
    let pairs = arguments.into_iter().filter_map(|(name, value)| {
        let property = property(schema, &name);
        let is_idle = dispatch != Some(&*name) && is_default(schema, &name, &value);
        (!is_idle).then(|| (name.clone(), typed(property, value)))
    });
    pairs.collect()
}

/// Returns the parameter of a name, which may be another one for it.
fn property<'s>(schema: &'s Value, name: &str) -> &'s Value {
    let found = &schema["properties"][name];
    let mut all = schema["properties"].as_object().into_iter().flatten();
    let has_alias = |other: &Value| {
        let aliases = other["x-aliases"].as_array();
        aliases.is_some_and(|all| all.iter().any(|it| it == name))
    };
    if found.is_null() {
        let other = all.find(|(_, other)| has_alias(other));
        other.map_or(found, |(_, other)| other)
    } else {
        found
    }
}

/// Returns true for a number or a truth value that is also the default, of a parameter that is
/// not needed and that selects nothing.
fn is_default(schema: &Value, name: &str, value: &Value) -> bool {
    let property = property(schema, name);
    let Some(default) = property.get("default").filter(|it| !it.is_null()) else {
        return false;
    };
    let is_required = schema["required"]
        .as_array()
        .is_some_and(|all| all.iter().any(|it| it == name));
    let selects = |other: &Value| {
        ["x-required-when", "x-mode"].iter().any(|key| {
            let text = other[*key].to_string();
            text.contains(name)
        })
    };
    let mut all = schema["properties"].as_object().into_iter().flatten();
    let is_selector = !property["enum"].is_null() || all.any(|(_, other)| selects(other));
    let is_plain = matches!(kind(property), Some("number" | "integer" | "boolean"));
    is_plain
        && !is_required
        && !is_selector
        && plain_value(default).eq_ignore_ascii_case(&plain_value(value))
}

/// Returns the declared type of a parameter; every type also accepts text.
fn kind(property: &Value) -> Option<&str> {
    match &property["type"] {
        Value::String(kind) => Some(kind),
        Value::Array(all) => match &all[..] {
            [Value::String(kind)] => Some(kind),
            [Value::String(kind), Value::String(text)] if text == "string" => Some(kind),
            _ => None,
        },
        _ => None,
    }
}

/// Returns a value in the type of its parameter; as text where the program takes nothing else.
pub(crate) fn typed(property: &Value, value: Value) -> Value {
    if property["x-strict"] == "text" {
        let is_plain = value.is_boolean() || value.is_number();
        return if is_plain {
            Value::from(value.to_string())
        } else {
            value
        };
    }
    let Some(text) = value.as_str() else {
        return value;
    };
    if let Some(word) = unquoted(text).filter(|_| !is_nested(property)) {
        return typed(property, Value::from(word));
    }
    let Some(kind) = kind(property).filter(|_| property["x-json-text"].is_null()) else {
        return value;
    };
    let parsed: Option<Value> =
        serde_json::from_str(text.trim().to_ascii_lowercase().as_str()).ok();
    let nested = || serde_json::from_str::<Value>(text).ok();
    let found = match kind {
        "number" | "integer" => parsed.filter(Value::is_number),
        "boolean" => parsed.filter(Value::is_boolean),
        "array" => nested().filter(Value::is_array),
        "object" => nested().filter(Value::is_object),
        _ => None,
    };
    found.unwrap_or(value)
}

fn is_nested(property: &Value) -> bool {
    let all = property["type"].to_string();
    ["array", "object"].iter().any(|kind| all.contains(kind))
}

/// Returns the word between quotes that are the whole of a text: `"abc123"`, which a program takes without them.
fn unquoted(text: &str) -> Option<&str> {
    let word = text.strip_prefix('"')?.strip_suffix('"')?;
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    let has_digit = word.contains(|c: char| c.is_ascii_digit());
    (has_digit && word.chars().all(is_word)).then_some(word)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_have_the_types_of_their_parameters() {
        for (property, value, expected) in [
            (json!({ "type": "number" }), json!("4"), json!(4)),
            (json!({ "type": "integer" }), json!("4"), json!(4)),
            (
                json!({ "type": "number" }),
                json!("4 cups"),
                json!("4 cups"),
            ),
            (json!({ "type": "boolean" }), json!("True"), json!(true)),
            (
                json!({ "type": "boolean", "x-strict": "text" }),
                json!("true"),
                json!("true"),
            ),
            (
                json!({ "type": "boolean", "x-strict": "text" }),
                json!(true),
                json!("true"),
            ),
            (json!({ "type": "array" }), json!("[\"a\"]"), json!(["a"])),
            (json!({ "type": "array" }), json!("a,b"), json!("a,b")),
            (
                json!({ "type": "array", "x-json-text": true }),
                json!("[1]"),
                json!("[1]"),
            ),
            (
                json!({ "type": ["array", "string"] }),
                json!("[1]"),
                json!([1]),
            ),
            (
                json!({ "type": ["array", "object"] }),
                json!("[1]"),
                json!("[1]"),
            ),
            (json!({ "type": "string" }), json!("4"), json!("4")),
            (json!({}), json!("4"), json!("4")),
            (json!({}), json!("\"tea42\""), json!("tea42")),
            (json!({}), json!("\"green tea\""), json!("\"green tea\"")),
        ] {
            assert_eq!(
                typed(&property, value.clone()),
                expected,
                "{property} {value}"
            );
        }
    }

    #[test]
    fn values_that_the_program_takes_anyway_are_left_out() {
        let schema = json!({
            "properties": {
                "cups": { "type": "number", "default": 2, "x-aliases": ["n_cups"] },
                "loud": { "type": "boolean", "default": false },
                "kind": { "type": "string", "default": "green" },
                "deep": { "type": "boolean", "default": false },
                "leaf": { "x-required-when": "deep = false" },
                "need": { "type": "number", "default": 1 },
            },
            "required": ["need"],
        });
        let call = json!({ "cups": "2", "n_cups": "3", "loud": "true", "kind": "green", "deep": "false", "need": "1" });
        let found = of_call(call.as_object().unwrap().clone(), &schema, None);
        let expected =
            json!({ "n_cups": 3, "loud": true, "kind": "green", "deep": false, "need": 1 });
        assert_eq!(Value::Object(found), expected);
    }
}
