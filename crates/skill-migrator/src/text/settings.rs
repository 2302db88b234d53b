//! The settings of a package as `config` of METADATA.yml: an object of settings, a list with the
//! variables of the environment, or a JSON Schema.

use std::collections::BTreeSet;

use plugin_model::{Document, Kind, Node, Place, Role, escape_pointer};
use serde_json::{Map, Value, json};
use skill_model::Config;

use crate::fate::{Ledger, METADATA};

/// Reads the settings that manifests declare, and gives their leaves their fates.
pub(super) fn read<'a>(
    manifests: impl Iterator<Item = &'a Document<'a>>,
    ledger: &mut Ledger<'_>,
) -> Config {
    let mut found = Found::default();
    for manifest in manifests {
        for (key, node) in manifest.with_role(Role::Settings) {
            let pointer = format!("/{}", escape_pointer(key.name));
            found.declaration(&Place::new(&manifest.file, pointer), node, ledger);
        }
    }
    found.config()
}

#[derive(Default, Debug)]
struct Found {
    properties: Map<String, Value>,
    required: BTreeSet<String>,
    secret: BTreeSet<String>,
    /// A declaration that is a JSON Schema already.
    schema: Option<Value>,
}

impl Found {
    fn declaration(&mut self, place: &Place, node: &Node, ledger: &mut Ledger<'_>) {
        match &node.kind {
            Kind::Array(items) => {
                for (at, item) in items.iter().enumerate() {
                    let name = ["envVar", "name"].map(|key| text(item, key));
                    if let Some(name) = name.into_iter().flatten().next() {
                        self.setting(name, &place.child(at), item, ledger);
                    }
                }
            }
            Kind::Object(_) if is_schema(node) => {
                ledger.carried(place, &format!("{METADATA}/config/schema"));
                self.schema = Some(node.to_value());
            }
            Kind::Object(members) => {
                for member in members {
                    let place = place.child(escape_pointer(&member.key));
                    self.setting(&member.key, &place, &member.value, ledger);
                }
            }
            _ => {}
        }
    }

    /// Adds one setting. Keys without a place are kept.
    fn setting(&mut self, name: &str, place: &Place, node: &Node, ledger: &mut Ledger<'_>) {
        let to = format!(
            "{METADATA}/config/schema/properties/{}",
            escape_pointer(name)
        );
        let mut property = Map::new();
        let mut is_list = false;
        for member in node.members() {
            let place = place.child(escape_pointer(&member.key));
            let value = member.value.to_value();
            let is_true = value == Value::Bool(true);
            match (member.key.as_str(), &value) {
                ("type", Value::String(word)) => {
                    property.extend(type_of(word));
                    ledger.transformed(&place, &format!("{to}/type"), "as a type of JSON Schema");
                }
                ("title" | "name", Value::String(_)) => {
                    ledger.carried(&place, &format!("{to}/title"));
                    property.insert("title".to_owned(), value);
                }
                ("envVar", _) => ledger.transformed(&place, &to, "as the name of the setting"),
                ("description" | "default", _) => {
                    ledger.carried(&place, &format!("{to}/{}", member.key));
                    property.insert(member.key.clone(), value);
                }
                ("min" | "max", Value::Number(_)) => {
                    let keyword = format!("{}imum", member.key);
                    ledger.carried(&place, &format!("{to}/{keyword}"));
                    property.insert(keyword, value);
                }
                ("sensitive", Value::Bool(_)) => {
                    let to = format!("{METADATA}/config/secret");
                    ledger.transformed(&place, &to, "as a name in the list");
                    self.secret.extend(is_true.then(|| name.to_owned()));
                }
                ("required", Value::Bool(_)) => {
                    let to = format!("{METADATA}/config/schema/required");
                    ledger.transformed(&place, &to, "as a name in the list");
                    self.required.extend(is_true.then(|| name.to_owned()));
                }
                ("multiple", Value::Bool(_)) => {
                    ledger.transformed(&place, &format!("{to}/type"), "as a list");
                    is_list = is_true;
                }
                _ => {}
            }
        }
        if !property.contains_key("type") {
            property.insert("type".to_owned(), json!("string"));
        }
        let property = if is_list { list_of(property) } else { property };
        self.properties
            .entry(name.to_owned())
            .or_insert(Value::Object(property));
    }

