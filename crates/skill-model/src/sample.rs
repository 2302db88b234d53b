//! Values for arguments, as examples: of the types that a schema names.

use serde_json::{Map, Value, json};

use crate::schema::{is_file, resolved};

/// The deepest objects that are written.
const MAX_DEPTH: usize = 4;

/// Returns arguments for a call: the first example that has everything which the schema requires, or else
/// the first example with values for what it lacks, or only such values. Nothing is added to an example of
/// an open schema (`additionalProperties: true`): what it requires was read from prose, where another
/// argument often serves as well.
pub fn sample_arguments(examples: &[Value], schema: &Value) -> Value {
    let is_complete =
        |example: &&Map<String, Value>| required(schema).all(|name| example.contains_key(name));
    let mut objects = examples.iter().filter_map(Value::as_object);
    let complete = objects.clone().find(is_complete);
    let Some(example) = complete.or_else(|| objects.next()) else {
        return Value::Object(required_arguments(schema));
    };
    let mut res = example.clone();
    if schema["additionalProperties"] == true {
        return Value::Object(res);
    }
    for (name, value) in members(schema, schema, 0) {
        res.entry(name).or_insert(value);
    }
    Value::Object(res)
}

/// Returns a value for each argument that is required; of alternatives, those of the first.
fn required_arguments(schema: &Value) -> Map<String, Value> {
    let mut res = members(schema, schema, 0);
    res.extend(members(schema, &schema["x-alternatives"][0], 0));
    res
}

fn required(schema: &Value) -> impl Iterator<Item = &str> {
    let names = schema["required"].as_array().map_or(&[][..], Vec::as_slice);
    names.iter().filter_map(Value::as_str)
}

fn members(root: &Value, schema: &Value, depth: usize) -> Map<String, Value> {
    let values = required(schema).map(|name| {
        let property = &schema["properties"][name];
        (name.to_owned(), sample(root, property, depth))
    });
    values.collect()
}

fn sample(root: &Value, schema: &Value, depth: usize) -> Value {
    let schema = resolved(root, schema);
    let said = schema
        .get("const")
        .or_else(|| schema["enum"].get(0))
        .or_else(|| schema["examples"].get(0))
        .or_else(|| schema.get("default"));
    if let Some(value) = said {
        return value.clone();
    }
    if is_file(root, schema) {
        return json!({ "file": "…" });
    }
    let variants = ["oneOf", "anyOf", "allOf"].map(|key| schema[key].get(0));
    let first = variants.into_iter().flatten().next();
    if let Some(first) = first.filter(|_| schema["type"].is_null() && depth < MAX_DEPTH) {
        return sample(root, first, depth + 1);
    }
    let name = match &schema["type"] {
        Value::Array(names) => names.iter().find_map(Value::as_str).unwrap_or_default(),
        name => name.as_str().unwrap_or_default(),
    };
    match name {
        "integer" | "number" => match (schema.get("minimum"), schema.get("maximum")) {
            (Some(bound), _) if bound.is_number() => bound.clone(),
            (None, Some(bound)) if bound.as_f64().is_some_and(|bound| bound < 1.0) => bound.clone(),
            _ => match schema["exclusiveMinimum"].as_i64() {
                Some(bound) => bound.saturating_add(1).into(),
                None => 1.into(),
            },
        },
        "boolean" => true.into(),
        "array" if depth < MAX_DEPTH => json!([sample(root, &schema["items"], depth + 1)]),
        "object" if depth < MAX_DEPTH => Value::Object(members(root, schema, depth + 1)),
        _ if depth < MAX_DEPTH && schema["properties"].is_object() => {
            Value::Object(members(root, schema, depth + 1))
        }
        _ => match schema["format"].as_str() {
            Some("date") => "2026-01-31".into(),
            Some("date-time") => "2026-01-31T12:00:00Z".into(),
            _ => "…".into(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_the_types_of_their_schemas() {
        let schema = json!({"required": ["id", "n", "flag", "list", "o", "e", "any", "day", "image", "text"], "properties": {
            "id": {"type": "integer", "format": "int64"}, "n": {"type": "number", "minimum": 2.5}, "flag": {"type": "boolean"},
            "list": {"type": "array", "items": {"type": "integer"}}, "o": {"$ref": "#/$defs/O"}, "e": {"enum": ["x"]},
            "any": {"anyOf": [{"type": "integer"}, {"type": "null"}]}, "day": {"type": "string", "format": "date"},
            "image": {"anyOf": [{"type": "string"}, {"properties": {"file": {"type": "string"}}, "required": ["file"]}]},
            "text": {"type": "string"}, "optional": {}},
            "$defs": {"O": {"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}, "b": {}}}},
            "x-alternatives": [{"required": ["kind"], "properties": {"kind": {"const": "c"}}}]});
        let expected = json!({"id": 1, "n": 2.5, "flag": true, "list": [1], "o": {"a": "…"}, "e": "x", "any": 1,
            "day": "2026-01-31", "image": {"file": "…"}, "text": "…", "kind": "c"});
        assert_eq!(sample_arguments(&[], &schema), expected);
    }

    /// Compares the sample for these examples of a call, which requires a city and a day.
    #[track_caller]
    fn check(is_open: bool, examples: &[Value], expected: &Value) {
        let schema = json!({
            "properties": {"city": {"type": "string"}, "day": {"enum": ["today", "tomorrow"]}, "unit": {}},
            "required": ["city", "day"],
            "additionalProperties": is_open,
        });
        assert_eq!(sample_arguments(examples, &schema), *expected);
    }

    #[test]
    fn a_sample_has_everything_that_is_required() {
        let oslo = json!({"city": "Oslo"});
        let rome = json!({"city": "Rome", "day": "tomorrow", "unit": "C"});
        let made = json!({"city": "…", "day": "today"});
        let completed = json!({"city": "Oslo", "day": "today"});
        check(false, &[], &made);
        check(false, &[json!("Oslo")], &made);
        check(false, std::slice::from_ref(&oslo), &completed);
        check(false, &[oslo.clone(), rome.clone()], &rome);
        check(true, &[], &made);
        check(true, std::slice::from_ref(&oslo), &oslo);
        check(true, &[oslo, rome.clone()], &rome);
    }
}
