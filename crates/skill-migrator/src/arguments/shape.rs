//! Schemas as values: references and compositions resolved, types, and one line for each alternative.

use std::borrow::Cow;

use serde_json::{Map, Value, json};
use skill_model::schema::{resolved, variants};

/// The most alternatives that are shown.
pub(super) const MAX_SHAPES: usize = 8;
/// The most members of an alternative that are shown.
const MAX_MEMBERS: usize = 12;
/// The deepest composition that is followed.
const MAX_DEPTH: usize = 12;

/// Returns a schema without references and `allOf`: the keywords of all its parts, of which the outer ones
/// count.
pub(super) fn merged<'s>(root: &'s Value, schema: &'s Value) -> Cow<'s, Value> {
    merged_at(root, schema, 0)
}

fn merged_at<'s>(root: &'s Value, schema: &'s Value, depth: usize) -> Cow<'s, Value> {
    let target = resolved(root, schema);
    let is_plain = std::ptr::eq(target, schema) || schema.as_object().is_none_or(|it| it.len() < 2);
    if depth > MAX_DEPTH || is_plain && target["allOf"].is_null() {
        return Cow::Borrowed(target);
    }
    let mut res = Map::new();
    if !is_plain {
        add(&mut res, schema);
    }
    add(&mut res, target);
    for part in list(target, "allOf") {
        add(&mut res, &merged_at(root, part, depth + 1));
    }
    Cow::Owned(Value::Object(res))
}

/// Adds the keywords of a schema that are not there yet, and its members.
fn add(res: &mut Map<String, Value>, schema: &Value) {
    for (key, value) in schema.as_object().into_iter().flatten() {
        match (key.as_str(), res.get_mut(key), value) {
            ("$ref" | "allOf", ..) => {}
            ("properties", Some(Value::Object(known)), Value::Object(more)) => {
                for (name, member) in more {
                    known.entry(name).or_insert_with(|| member.clone());
                }
            }
            ("required", Some(Value::Array(known)), Value::Array(more)) => {
                let new = more.iter().filter(|name| !known.contains(name));
                let new: Vec<Value> = new.cloned().collect();
                known.extend(new);
            }
            (_, Some(_), _) => {}
            (_, None, value) => drop(res.insert(key.clone(), value.clone())),
        }
    }
}

pub(super) fn list<'s>(schema: &'s Value, key: &str) -> &'s [Value] {
    schema[key].as_array().map_or(&[][..], Vec::as_slice)
}

/// Returns the names that all alternatives of an object need.
pub(super) fn needed_by_all(root: &Value, schema: &Value) -> Vec<String> {
    let names = |one: &Value| -> Vec<String> {
        let one = merged(root, one);
        let names = list(&one, "required").iter().filter_map(Value::as_str);
        names.map(str::to_owned).collect()
    };
    let mut res = Vec::new();
    for key in ["oneOf", "anyOf"] {
        let mut all = list(schema, key).iter().map(names);
        let first = all.next().unwrap_or_default();
        res.extend(all.fold(first, |mut common, more| {
            common.retain(|name| more.contains(name));
            common
        }));
    }
    res
}

/// Returns true if null is one of the alternatives of a schema.
pub(super) fn takes_null(root: &Value, schema: &Value) -> bool {
    let lists = ["oneOf", "anyOf"].iter();
    let mut all = lists.flat_map(|key| list(schema, key));
    all.any(|it| resolved(root, it)["type"] == "null")
}

/// Returns the values that a schema allows, if it names them.
pub(super) fn values(schema: &Value) -> Option<Vec<Value>> {
    if let Some(one) = schema.get("const") {
        return Some(vec![one.clone()]);
    }
    schema["enum"].as_array().cloned()
}

/// Returns the type of a schema: `string`, `array of integer`, `object of string`, `integer / null`.
pub(super) fn type_text(root: &Value, schema: &Value) -> String {
    type_at(root, schema, 0)
}