    fn config(self) -> Config {
        let mut schema = self.schema;
        if !self.properties.is_empty() {
            let all = schema.get_or_insert_with(|| json!({ "type": "object" }));
            let mut properties = self.properties;
            if let Some(Value::Object(more)) = all.get("properties") {
                properties.extend(more.clone());
            }
            all["properties"] = Value::Object(properties);
            if !self.required.is_empty() {
                all["required"] = json!(self.required);
            }
        }
        Config {
            schema,
            secret: self.secret.into_iter().collect(),
            ..Config::default()
        }
    }
}

/// Returns true for a JSON Schema of an object.
fn is_schema(node: &Node) -> bool {
    let properties = node.get("properties").map(|node| &node.kind);
    text(node, "type") == Some("object") && matches!(properties, Some(Kind::Object(_)))
}

fn text<'n>(node: &'n Node, key: &str) -> Option<&'n str> {
    node.get(key).and_then(Node::as_str)
}

/// Returns the keywords for a type of a host.
fn type_of(word: &str) -> Map<String, Value> {
    let res = match word {
        "number" | "integer" | "boolean" => json!({ "type": word }),
        "directory" | "file" => json!({ "type": "string", "format": "path" }),
        _ => json!({ "type": "string" }),
    };
    match res {
        Value::Object(res) => res,
        _ => Map::new(),
    }
}

/// Returns the schema of a list whose items have this one; what describes it stays outside.
fn list_of(mut item: Map<String, Value>) -> Map<String, Value> {
    let mut res = Map::new();
    for key in ["title", "description", "default"] {
        res.extend(item.remove_entry(key));
    }
    res.insert("type".to_owned(), json!("array"));
    res.insert("items".to_owned(), Value::Object(item));
    res
}

#[cfg(test)]
mod tests {
    use plugin_model::{Key, key, parse_json};

    use super::*;

    const KEYS: &[Key] = &[key("settings", Role::Settings)];

    /// Compares the schema, the secrets, and what is kept.
    #[track_caller]
    fn check(settings: &Value, schema: &Value, secret: &[&str], kept: &Value) {
        let text = json!({ "settings": settings }).to_string();
        let document = Document {
            file: "plugin.json".into(),
            text: &text,
            root: parse_json(&text).0.unwrap(),
            keys: KEYS,
        };
        let documents = [document];
        let mut ledger = Ledger::new(&documents);
        let config = read(documents.iter(), &mut ledger);
        assert_eq!(config.schema.unwrap_or_default(), *schema);
        assert_eq!(config.secret, secret);
        assert_eq!(Value::Object(ledger.settle().1), *kept);
    }

    #[test]
    fn settings_are_a_schema() {
        check(
            &json!({
                "api_key": {"type": "string", "title": "Key", "sensitive": true, "required": true},
                "roots": {"type": "directory", "multiple": true, "description": "Where", "min": 1},
                "n": {"type": "number", "default": 3, "min": 1, "max": 9, "color": "red"},
            }),
            &json!({"type": "object", "required": ["api_key"], "properties": {
                "api_key": {"type": "string", "title": "Key"},
                "roots": {"type": "array", "description": "Where",
                    "items": {"type": "string", "format": "path", "minimum": 1}},
                "n": {"type": "number", "default": 3, "minimum": 1, "maximum": 9},
            }}),
            &["api_key"],
            &json!({"settings": {"n": {"color": "red"}}}),
        );
        check(
            &json!([{"name": "Syrup key", "envVar": "SYRUP_KEY", "sensitive": true}, {"x": 1}]),
            &json!({"type": "object", "properties": {
                "SYRUP_KEY": {"type": "string", "title": "Syrup key"}}}),
            &["SYRUP_KEY"],
            &json!({"settings": {"1": {"x": 1}}}),
        );
    }

    #[test]
    fn a_schema_stays_as_it_is() {
        let schema = json!({"type": "object", "properties": {"a": {"type": "string"}}});
        check(&schema, &schema, &[], &json!({}));
        check(
            &json!("none"),
            &Value::Null,
            &[],
            &json!({"settings": "none"}),
        );
    }
}
