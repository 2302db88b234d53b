//! Reads `configSchema` in its three shapes, with its side tables.
//!
//! The host reads only objects: a key with a type word, or with an object that has `type`.
//! `configSchemaDescriptions` and `defaults` are tables for its admin panel.

use std::collections::BTreeMap;

use plugin_model::{ConfigKey, ConfigShape, Configuration, Kind, Located, Node, escape_pointer};
use skill_diagnostics::Diagnostic;

use crate::{
    codes::{CONFIG_SCHEMA_LIST, UNEXPECTED_TYPE},
    reader::Reader,
};

/// Reads `configSchema`.
pub(crate) fn read(reader: &mut Reader<'_>, root: &Node) -> Configuration {
    let at = "/configSchema";
    let Some(node) = root.get("configSchema") else {
        return Configuration {
            shape: ConfigShape::Absent,
            keys: Vec::new(),
        };
    };
    let tables = SideTables::new(root);
    match &node.kind {
        Kind::Object(_) if is_json_schema(node) => json_schema(reader, &tables, node),
        Kind::Object(members) => {
            let keys = members.iter().map(|member| {
                let pointer = format!("{at}/{}", escape_pointer(&member.key));
                config_key(reader, &tables, member.key.clone(), pointer, &member.value)
            });
            Configuration {
                shape: ConfigShape::Object,
                keys: keys.collect(),
            }
        }
        Kind::Array(items) => Configuration {
            shape: ConfigShape::List,
            keys: list(reader, &tables, items, node),
        },
        Kind::Null => Configuration {
            shape: ConfigShape::Absent,
            keys: Vec::new(),
        },
        _ => {
            let message = format!("`configSchema` is {}, expected an object", node.type_word());
            reader.report(Diagnostic::warning(UNEXPECTED_TYPE, message), node, at);
            Configuration {
                shape: ConfigShape::Other,
                keys: Vec::new(),
            }
        }
    }
}

/// Returns true if the object is a JSON Schema of an object rather than a table of keys.
fn is_json_schema(node: &Node) -> bool {
    let is_object = node.get("type").and_then(Node::as_str) == Some("object");
    let properties = node.get("properties");
    is_object && properties.is_some_and(|node| matches!(node.kind, Kind::Object(_)))
}

/// Reads the properties of a JSON Schema as keys; the list `required` is next to them.
fn json_schema(reader: &mut Reader<'_>, tables: &SideTables<'_>, node: &Node) -> Configuration {
    let required = node.get("required").map_or(&[][..], Node::items);
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for (at, item) in required.iter().enumerate() {
        if let Some(key) = item.as_str() {
            places.entry(key).or_insert(at);
        }
    }
    let properties = node.get("properties").map_or(&[][..], Node::members).iter();
    let keys = properties.map(|member| {
        let pointer = format!("/configSchema/properties/{}", escape_pointer(&member.key));
        let mut key = config_key(reader, tables, member.key.clone(), pointer, &member.value);
        let at = places.get(&*member.key);
        let listed = at.map(|at| reader.converted(true, format!("/configSchema/required/{at}")));
        key.required = listed.or(key.required);
        key
    });
    Configuration {
        shape: ConfigShape::Object,
        keys: keys.collect(),
    }
}

fn list(
    reader: &mut Reader<'_>,
    tables: &SideTables<'_>,
    items: &[Node],
    node: &Node,
) -> Vec<ConfigKey> {
    let message = "`configSchema` is a list, of which the old host reads nothing";
    let finding = Diagnostic::warning(CONFIG_SCHEMA_LIST, message)
        .with_help("its entries became configuration keys; check that the program wants them");
    reader.report(finding, node, "/configSchema");
    let keys = items.iter().enumerate().filter_map(|(at, item)| {
        let key = ["key", "name"]
            .iter()
            .find_map(|word| item.get(word)?.as_str())?;
        Some(config_key(
            reader,
            tables,
            key.to_owned(),
            format!("/configSchema/{at}"),
            item,
        ))
    });
    keys.collect()
}

fn config_key(
    reader: &mut Reader<'_>,
    tables: &SideTables<'_>,
    key: String,
    pointer: String,
    node: &Node,
) -> ConfigKey {
    let type_word = match &node.kind {
        Kind::String(word) => Some(reader.exact(word.clone(), &*pointer)),
        _ => reader.text(node, &pointer, "type"),
    };
    let description = reader.text(node, &pointer, "description").or_else(|| {
        tables.descriptions.get(&key).and_then(|(pointer, node)| {
            let value = node.as_str()?.to_owned();
            Some(reader.exact(value, pointer))
        })
    });
    let default = member(reader, node, &pointer, &["default", "defaultValue"])
        .or_else(|| tables.defaults.located(reader, &key))
        .or_else(|| tables.default_config.located(reader, &key));
    let required = match node.get("required").map(|node| &node.kind) {
        Some(Kind::Bool(_) | Kind::String(_)) => reader.flag(node, &pointer, "required"),
        _ => None,
    };
    ConfigKey {
        type_word,
        description,
        default,
        required,
        choices: member(reader, node, &pointer, &["enum", "options"])
            .filter(|choices| !choices.node.items().is_empty()),
        bounds: bounds(reader, node, &pointer),
        key,
        place: reader.place(pointer),
    }
}

