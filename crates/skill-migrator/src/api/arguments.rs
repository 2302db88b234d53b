//! The arguments of an operation as a table: also the members of objects, and alternatives.

use serde_json::{Map, Value, json};

use crate::render::Language;

/// The deepest members that have a row.
const MAX_DEPTH: usize = 3;
/// The most rows of an operation.
const MAX_ROWS: usize = 80;
/// The most alternatives that are shown.
const MAX_SHAPES: usize = 8;
/// The most members of an alternative that are shown.
const MAX_MEMBERS: usize = 12;

/// Returns a schema with a property for each argument and each member: `filter`, `filter.kind`,
/// `items[].id`.
pub(super) fn flat(schema: &Value, language: Language) -> Value {
    let mut flat = Flat {
        root: schema,
        language,
        properties: Map::new(),
        required: Vec::new(),
    };
    flat.add("", schema, 0);
    json!({ "properties": flat.properties, "required": flat.required })
}

/// Returns what the arguments are together, if there are alternatives.
pub(super) fn alternatives(schema: &Value) -> Vec<String> {
    let all = schema["x-alternatives"].as_array();
    let all = all.into_iter().flatten().take(MAX_SHAPES);
    all.map(|one| shape(schema, one)).collect()
}

struct Flat<'s> {
    root: &'s Value,
    language: Language,
    properties: Map<String, Value>,
    required: Vec<String>,
}

impl<'s> Flat<'s> {
    fn add(&mut self, prefix: &str, schema: &'s Value, depth: usize) {
        let required: Vec<&str> = list(schema, "required")
            .iter()
            .filter_map(Value::as_str)
            .collect();
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            if self.properties.len() >= MAX_ROWS {
                return;
            }
            let property = resolved(self.root, property);
            let path = format!("{prefix}{name}");
            if required.contains(&name.as_str()) {
                self.required.push(path.clone());
            }
            let row = self.row(property);
            self.properties.insert(path.clone(), row);
            if depth + 1 >= MAX_DEPTH || is_file(self.root, property) {
                continue;
            }
            let items = resolved(self.root, &property["items"]);
            if items["properties"].is_object() {
                self.add(&format!("{path}[]."), items, depth + 1);
            } else {
                self.add(&format!("{path}."), property, depth + 1);
            }
        }
    }

    /// Returns the property of a row: with one type, and the alternatives in its description.
    fn row(&self, property: &Value) -> Value {
        let mut res = property.as_object().cloned().unwrap_or_default();
        let mut texts: Vec<String> = Vec::new();
        let text = property["description"].as_str().unwrap_or_default().trim();
        texts.extend((!text.is_empty()).then(|| text.to_owned()));
        let items = resolved(self.root, &property["items"]);
        if is_file(self.root, property) || is_file(self.root, items) {
            texts.push(
                self.language
                    .pick(
                        "A file: `{\"file\": \"PATH\"}`",
                        "文件：`{\"file\": \"PATH\"}`",
                    )
                    .to_owned(),
            );
            let type_text = if is_file(self.root, items) {
                "array"
            } else {
                "file"
            };
            res.insert("type".to_owned(), type_text.into());
        } else {
            let variants = variants(self.root, property);
            let values: Option<Vec<Value>> = variants
                .iter()
                .map(|it| values(it))
                .collect::<Option<Vec<_>>>()
                .map(|it| it.concat());
            match values.filter(|values| !values.is_empty()) {
                Some(values) => drop(res.insert("enum".to_owned(), values.into())),
                None if variants.len() > 1 => {
                    let shapes = variants.iter().take(MAX_SHAPES);
                    let shapes: Vec<String> = shapes
                        .map(|it| format!("`{}`", shape(self.root, it)))
                        .collect();
                    let label = self.language.pick("Either", "其一：");
                    texts.push(format!(
                        "{label} {}",
                        shapes.join(self.language.pick(" or ", " 或 "))
                    ));
                }
                None => {}
            }
            if property["type"].is_null() {
                res.insert("type".to_owned(), type_names(self.root, property).into());
            }
        }
        if let [first, _, ..] = &mut texts[..] {
            first.truncate(first.trim_end_matches(['.', '。']).len());
        }
        res.insert(
            "description".to_owned(),
            texts.join(self.language.pick(". ", "；")).into(),
        );
        Value::Object(res)
    }
}

