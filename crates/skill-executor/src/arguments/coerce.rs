//! For skills that were not plugins: declared names, declared types, defaults. For plugins: text.

use std::borrow::Cow;

use serde_json::Value;

use super::values::{object, pointer};
use crate::envelope::Warning;
use crate::json;

/// Fits the arguments to the schema where that loses nothing.
pub(super) fn fit(schema: &Value, input: &mut Cow<'_, Value>, warnings: &mut Vec<Warning>) {
    for (name, declared) in schema["properties"].as_object().into_iter().flatten() {
        rename(name, declared, input, warnings);
        match input.get(name) {
            Some(value) => {
                if let Some(coerced) = coerced(declared, value) {
                    object(input).insert(name.clone(), coerced);
                }
            }
            None => {
                if let Some(default) = declared.get("default") {
                    object(input).insert(name.clone(), default.clone());
                }
            }
        }
    }
}

/// Makes text of declared numbers and booleans, unless they have another `x-strict` than `text`, and of lists
/// and objects that the program parses (`x-json-text`). Other lists and objects stay, because programs differ
/// in what they take. Arguments that only the code declares (`x-also`) are treated alike.
pub(super) fn as_text(schema: &Value, input: &mut Cow<'_, Value>) {
    let groups = ["properties", "x-also"].into_iter();
    let all = groups.filter_map(|key| schema[key].as_object()).flatten();
    for (name, declared) in all {
        let is_strict = !declared["x-strict"].is_null() && declared["x-strict"] != "text";
        if is_strict || declared["type"].is_null() {
            continue;
        }
        let aliases = declared["x-aliases"].as_array().into_iter().flatten();
        for name in aliases.filter_map(Value::as_str).chain([&**name]) {
            let is_text = match input.get(name) {
                Some(Value::Number(_) | Value::Bool(_)) => true,
                Some(Value::Array(_) | Value::Object(_)) => declared["x-json-text"] == true,
                Some(Value::Null | Value::String(_)) | None => false,
            };
            if let Some(value) = input.get(name).filter(|_| is_text) {
                let text = json::stringify(value);
                object(input).insert(name.to_owned(), text.into());
            }
        }
    }
}

/// Renames an argument that came under an alias.
fn rename(name: &str, declared: &Value, input: &mut Cow<'_, Value>, warnings: &mut Vec<Warning>) {
    let aliases = declared["x-aliases"].as_array().into_iter().flatten();
    let used = aliases
        .filter_map(Value::as_str)
        .find(|alias| input.get(alias).is_some());
    let (Some(alias), None) = (used, input.get(name)) else {
        return;
    };
    let value = object(input).shift_remove(alias).unwrap_or_default();
    object(input).insert(name.to_owned(), value);
    warnings.push(Warning {
        code: "alias",
        message: format!("`{alias}` is taken for `{name}`"),
        pointer: Some(pointer(&[alias])),
    });
}

/// Converts text to the declared type if it can be read as such, and numbers and booleans to text
/// if the type is text.
fn coerced(declared: &Value, value: &Value) -> Option<Value> {
    let wanted = declared["type"].as_str()?;
    match (wanted, value) {
        ("string", Value::Number(_) | Value::Bool(_)) => Some(value.to_string().into()),
        ("boolean", Value::String(text)) => match text.to_lowercase().as_str() {
            "true" => Some(true.into()),
            "false" => Some(false.into()),
            _ => None,
        },
        ("integer" | "number" | "array" | "object", Value::String(text)) => {
            let exact = json::parse_exact(json::trim(text)).ok()?;
            let value = Some(exact.value).filter(|_| exact.changed.is_empty())?;
            let fits = match wanted {
                "integer" => value.is_i64() || value.is_u64(),
                "number" => value.is_number(),
                "array" => value.is_array(),
                _ => value.is_object(),
            };
            fits.then_some(value)
        }
        _ => None,
    }
}
