//! Checks arguments against the schema of a command: findings, never errors.

use serde_json::Value;
use skill_model::Command;

use super::values::pointer;
use crate::envelope::Warning;

/// Adds a warning for each argument that does not fit.
pub(super) fn check(command: &Command, input: &Value, warnings: &mut Vec<Warning>) {
    let schema = &command.input_schema;
    let given = |name: &str| input.get(name).is_some();
    let mut warn = |code, name: &str, message: String| {
        warnings.push(Warning {
            code,
            message,
            pointer: Some(pointer(&[name])),
        });
    };
    for name in schema["required"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
    {
        let aliases = &schema["properties"][name]["x-aliases"];
        let mut aliases = aliases
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str);
        let in_batch = command.batch.is_some() && given(&format!("{name}1"));
        if !given(name) && !in_batch && !aliases.any(given) {
            warn("missing-argument", name, format!("`{name}` is missing"));
        }
    }
    for (name, value) in input.as_object().into_iter().flatten() {
        let declared = &schema["properties"][property(command, name)];
        if declared.is_null() {
            if schema["additionalProperties"] == false && !is_own(command, name) {
                warn(
                    "unknown-argument",
                    name,
                    format!("nothing is called `{name}`"),
                );
            }
        } else if let Some(why) = misfit(declared, value) {
            warn("wrong-argument", name, format!("`{name}` {why}"));
        }
    }
}

/// Returns true for the dispatch argument and for arguments of the old host itself.
fn is_own(command: &Command, name: &str) -> bool {
    let key = command
        .dispatch
        .as_ref()
        .map(|dispatch| dispatch.key.as_str());
    key == Some(unnumbered(command, name)) || matches!(name, "maid" | "valet")
}

/// Removes the number of a batch argument: `filePath2` is `filePath`.
fn unnumbered<'n>(command: &Command, name: &'n str) -> &'n str {
    match command.batch {
        Some(_) => name.trim_end_matches(|char: char| char.is_ascii_digit()),
        None => name,
    }
}

/// Returns the declared name of an argument that may be numbered or an alias.
fn property<'n>(command: &'n Command, name: &'n str) -> &'n str {
    let declared = |name: &str| !command.input_schema["properties"][name].is_null();
    let bare = unnumbered(command, name);
    if declared(name) {
        return name;
    }
    if declared(bare) {
        return bare;
    }
    let mut properties = command.input_schema["properties"]
        .as_object()
        .into_iter()
        .flatten();
    let of_alias = properties.find(|(_, declared)| {
        let aliases = declared["x-aliases"].as_array().into_iter().flatten();
        aliases
            .filter_map(Value::as_str)
            .any(|alias| alias == name || alias == bare)
    });
    of_alias.map_or(name, |(declared, _)| declared)
}

/// Returns the reason why a value does not fit, if it does not.
fn misfit(schema: &Value, value: &Value) -> Option<String> {
    if let Some(allowed) = schema["enum"].as_array()
        && !allowed
            .iter()
            .any(|one| one == value || text_of(one) == text_of(value))
    {
        let shown: Vec<String> = allowed.iter().map(text_of).collect();
        return Some(format!("should be one of {}", shown.join(", ")));
    }
    let types: Vec<&str> = match &schema["type"] {
        Value::String(one) => vec![one],
        Value::Array(many) => many.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    if !types.is_empty() && !types.iter().any(|name| is_of(name, value)) {
        return Some(format!("should be of type {}", types.join(" or ")));
    }
    let number = number(value)?;
    let beyond = |key: &str, is_beyond: fn(f64, f64) -> bool| {
        let bound = schema[key].as_f64()?;
        is_beyond(number, bound).then_some(bound)
    };
    if let Some(bound) = beyond("minimum", |number, bound| number < bound) {
        return Some(format!("should be at least {bound}"));
    }
    let bound = beyond("maximum", |number, bound| number > bound)?;
    Some(format!("should be at most {bound}"))
}

/// Returns true if a value has a type. Text counts as the type that it can be read as, because the
/// old protocol had only text.
fn is_of(name: &str, value: &Value) -> bool {
    match (name, value) {
        ("string", _) => !value.is_object() && !value.is_array() && !value.is_null(),
        ("integer", _) => number(value).is_some_and(|number| number.fract() == 0.0),
        ("number", _) => number(value).is_some(),
        ("boolean", Value::String(text)) => {
            matches!(text.to_lowercase().as_str(), "true" | "false")
        }
        ("boolean", _) => value.is_boolean(),
        ("array" | "object", Value::String(text)) => {
            crate::json::parse(text).is_ok_and(|value| !value.is_string() && is_of(name, &value))
        }
        ("array", _) => value.is_array(),
        ("object", _) => value.is_object(),
        ("null", _) => value.is_null(),
        _ => true,
    }
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => crate::json::trim(text)
            .parse()
            .ok()
            .filter(|number: &f64| number.is_finite()),
        _ => None,
    }
}

fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => crate::json::stringify(other),
    }
}
