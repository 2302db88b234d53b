//! A schema with a property for each argument and each member: `filter`, `filter.kind`, `items[].id`.

use serde_json::{Map, Value, json};
use skill_model::schema::{is_file, resolved, variants};

use crate::{markdown::code, render::Language};

use super::shape::{
    MAX_SHAPES, list, merged, needed_by_all, shape_at, takes_null, type_text, values,
};

/// The levels of members that have rows: the most that give no more than [`MAX_ROWS`].
const LEVELS: [usize; 4] = [4, 3, 2, 1];
/// The most rows of a command with members.
const MAX_ROWS: usize = 80;
/// The most rows of a command whose arguments are more.
const MAX_ARGUMENTS: usize = 250;
/// The longest pattern that is shown, in characters.
const MAX_PATTERN: usize = 60;

/// The rows of a command.
pub(super) struct Rows {
    /// A schema whose properties are the rows.
    pub(super) schema: Value,
    /// Some members have no row.
    pub(super) is_cut: bool,
}

/// Returns the rows of a schema.
pub(super) fn flat(schema: &Value, language: Language) -> Rows {
    let mut res = None;
    for levels in LEVELS {
        let mut flat = Flat {
            root: schema,
            language,
            levels,
            properties: Map::new(),
            required: Vec::new(),
            is_cut: false,
        };
        flat.add("", schema, 0, true);
        let fits = flat.properties.len() <= MAX_ROWS;
        res = Some(flat);
        if fits {
            break;
        }
    }
    let flat = res.expect("there is a number of levels");
    Rows {
        schema: json!({ "properties": flat.properties, "required": flat.required }),
        is_cut: flat.is_cut,
    }
}

struct Flat<'s> {
    root: &'s Value,
    language: Language,
    levels: usize,
    properties: Map<String, Value>,
    required: Vec<String>,
    is_cut: bool,
}

