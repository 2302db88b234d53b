//! An input schema as rows of a table.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::Language;
use super::cell::{plain, required, type_text, value};
use super::common_words::common_words;
use super::members::nested;
use super::parameter::describe;
use super::sample_path::neutral;
use super::signs;

/// Returns one row per property: name, type, required, default, description; all texts. A row that says
/// nothing has the value of an example.
pub(crate) fn rows(schema: &Value, examples: &[Value], language: Language) -> Vec<Value> {
    let Some(properties) = schema["properties"].as_object() else {
        return Vec::new();
    };
    let required_names = required_names(schema);
    let is_member = |name: &&String| {
        let base = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let mut others = properties.iter().filter(|(other, _)| other != name);
        base.len() < name.len()
            && others.any(|(other, property)| {
                let first = other.trim_end_matches(|c: char| c.is_ascii_digit());
                first == base && property["x-numbered"] == true
            })
    };
    let also = schema["x-also"].as_object();
    // What the program does not read changes nothing.
    let is_idle = |name: &str, property: &Value| {
        property["x-unread"] == true && !required_names.contains(name)
    };
    let rows = properties
        .iter()
        .filter(|(name, property)| !is_member(name) && !is_idle(name, property));
    let rows = rows.chain(also.into_iter().flatten());
    // What selects the kind of call comes first.
    let selects = |name: &str, property: &Value| {
        matches!(name, "command" | "action")
            && !(property["enum"].is_null() && property["description"].is_null())
    };
    let (first, rest): (Vec<_>, Vec<_>) =
        rows.partition(|(name, property)| selects(name, property));
    let rows = first.into_iter().chain(rest);
    let rows = rows.flat_map(|(name, property)| {
        let is_required = required_names.contains(&**name)
            && property.get("x-default").is_none()
            && property["x-made"].is_null();
        let own = (name.clone(), is_required, property.clone());
        std::iter::once(own).chain(nested(name, property))
    });
    let rows = rows.map(|(name, is_required, mut property)| {
        if is_required
            && !name.contains('.')
            && property["x-unless"].is_null()
            && let Some(others) = in_its_place(&name, schema, examples)
        {
            property["x-unless"] = others;
        }
        let (name, property) = (&name, &property);
        let fallback = property.get("x-default");
        let default = property.get("default").or(fallback).map(plain);
        json!({
            "name": name,
            "label": label(name, property),
            "value": of_first(
                name,
                property,
                value(is_required, default.as_deref(), property, language),
                language,
            ),
            "type": type_text(property),
            "required": required(is_required, property, language),
            "default": default.clone().unwrap_or_default(),
            "description": match described(property, language) {
                text if text.is_empty()
                    && property["type"].is_null()
                    && default.is_none() =>
                {
                    match sample(name, examples, language) {
                        text if text.is_empty() => common(name, language),
                        text => text,
                    }
                }
                text if text.is_empty() => common(name, language),
                text => text,
            },
        })
    });
    rows.collect()
}

/// Returns the parameters of an example that lacks a required one, and which no example with it has: they are
/// given in its place.
fn in_its_place(name: &str, schema: &Value, examples: &[Value]) -> Option<Value> {
    const MAX: usize = 2;
    let properties = schema["properties"].as_object()?;
    let objects = || examples.iter().filter_map(Value::as_object);
    let is_with = |key: &str| {
        let mut with = objects().filter(|it| it.contains_key(name));
        with.any(|it| it.contains_key(key))
    };
    let mut res: Vec<&String> = Vec::new();
    for example in objects().filter(|it| !it.contains_key(name)) {
        let own = example.keys().filter(|key| properties.contains_key(*key));
        let own: Vec<&String> = own.filter(|key| !is_with(key)).collect();
        // An example that only leaves the parameter out says nothing.
        let first = *own.first()?;
        if !res.contains(&first) {
            res.push(first);
        }
    }
    (1..=MAX).contains(&res.len()).then(|| json!(res))
}

