//! JSON Schemas of arguments: references, alternatives, files to upload.

use serde_json::{Value, json};

/// The most references that are followed, one after another.
const MAX_REFERENCES: usize = 12;

/// Returns the schema that a reference means.
pub fn resolved<'s>(root: &'s Value, schema: &'s Value) -> &'s Value {
    let mut schema = schema;
    for _ in 0..MAX_REFERENCES {
        let pointer = schema["$ref"].as_str().and_then(|it| it.strip_prefix('#'));
        let Some(target) = pointer.and_then(|pointer| root.pointer(pointer)) else {
            break;
        };
        schema = target;
    }
    schema
}

/// Returns the alternatives of a schema besides null.
pub fn variants<'s>(root: &'s Value, schema: &'s Value) -> Vec<&'s Value> {
    let keys = ["oneOf", "anyOf"].into_iter();
    let all = keys.flat_map(|key| schema[key].as_array().map_or(&[][..], Vec::as_slice));
    let all = all.map(|it| resolved(root, it));
    all.filter(|it| it["type"] != "null").collect()
}

/// Returns true for the schema of a file to upload: `{"file": PATH}`.
pub fn is_file(root: &Value, schema: &Value) -> bool {
    variants(root, schema)
        .iter()
        .any(|it| it["required"] == json!(["file"]) && it["properties"]["file"].is_object())
}
