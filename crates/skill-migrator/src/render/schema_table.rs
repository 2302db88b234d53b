//! An input schema as rows of a table.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::Language;

/// Returns one row per property: name, type, required, default, description; all texts.
pub(super) fn rows(schema: &Value, language: Language) -> Vec<Value> {
    let Some(properties) = schema["properties"].as_object() else {
        return Vec::new();
    };
    let required_names = required_names(schema);
    let rows = properties.iter().map(|(name, property)| {
        let is_required = required_names.contains(&**name);
        json!({
            "name": name,
            "type": type_text(property),
            "required": required(is_required, property, language),
            "default": property.get("default").map(plain).unwrap_or_default(),
            "description": describe(property, language),
        })
    });
    rows.collect()
}

/// Returns all properties in one line: `a` (string, required), `b`.
pub(super) fn line(schema: &Value, language: Language) -> String {
    let rows = rows(schema, language).into_iter().map(|row| {
        let name = crate::markdown::code(row["name"].as_str().unwrap_or_default());
        let required = if row["required"] == language.pick("yes", "是") {
            language.pick("required", "必需")
        } else {
            row["required"].as_str().unwrap_or_default()
        };
        let attributes = [row["type"].as_str().unwrap_or_default(), required].into_iter();
        let attributes: Vec<&str> = attributes
            .filter(|text| !text.is_empty() && *text != "–")
            .collect();
        if attributes.is_empty() {
            name
        } else {
            format!("{name} ({})", attributes.join(", "))
        }
    });
    rows.collect::<Vec<_>>().join(", ")
}

/// Returns the declared type, which is the first one; every type also accepts a string, which is
/// not mentioned.
fn type_text(property: &Value) -> String {
    match &property["type"] {
        Value::String(name) => name.clone(),
        Value::Array(names) => {
            let names: Vec<&str> = names.iter().filter_map(Value::as_str).collect();
            match names[..] {
                [first, "string"] => first.to_owned(),
                _ => names.join(" / "),
            }
        }
        _ => String::new(),
    }
}

fn required_names(schema: &Value) -> BTreeSet<&str> {
    let list = schema["required"].as_array().into_iter().flatten();
    list.filter_map(Value::as_str).collect()
}

fn required(is_required: bool, property: &Value, language: Language) -> String {
    if is_required {
        language.pick("yes", "是").to_owned()
    } else {
        property["x-required-when"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    }
}

fn describe(property: &Value, language: Language) -> String {
    let mut parts = Vec::new();
    parts.extend(property["description"].as_str().map(str::to_owned));
    if let Some(values) = property["enum"].as_array() {
        let values: Vec<String> = values
            .iter()
            .map(|value| format!("`{}`", plain(value)))
            .collect();
        parts.push(format!(
            "{} {}",
            language.pick("One of", "可选值："),
            values.join(", ")
        ));
    }
    if let Some(names) = property["x-aliases"].as_array() {
        let names: Vec<String> = names
            .iter()
            .map(|name| format!("`{}`", plain(name)))
            .collect();
        parts.push(format!(
            "{} {}",
            language.pick("Also called", "别名："),
            names.join(", ")
        ));
    }
    if let [first, _, ..] = &mut parts[..] {
        first.truncate(first.trim_end_matches(['.', '。', '；']).len());
    }
    parts.join(language.pick(". ", "；"))
}

/// Formats a value for people: a string without quotes, everything else as JSON.
pub(super) fn plain(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}