impl Flat<'_> {
    /// Adds the members of an object. Those of one that may be left out are needed with it only.
    fn add(&mut self, prefix: &str, schema: &Value, level: usize, is_always: bool) {
        let schema = &*merged(self.root, schema);
        let names = |key: &str| -> Vec<String> {
            let names = list(schema, key).iter().filter_map(Value::as_str);
            names.map(str::to_owned).collect()
        };
        let (mut required, in_body) = (names("required"), names("x-body-required"));
        required.extend(needed_by_all(self.root, schema));
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            if self.properties.len() > MAX_ARGUMENTS {
                self.is_cut = true;
                return;
            }
            let property = &*merged(self.root, property);
            let path = format!("{prefix}{name}");
            let mut row = self.row(property);
            let is_required = required.contains(name);
            if is_required && is_always {
                self.required.push(path.clone());
            } else if is_required {
                let owner = prefix.trim_end_matches(['.', '[', ']']);
                row["x-required-when"] = self.together(owner).into();
            } else if in_body.contains(name) {
                let text = self.language.pick("with a body", "有请求体时");
                row["x-required-when"] = text.into();
            }
            self.properties.insert(path.clone(), row);
            self.add_members(&path, property, level + 1, is_always && is_required);
        }
    }

    fn add_members(&mut self, path: &str, property: &Value, level: usize, is_always: bool) {
        if is_file(self.root, property) {
            return;
        }
        let items = &*merged(self.root, &property["items"]);
        let (prefix, object, is_always) = if items["properties"].is_object() {
            (format!("{path}[]."), items, false)
        } else {
            (format!("{path}."), property, is_always)
        };
        if !object["properties"].is_object() {
            return;
        }
        if level >= self.levels {
            self.is_cut = true;
            return;
        }
        self.add(&prefix, object, level, is_always);
    }

    /// Returns the need of a member of an object that may be left out.
    fn together(&self, owner: &str) -> String {
        let owner = code(owner);
        match self.language {
            Language::English => format!("with {owner}"),
            Language::Chinese => format!("有 {owner} 时"),
        }
    }

    /// Returns the property of a row: with one type, and the alternatives in its description.
    fn row(&self, property: &Value) -> Value {
        let mut res = property.as_object().cloned().unwrap_or_default();
        for key in ["properties", "items", "required", "x-required-when"] {
            res.shift_remove(key);
        }
        let mut texts: Vec<String> = Vec::new();
        let text = property["description"].as_str().unwrap_or_default().trim();
        texts.extend((!text.is_empty()).then(|| text.to_owned()));
        let items = resolved(self.root, &property["items"]);
        if is_file(self.root, property) || is_file(self.root, items) {
            let say = "`{\"file\": \"PATH\"}`";
            let label = self.language.pick("A file:", "文件：");
            texts.push(format!("{label} {say}").replace("： ", "："));
            let type_text = if is_file(self.root, items) {
                "array"
            } else {
                "file"
            };
            res.insert("type".to_owned(), type_text.into());
        } else {
            self.add_variants(property, &mut res, &mut texts);
            texts.extend(self.items_text(items));
            texts.extend(self.bounds(property));
            let mut name = type_text(self.root, property);
            if let Some(format) = property["format"].as_str().filter(|_| name == "string") {
                name = format!("string ({format})");
            }
            if name.is_empty() {
                res.shift_remove("type");
            } else {
                res.insert("type".to_owned(), name.into());
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

    /// Adds the values of alternatives, or their shapes.
    fn add_variants(
        &self,
        property: &Value,
        res: &mut Map<String, Value>,
        texts: &mut Vec<String>,
    ) {
        let takes_null = takes_null(self.root, property);
        let variants = variants(self.root, property);
        let values: Option<Vec<Vec<Value>>> = variants.iter().map(|it| values(it)).collect();
        let values = values.map(|it| it.concat()).map(|mut values| {
            if takes_null && !values.is_empty() && !values.contains(&Value::Null) {
                values.push(Value::Null);
            }
            values
        });
        match values.filter(|values| !values.is_empty()) {
            Some(values) => drop(res.insert("enum".to_owned(), values.into())),
            None if variants.len() > 1 => {
                let shapes = variants.iter().take(MAX_SHAPES).enumerate();
                let null = takes_null.then(|| "`null`".to_owned());
                let shapes: Vec<String> = shapes
                    .map(|(at, it)| format!("`{}`", shape_at(self.root, (property, at), it)))
                    .chain(null)
                    .collect();
                let label = self.language.pick("Either", "其一：");
                let shapes = shapes.join(self.language.pick(" or ", " 或 "));
                texts.push(format!("{label} {shapes}"));
            }
            None => {}
        }
        if let Some(one) = property.get("const") {
            res.insert("enum".to_owned(), json!([one]));
        }
    }

    /// Returns the values or shapes of the items of a list.
    fn items_text(&self, items: &Value) -> Option<String> {
        if let Some(values) = values(items) {
            let values = values.iter().map(|value| match value.as_str() {
                Some(text) => code(text),
                None => code(&value.to_string()),
            });
            let values = values.collect::<Vec<_>>().join(", ");
            let label = self.language.pick("Each one of", "每项为");
            return Some(format!("{label} {values}"));
        }
        let null = takes_null(self.root, items).then(|| code("null"));
        let variants = variants(self.root, items);
        let shapes = variants.iter().take(MAX_SHAPES).enumerate();
        let shapes = shapes.map(|(at, it)| code(&shape_at(self.root, (items, at), it)));
        let shapes: Vec<String> = shapes.chain(null).collect();
        let label = self.language.pick("Each either", "每项为其一：");
        let shapes_text = shapes.join(self.language.pick(" or ", " 或 "));
        (shapes.len() > 1).then(|| format!("{label} {shapes_text}"))
    }

    /// Returns the bounds of a number, and a short pattern.
    fn bounds(&self, property: &Value) -> Option<String> {
        let least = property.get("minimum").filter(|it| it.is_number());
        let most = property.get("maximum").filter(|it| it.is_number());
        let text = match (least, most, self.language) {
            (Some(least), Some(most), Language::English) => format!("From {least} to {most}"),
            (Some(least), Some(most), Language::Chinese) => format!("{least} 到 {most}"),
            (Some(least), None, Language::English) => format!("At least {least}"),
            (Some(least), None, Language::Chinese) => format!("至少 {least}"),
            (None, Some(most), Language::English) => format!("At most {most}"),
            (None, Some(most), Language::Chinese) => format!("至多 {most}"),
            (None, None, _) => String::new(),
        };
        let pattern = property["pattern"].as_str().unwrap_or_default();
        let is_short = pattern.chars().count() <= MAX_PATTERN && !pattern.is_empty();
        if text.is_empty() && is_short {
            let label = self.language.pick("Pattern", "模式");
            return Some(format!("{label} {}", code(pattern)));
        }
        (!text.is_empty()).then_some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::rows;

    #[track_caller]
    fn check(schema: &Value, expected: &[&str]) {
        let flat = flat(schema, Language::English);
        let found = rows(&flat.schema, &[], Language::English)
            .into_iter()
            .map(|row| {
                let text = |key: &str| row[key].as_str().unwrap_or_default().to_owned();
                let (name, kind) = (text("name"), text("type"));
                let (required, meaning) = (text("required"), text("description"));
                format!("{name} | {kind} | {required} | {meaning}")
            });
        assert_eq!(found.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn members_and_alternatives_have_rows() {
        let schema = json!({"properties": {
            "filter": {"type": "object", "required": ["kind"], "properties": {
                "kind": {"oneOf": [{"const": "a"}, {"enum": ["b"]}]}, "deep": {"$ref": "#/$defs/Deep"}}},
            "items": {"type": "array", "items": {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}}},
            "shape": {"oneOf": [
                {"type": "object", "required": ["r"], "properties": {"k": {"const": "c"}, "r": {"type": "number"}}},
                {"type": "string"}]},
            "image": {"description": "A picture.", "anyOf": [{"type": "string", "format": "binary"},
                {"type": "object", "properties": {"file": {"type": "string"}}, "required": ["file"]}]},
        }, "required": ["filter"], "$defs": {"Deep": {"type": "object", "required": ["x"], "properties": {"x": {"type": "boolean"}}}}});
        check(
            &schema,
            &[
                "filter | object | yes | ",
                "filter.kind | string | yes | One of `a`, `b`",
                "filter.deep | object |  | ",
                "filter.deep.x | boolean | with `filter.deep` | ",
                "items | array of object |  | ",
                "items[].id | integer | with `items` | ",
                "shape | object / string |  | Either `{k?: \"c\", r: number}` or `string`",
                "image | file |  | A picture. A file: `{\"file\": \"PATH\"}`",
            ],
        );
    }

    #[test]
    fn alternatives_have_the_values_of_their_discriminator() {
        let pets = json!({
            "oneOf": [
                {"type": "object", "required": ["claws"], "properties": {"claws": {"type": "integer"}, "kind": {"type": "string"}}},
                {"$ref": "#/$defs/Dog"}],
            "x-discriminator": {"propertyName": "kind", "mapping": {"cat": 0, "lion": 0, "Dog": 1}}});
        let mut schema = json!({"properties": {"pet": pets, "pets": {"type": "array", "items": pets}},
            "$defs": {"Dog": {"type": "object", "required": ["bark"]}}});
        let cat = r#"`{kind: "cat" or "lion", claws: integer}` or `{kind: "Dog"}`"#;
        check(
            &schema,
            &[
                &format!("pet | object |  | Either {cat}"),
                &format!("pets | array of object |  | Each either {cat}"),
            ],
        );
        schema["x-alternatives"] = pets["oneOf"].clone();
        schema["x-discriminator"] = pets["x-discriminator"].clone();
        let found = super::super::shape::alternatives(&schema);
        let expected = [
            r#"{kind: "cat" or "lion", claws: integer}"#,
            r#"{kind: "Dog"}"#,
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn rows_say_what_a_value_may_be() {
        let schema = json!({"properties": {
            "ids": {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}, "description": "Which."},
            "map": {"type": "object", "additionalProperties": {"type": "integer"}},
            "rows": {"type": "array", "items": {"type": "array", "items": {"type": "number"}}},
            "day": {"type": "string", "format": "date"},
            "n": {"type": ["integer", "null"], "minimum": 1, "maximum": 9},
            "code": {"type": "string", "pattern": "^[a-z]+$"},
            "both": {"allOf": [{"$ref": "#/$defs/Base"}, {"required": ["y"], "properties": {"y": {"type": "string"}}}], "description": "Both."},
            "late": {"type": "string"},
            "word": {"anyOf": [{"enum": ["a", "b"]}, {"type": "null"}]},
            "unit": {"type": ["string", "null"], "enum": ["c", null]},
            "some": {"oneOf": [{"type": "integer"}, {"type": "null"}]},
            "either": {"oneOf": [{"type": "integer"}, {"type": "boolean"}, {"type": "null"}]},
        }, "x-body-required": ["late"], "$defs": {"Base": {"type": "object", "properties": {"x": {"type": "string"}}, "required": ["x"]}}});
        check(
            &schema,
            &[
                "ids | array of string |  | Which. Each one of `a`, `b`",
                "map | object of integer |  | ",
                "rows | array of array of number |  | ",
                "day | string (date) |  | ",
                "n | integer / null |  | From 1 to 9",
                "code | string |  | Pattern `^[a-z]+$`",
                "both | object |  | Both.",
                "both.x | string | with `both` | ",
                "both.y | string | with `both` | ",
                "late | string | with a body | ",
                "word | string / null |  | One of `a`, `b`, `null`",
                "unit | string / null |  | One of `c`, `null`",
                "some | integer / null |  | ",
                "either | integer / boolean / null |  | Either `integer` or `boolean` or `null`",
            ],
        );
    }

    #[test]
    fn what_all_alternatives_need_is_required() {
        let schema = json!({"properties": {"a": {"type": "string"}, "b": {"type": "string"}, "c": {"type": "string"}},
            "oneOf": [{"required": ["a", "b"]}, {"allOf": [{"required": ["a"]}, {"required": ["c"]}]}]});
        let expected = [
            "a | string | yes | ",
            "b | string |  | ",
            "c | string |  | ",
        ];
        check(&schema, &expected);
    }

    #[test]
    fn every_argument_has_a_row_before_members_have() {
        let members: Map<String, Value> = (0..90).map(|n| (format!("m{n}"), json!({}))).collect();
        let schema = json!({"properties": {"large": {"type": "object", "properties": members}, "last": {"type": "string"}}});
        let rows = flat(&schema, Language::English);
        let names: Vec<&String> = rows.schema["properties"]
            .as_object()
            .expect("an object")
            .keys()
            .collect();
        assert_eq!(names, ["large", "last"]);
        assert!(rows.is_cut);
        let node = json!({"properties": {"n": {"$ref": "#/$defs/N"}}, "$defs": {"N": {"type": "object", "properties": {"n": {"$ref": "#/$defs/N"}}}}});
        assert!(flat(&node, Language::English).is_cut);
    }
}