/// Returns the description of a parameter, or of all of a numbered family.
fn described(property: &Value, language: Language) -> String {
    let text = describe(property, language);
    if property["x-numbered"] == true {
        signs::without_ordinal(&text).into_owned()
    } else {
        text
    }
}

/// Returns the words for a common name, or nothing.
fn common(name: &str, language: Language) -> String {
    let name = name.rsplit('.').next().unwrap_or(name);
    common_words(name, language).unwrap_or_default().to_owned()
}

/// Returns the value of a row; of a numbered family the first is required alone.
fn of_first(name: &str, property: &Value, value: String, language: Language) -> String {
    let required = language.pick("required", "必需");
    if property["x-numbered"] != true || !value.starts_with(required) {
        return value;
    }
    let first = crate::markdown::code(name);
    let need = match language {
        Language::English => format!("{first} required, the others optional"),
        Language::Chinese => format!("{first} 必需，其余可选"),
    };
    value.replacen(required, &need, 1)
}

/// Returns a name as code; of a numbered family the first two: `image_1`, `image_2`, ….
fn label(name: &str, property: &Value) -> String {
    let first = crate::markdown::code(name);
    if property["x-numbered"] != true {
        return first;
    }
    let base = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = &name[base.len()..];
    let number: u64 = digits.parse().unwrap_or(1);
    // `cup01` is followed by `cup02`.
    let width = if digits.starts_with('0') {
        digits.len()
    } else {
        0
    };
    let of = |number: u64| crate::markdown::code(&format!("{base}{number:0width$}"));
    if let Some(last) = property["x-last"].as_u64() {
        return match last.saturating_sub(number) {
            0 => first,
            1 => format!("{first}, {}", of(last)),
            _ => format!("{first} … {}", of(last)),
        };
    }
    format!("{first}, {}, …", of(number.saturating_add(1)))
}

/// Returns rows of which neighbours that say the same are one.
pub(super) fn merged(rows: Vec<Value>) -> Vec<Value> {
    let mut res: Vec<Value> = Vec::new();
    // Names of which nothing is known share the last row.
    let is_bare = |row: &Value| row["description"] == "" && row["value"] == "";
    let (bare, told): (Vec<Value>, Vec<Value>) = rows.into_iter().partition(is_bare);
    for row in told.into_iter().chain(bare) {
        let is_same = |last: &Value| {
            (last["description"] != "" || is_bare(last))
                && last["description"] == row["description"]
                && last["value"] == row["value"]
        };
        match res.last_mut().filter(|last| is_same(last)) {
            Some(last) => {
                let text = |row: &Value| row["label"].as_str().unwrap_or_default().to_owned();
                last["label"] = json!(format!("{}, {}", text(last), text(&row)));
            }
            None => res.push(row),
        }
    }
    res
}

/// Returns all properties in one line: `a` (string, required), `b`.
pub(super) fn line(schema: &Value, language: Language) -> String {
    let rows = rows(schema, &[], language).into_iter().map(|row| {
        let name = row["label"].as_str().unwrap_or_default().to_owned();
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

fn required_names(schema: &Value) -> BTreeSet<&str> {
    let list = schema["required"].as_array().into_iter().flatten();
    list.filter_map(Value::as_str).collect()
}

/// Returns a short value of a parameter from an example.
fn sample(name: &str, examples: &[Value], language: Language) -> String {
    const MAX: usize = 40;
    let mut values = examples.iter().filter_map(|example| example[name].as_str());
    let is_blank = |value: &str| value.contains("your_") || value.contains("_here");
    let value =
        values.find(|value| !value.is_empty() && value.chars().count() <= MAX && !is_blank(value));
    let label = language.pick("Such as", "例如");
    let sample = value.map(|value| format!("{label} {}", crate::markdown::code(&neutral(value))));
    sample.unwrap_or_default()
}

/// Returns which columns have a value in any row.
pub(super) fn columns(rows: &[Value]) -> Value {
    let has = |key: &str| rows.iter().any(|row| row[key] != "");
    json!({
        "value": has("value"),
        "type": has("type"),
        "required": has("required"),
        "default": has("default"),
        "description": has("description"),
    })
}