fn type_at(root: &Value, schema: &Value, depth: usize) -> String {
    let schema = &*merged(root, schema);
    let names: Vec<&str> = match &schema["type"] {
        Value::String(name) => vec![name],
        Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    if names.is_empty() {
        return of_variants(root, schema, depth);
    }
    let inner = |name: &str| {
        let inner = match name {
            "array" => &schema["items"],
            "object" if schema["properties"].is_null() => &schema["additionalProperties"],
            _ => &Value::Null,
        };
        if inner.is_object() && depth < 3 {
            type_at(root, inner, depth + 1)
        } else {
            String::new()
        }
    };
    let texts = names.iter().map(|name| match inner(name) {
        text if text.is_empty() => (*name).to_owned(),
        text => format!("{name} of {text}"),
    });
    texts.collect::<Vec<_>>().join(" / ")
}

/// Returns the types of the alternatives, or of the values, of a schema without a type.
fn of_variants(root: &Value, schema: &Value, depth: usize) -> String {
    let mut names: Vec<String> = Vec::new();
    for variant in variants(root, schema) {
        let name = match (&variant["type"], values(variant)) {
            (Value::Null, Some(values)) if values.iter().all(Value::is_string) => "string".into(),
            (Value::Null, _) if variant["properties"].is_object() => "object".into(),
            _ if depth < 3 => type_at(root, variant, depth + 1),
            _ => continue,
        };
        if !name.is_empty() && !names.contains(&name) {
            names.push(name);
        }
    }
    if names.is_empty() && schema["properties"].is_object() {
        return "object".to_owned();
    }
    let null = "null".to_owned();
    if takes_null(root, schema) && !names.contains(&null) {
        names.push(null);
    }
    names.join(" / ")
}

/// Returns what the arguments of a command are together, if there are alternatives.
pub(super) fn alternatives(schema: &Value) -> Vec<String> {
    let lists = ["x-alternatives", "oneOf", "anyOf"].map(|key| list(schema, key));
    let all = lists.into_iter().find(|list| !list.is_empty());
    let all = all.unwrap_or_default().iter().take(MAX_SHAPES).enumerate();
    all.map(|(at, one)| shape_at(schema, (schema, at), one))
        .collect()
}

/// Returns an alternative in one line, with the values of the discriminator (`x-discriminator` of `owner`)
/// that select it by its position.
pub(super) fn shape_at(root: &Value, (owner, at): (&Value, usize), one: &Value) -> String {
    let discriminator = &owner["x-discriminator"];
    let words = discriminator["mapping"].as_object().into_iter().flatten();
    let words = words.filter(|(_, position)| position.as_u64() == u64::try_from(at).ok());
    let words: Vec<Value> = words.map(|(word, _)| word.as_str().into()).collect();
    let name = discriminator["propertyName"].as_str();
    let Some(name) = name.filter(|_| !words.is_empty()) else {
        return shape(root, one);
    };
    let mut tagged = Map::new();
    tagged.insert(name.to_owned(), json!({ "enum": words }));
    let mut one = merged(root, one).into_owned();
    if let Some(members) = one["properties"].as_object() {
        let others = members.iter().filter(|(other, _)| *other != name);
        tagged.extend(others.map(|(other, member)| (other.clone(), member.clone())));
    }
    if let Some(map) = one.as_object_mut() {
        let properties = Value::Object(tagged);
        map.insert("properties".to_owned(), properties);
        let mut required = list(&Value::Object(map.clone()), "required").to_vec();
        required.push(name.into());
        map.insert("required".to_owned(), required.into());
    }
    shape(root, &one)
}

/// Returns a schema in one line: `{kind: "circle", r: number, label?: string}`.
pub(crate) fn shape(root: &Value, schema: &Value) -> String {
    let schema = &*merged(root, schema);
    let required = list(schema, "required");
    let Some(properties) = schema["properties"].as_object() else {
        let names: Vec<&str> = required.iter().filter_map(Value::as_str).collect();
        return match (values(schema), type_text(root, schema)) {
            (Some(values), _) => choice(&values),
            (None, _) if !names.is_empty() => format!("{{{}}}", names.join(", ")),
            (None, name) if name.is_empty() => "any value".to_owned(),
            (None, name) => name,
        };
    };
    let members = properties.iter().take(MAX_MEMBERS).map(|(name, member)| {
        let member = &*merged(root, member);
        let is_required = required.iter().any(|it| it == name.as_str());
        let mark = if is_required { "" } else { "?" };
        let text = match (values(member), type_text(root, member)) {
            (Some(values), _) => choice(&values),
            (None, name) if name.is_empty() => "…".to_owned(),
            (None, name) => name,
        };
        format!("{name}{mark}: {text}")
    });
    let mut members: Vec<String> = members.collect();
    if properties.len() > MAX_MEMBERS {
        members.push("…".to_owned());
    }
    format!("{{{}}}", members.join(", "))
}

fn choice(values: &[Value]) -> String {
    let shown = values.iter().take(MAX_SHAPES).map(Value::to_string);
    let mut res = shown.collect::<Vec<_>>().join(" or ").replace('`', "'");
    if values.len() > MAX_SHAPES {
        res.push_str(" or …");
    }
    res
}