/// Returns the schema that a reference means.
pub(super) fn resolved<'s>(root: &'s Value, schema: &'s Value) -> &'s Value {
    let pointer = schema["$ref"].as_str().and_then(|it| it.strip_prefix('#'));
    let target = pointer.and_then(|pointer| root.pointer(pointer));
    target.unwrap_or(schema)
}

fn list<'s>(schema: &'s Value, key: &str) -> &'s [Value] {
    schema[key].as_array().map_or(&[][..], Vec::as_slice)
}

/// Returns the alternatives of a schema besides null.
fn variants<'s>(root: &'s Value, schema: &'s Value) -> Vec<&'s Value> {
    let all = list(schema, "oneOf").iter().chain(list(schema, "anyOf"));
    let all = all.map(|it| resolved(root, it));
    all.filter(|it| it["type"] != "null").collect()
}

/// Returns the values that a schema allows, if it names them.
fn values(schema: &Value) -> Option<Vec<Value>> {
    if let Some(one) = schema.get("const") {
        return Some(vec![one.clone()]);
    }
    schema["enum"].as_array().cloned()
}

/// Returns true for the schema of a file to upload.
pub(super) fn is_file(root: &Value, schema: &Value) -> bool {
    variants(root, schema)
        .iter()
        .any(|it| it["required"] == json!(["file"]) && it["properties"]["file"].is_object())
}

fn type_names(root: &Value, schema: &Value) -> String {
    let mut names: Vec<String> = Vec::new();
    for variant in variants(root, schema) {
        let name = match (&variant["type"], values(variant)) {
            (Value::String(name), _) => name.clone(),
            (_, Some(values)) if values.iter().all(Value::is_string) => "string".to_owned(),
            _ if variant["properties"].is_object() => "object".to_owned(),
            _ => continue,
        };
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names.join(" / ")
}

/// Returns a schema in one line: `{kind: "circle", r: number, label?: string}`.
fn shape(root: &Value, schema: &Value) -> String {
    let schema = resolved(root, schema);
    let Some(properties) = schema["properties"].as_object() else {
        return match values(schema) {
            Some(values) => choice(&values),
            None => schema["type"].as_str().unwrap_or("any value").to_owned(),
        };
    };
    let required = list(schema, "required");
    let members = properties.iter().take(MAX_MEMBERS).map(|(name, member)| {
        let member = resolved(root, member);
        let is_required = required.iter().any(|it| it == name.as_str());
        let mark = if is_required { "" } else { "?" };
        let text = match (values(member), &member["type"]) {
            (Some(values), _) => choice(&values),
            (None, Value::String(name)) => name.clone(),
            _ => "…".to_owned(),
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
    shown.collect::<Vec<_>>().join(" or ").replace('`', "'")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::rows;

    #[test]
    fn members_and_alternatives_have_rows() {
        let schema = json!({"properties": {
            "filter": {"type": "object", "required": ["kind"], "properties": {
                "kind": {"oneOf": [{"const": "a"}, {"enum": ["b"]}]}, "deep": {"$ref": "#/$defs/Deep"}}},
            "items": {"type": "array", "items": {"type": "object", "properties": {"id": {"type": "integer"}}}},
            "shape": {"oneOf": [
                {"type": "object", "required": ["r"], "properties": {"k": {"const": "c"}, "r": {"type": "number"}}},
                {"type": "string"}]},
            "image": {"description": "A picture.", "anyOf": [{"type": "string", "format": "binary"},
                {"type": "object", "properties": {"file": {"type": "string"}}, "required": ["file"]}]},
        }, "required": ["filter"], "$defs": {"Deep": {"type": "object", "properties": {"x": {"type": "boolean"}}}}});
        let flat = flat(&schema, Language::English);
        let found = rows(&flat, &[], Language::English).into_iter().map(|row| {
            let text = |key: &str| row[key].as_str().unwrap_or_default().to_owned();
            format!(
                "{} | {} | {} | {}",
                text("name"),
                text("type"),
                text("required"),
                text("description")
            )
        });
        assert_eq!(
            found.collect::<Vec<_>>(),
            [
                "filter | object | yes | ",
                "filter.kind | string | yes | One of `a`, `b`",
                "filter.deep | object |  | ",
                "filter.deep.x | boolean |  | ",
                "items | array |  | ",
                "items[].id | integer |  | ",
                "shape | object / string |  | Either `{k?: \"c\", r: number}` or `string`",
                "image | file |  | A picture. A file: `{\"file\": \"PATH\"}`",
            ]
        );
    }
}