fn member(reader: &Reader<'_>, node: &Node, pointer: &str, keys: &[&str]) -> Option<Located> {
    keys.iter()
        .find_map(|key| Some(reader.located(format!("{pointer}/{key}"), node.get(key)?)))
}

/// The side tables of `configSchema`, each looked up by key.
struct SideTables<'a> {
    descriptions: SideTable<'a>,
    defaults: SideTable<'a>,
    default_config: SideTable<'a>,
}

impl<'a> SideTables<'a> {
    fn new(root: &'a Node) -> Self {
        Self {
            descriptions: SideTable::new(root, "configSchemaDescriptions"),
            defaults: SideTable::new(root, "defaults"),
            default_config: SideTable::new(root, "defaultConfig"),
        }
    }
}

struct SideTable<'a> {
    name: &'static str,
    entries: BTreeMap<&'a str, &'a Node>,
}

impl<'a> SideTable<'a> {
    fn new(root: &'a Node, name: &'static str) -> Self {
        let members = root.get(name).map_or(&[][..], Node::members).iter();
        let entries = members.map(|member| (&*member.key, &member.value));
        Self {
            name,
            entries: entries.collect(),
        }
    }

    fn get(&self, key: &str) -> Option<(String, &'a Node)> {
        let node = *self.entries.get(key)?;
        Some((format!("/{}/{}", self.name, escape_pointer(key)), node))
    }

    fn located(&self, reader: &Reader<'_>, key: &str) -> Option<Located> {
        let (pointer, node) = self.get(key)?;
        Some(reader.located(pointer, node))
    }
}

fn bounds(reader: &Reader<'_>, node: &Node, pointer: &str) -> Vec<(&'static str, Located)> {
    let words = [
        ("min", "minimum"),
        ("minimum", "minimum"),
        ("max", "maximum"),
        ("maximum", "maximum"),
    ];
    let found = words.iter().filter_map(|(word, keyword)| {
        let value = node.get(word)?;
        matches!(value.kind, Kind::Number(_))
            .then(|| (*keyword, reader.located(format!("{pointer}/{word}"), value)))
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(json: &str, shape: ConfigShape, expected: &[(&str, Option<&str>)], codes: &[&str]) {
        let head =
            r#""name":"n","pluginType":"static","entryPoint":{},"version":"1","description":"d""#;
        let (manifest, findings) = crate::read(&format!("{{{head},{json}}}"));
        let manifest = manifest.expect("accepted");
        let keys = manifest.config.keys.iter();
        let found: Vec<_> = keys
            .map(|key| {
                (
                    key.key.as_str(),
                    key.type_word.as_ref().map(|f| f.value.as_str()),
                )
            })
            .collect();
        assert_eq!((manifest.config.shape, &found[..]), (shape, expected));
        assert_eq!(
            findings
                .iter()
                .map(|finding| finding.code.0)
                .collect::<Vec<_>>(),
            codes
        );
    }

    #[test]
    fn reads_every_shape() {
        check(r#""configSchema":{}"#, ConfigShape::Object, &[], &[]);
        check(
            r#""configSchema":{"A":"string","B":{"type":"integer","default":1}}"#,
            ConfigShape::Object,
            &[("A", Some("string")), ("B", Some("integer"))],
            &[],
        );
        check(
            r#""configSchema":[{"key":"A","type":"string"},{"name":"B"},3]"#,
            ConfigShape::List,
            &[("A", Some("string")), ("B", None)],
            &["config-schema-list"],
        );
        check(
            r#""configSchema":"none""#,
            ConfigShape::Other,
            &[],
            &["unexpected-type"],
        );
        check(r#""configSchema":null"#, ConfigShape::Absent, &[], &[]);
        check(
            r#""configSchema":{"type":"object","properties":{"A":{"type":"string"}},"required":["A"]}"#,
            ConfigShape::Object,
            &[("A", Some("string"))],
            &[],
        );
        check(
            r#""configSchema":{"type":"string","properties":"string"}"#,
            ConfigShape::Object,
            &[("type", Some("string")), ("properties", Some("string"))],
            &[],
        );
    }

    #[test]
    fn side_tables_fill_in() {
        let text = r#"{"name":"n","pluginType":"static","entryPoint":{},"configSchema":{"a/b":"string"},
            "configSchemaDescriptions":{"a/b":"what"},"defaults":{"a/b":3}}"#;
        let (manifest, _) = crate::read(text);
        let key = &manifest.expect("accepted").config.keys[0];
        assert_eq!(
            key.description.as_ref().map(|f| f.place.pointer.as_str()),
            Some("/configSchemaDescriptions/a~1b")
        );
        assert_eq!(
            key.default.as_ref().map(|it| it.place.pointer.as_str()),
            Some("/defaults/a~1b")
        );
    }
}
