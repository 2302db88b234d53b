//! Values without parts: constants, types, lengths and bounds.

use serde_json::{Map, Value};

/// Checks the value itself.
pub(super) fn scalar(schema: &Value, value: &Value, takes_text: bool) -> Option<String> {
    let schema: &Map<String, Value> = schema.as_object()?;
    let is_same = |one: &Value| {
        let is_equal =
            one == value || one.is_number() && number(one, false) == number(value, false);
        is_equal || takes_text && text_of(one) == text_of(value)
    };
    if let Some(wanted) = schema.get("const").filter(|wanted| !is_same(wanted)) {
        return Some(format!("should be {}", text_of(wanted)));
    }
    if let Some(allowed) = schema.get("enum").and_then(Value::as_array)
        && !allowed.iter().any(is_same)
    {
        let shown: Vec<String> = allowed.iter().map(text_of).collect();
        return Some(one_of(&shown));
    }
    let types: Vec<&str> = match schema.get("type") {
        Some(Value::String(one)) => vec![one],
        Some(Value::Array(many)) => many.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    if !types.is_empty() && !types.iter().any(|name| is_of(name, value, takes_text)) {
        return Some(format!("should be of type {}", types.join(" or ")));
    }
    let is_text = types.is_empty() || types.contains(&"string");
    if let Some(text) = value.as_str().filter(|_| is_text) {
        return length(schema, text);
    }
    bounds(schema, number(value, takes_text)?)
}

/// Returns the text about a value that is none of these.
pub(super) fn one_of(words: &[String]) -> String {
    const MAX_SHOWN: usize = 20;
    let n_more = words.len().saturating_sub(MAX_SHOWN);
    if n_more == 0 {
        return format!("should be one of {}", words.join(", "));
    }
    let shown = words[..MAX_SHOWN].join(", ");
    format!("should be one of {shown} and {n_more} more, which the schema of the command lists")
}

fn length(schema: &Map<String, Value>, text: &str) -> Option<String> {
    let bound = |key: &str| schema.get(key).and_then(Value::as_u64);
    let n_chars = text.chars().count() as u64;
    if let Some(least) = bound("minLength").filter(|least| n_chars < *least) {
        return Some(format!("should have at least {least} characters"));
    }
    let most = bound("maxLength").filter(|most| n_chars > *most)?;
    Some(format!("should have at most {most} characters"))
}

fn bounds(schema: &Map<String, Value>, number: f64) -> Option<String> {
    let bound = |key: &str| schema.get(key).and_then(Value::as_f64);
    if let Some(least) = bound("minimum").filter(|least| number < *least) {
        return Some(format!("should be at least {least}"));
    }
    if let Some(most) = bound("maximum").filter(|most| number > *most) {
        return Some(format!("should be at most {most}"));
    }
    if let Some(least) = bound("exclusiveMinimum").filter(|least| number <= *least) {
        return Some(format!("should be more than {least}"));
    }
    let most = bound("exclusiveMaximum").filter(|most| number >= *most)?;
    Some(format!("should be less than {most}"))
}

/// Returns true if a value has a type. If `takes_text`, text counts as the type that it can be read as,
/// because the old protocol had only text.
pub(super) fn is_of(name: &str, value: &Value, takes_text: bool) -> bool {
    match (name, value) {
        ("string", _) if takes_text => !value.is_object() && !value.is_array() && !value.is_null(),
        ("string", _) => value.is_string(),
        ("integer", _) => number(value, takes_text).is_some_and(|number| number.fract() == 0.0),
        ("number", _) => number(value, takes_text).is_some(),
        ("boolean", Value::String(text)) if takes_text => {
            matches!(text.to_lowercase().as_str(), "true" | "false")
        }
        ("boolean", _) => value.is_boolean(),
        ("array" | "object", Value::String(text)) if takes_text => crate::json::parse(text)
            .is_ok_and(|value| !value.is_string() && is_of(name, &value, takes_text)),
        ("array", _) => value.is_array(),
        ("object", _) => value.is_object(),
        ("null", _) => value.is_null(),
        _ => true,
    }
}

fn number(value: &Value, takes_text: bool) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) if takes_text => crate::json::trim(text)
            .parse()
            .ok()
            .filter(|number: &f64| number.is_finite()),
        _ => None,
    }
}

pub(super) fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => crate::json::stringify(other),
    }
}
