//! Selects the values of a skill's configuration and coerces them.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use skill_model::{EnvFile, Metadata, read_env_file, write_env_file};

use crate::json::{number_text, parse_int};

/// The key that every plugin had.
const DEBUG_MODE: &str = "DebugMode";

/// The coercion of a declared value. Every word except these two means text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueKind {
    /// `parseInt`; a value that is not a number counts as absent.
    Integer,
    /// True for `true` in any case.
    Boolean,
    /// As it is.
    Text,
}

/// The host whose rules apply.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Dialect {
    /// The server.
    #[default]
    Main,
    /// The node, which never coerces keys declared in object form.
    Distributed,
}

/// The declared keys, in their order.
pub type DeclaredKeys = Vec<(String, ValueKind)>;

/// Resolved configuration.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Config {
    /// Coerced values: text, whole numbers, booleans. `DebugMode` is always there.
    pub values: Map<String, Value>,
    /// The `config.env` for code that reads the file itself: the skill's own keys, as the user's
    /// file has them. `None` where the user gave no file.
    pub file: Option<EnvFile>,
}

impl Config {
    /// Returns a value as it is in the environment.
    pub fn text(&self, key: &str) -> Option<String> {
        Some(match self.values.get(key)? {
            Value::String(text) => text.clone(),
            Value::Number(number) => number_text(number.as_f64()?),
            value => value.to_string(),
        })
    }
}

/// Returns the declared keys of a skill. `manifest` is the legacy manifest, which has the original
/// declarations; without it, the schema in `METADATA.yml` is used.
pub fn declared(metadata: &Metadata, manifest: Option<&Value>) -> DeclaredKeys {
    let dialect = match &metadata.legacy {
        Some(legacy) if legacy.host == "vcp-distributed" => Dialect::Distributed,
        _ => Dialect::Main,
    };
    if let Some(Value::Object(schema)) = manifest.and_then(|manifest| manifest.get("configSchema"))
    {
        return schema
            .iter()
            .map(|(key, entry)| (key.clone(), kind_in_manifest(entry, dialect)))
            .collect();
    }
    let schema = metadata.config.schema.as_ref();
    let properties = schema.and_then(|schema| schema.get("properties"));
    let Some(Value::Object(properties)) = properties else {
        return Vec::new();
    };
    properties
        .iter()
        .map(|(key, entry)| (key.clone(), kind_in_schema(entry)))
        .collect()
}

fn kind_in_manifest(entry: &Value, dialect: Dialect) -> ValueKind {
    match (entry, dialect) {
        (Value::String(word), _) => kind(word),
        (Value::Object(_), Dialect::Main) => kind(
            entry
                .get("type")
                .and_then(Value::as_str)
                .unwrap_or_default(),
        ),
        _ => ValueKind::Text,
    }
}

fn kind_in_schema(entry: &Value) -> ValueKind {
    let word = entry.get("x-legacy-type").or_else(|| entry.get("type"));
    kind(word.and_then(Value::as_str).unwrap_or_default())
}

fn kind(word: &str) -> ValueKind {
    match word {
        "integer" => ValueKind::Integer,
        "boolean" => ValueKind::Boolean,
        _ => ValueKind::Text,
    }
}

/// Resolves each declared key: the file, else the environment of the host, else nothing. Defaults
/// are never applied, and undeclared keys never count: the file may serve many skills. Source:
/// `docs/design/legacy-host.md` §1.2.
///
/// ```
/// use std::collections::BTreeMap;
///
/// use skill_executor::config::{ValueKind, resolve};
///
/// let declared = vec![("RETRIES".to_owned(), ValueKind::Integer)];
/// let config = resolve(&declared, Some("RETRIES=3\nOTHER=1\n"), &BTreeMap::new());
/// assert_eq!(config.values["RETRIES"], 3);
/// assert!(!config.values.contains_key("OTHER"));
/// ```
pub fn resolve(
    declared: &DeclaredKeys,
    raw: Option<&str>,
    host: &BTreeMap<String, String>,
) -> Config {
    resolve_with(declared, &[], raw, host)
}

/// Does the same for a file that the user wrote for this one skill. Keys that its code uses without
/// declaring them (`config.undeclared`) are then also in its `config.env`, where the code reads
/// them.
pub fn resolve_own(
    metadata: &Metadata,
    manifest: Option<&Value>,
    raw: Option<&str>,
    host: &BTreeMap<String, String>,
) -> Config {
    let declared = declared(metadata, manifest);
    resolve_with(&declared, &metadata.config.undeclared, raw, host)
}

fn resolve_with(
    declared: &DeclaredKeys,
    undeclared: &[String],
    raw: Option<&str>,
    host: &BTreeMap<String, String>,
) -> Config {
    let file = read_env_file(raw.unwrap_or_default());
    let in_file = |key: &str| {
        file.iter()
            .find(|(known, _)| known == key)
            .map(|(_, value)| value)
    };
    let mut values = Map::new();
    for (key, kind) in declared {
        let found = in_file(key).or_else(|| host.get(key));
        if let Some(value) = found.and_then(|text| coerced(text, *kind)) {
            values.insert(key.clone(), value);
        }
    }
    let debug = in_file(DEBUG_MODE).or_else(|| host.get(DEBUG_MODE));
    let debug = debug.is_some_and(|raw| is_true(raw));
    values.insert(DEBUG_MODE.to_owned(), debug.into());
    let is_own = |key: &str| {
        key == DEBUG_MODE
            || declared.iter().any(|(known, _)| known == key)
            || undeclared.iter().any(|known| known == key)
    };
    let own = file.iter().filter(|(key, _)| is_own(key));
    let own = write_env_file(own.map(|(key, value)| (key.as_str(), value.as_str())));
    Config {
        values,
        file: raw.map(|_| own),
    }
}

fn coerced(raw: &str, kind: ValueKind) -> Option<Value> {
    Some(match kind {
        ValueKind::Integer => crate::json::parse(&number_text(parse_int(raw)?)).ok()?,
        ValueKind::Boolean => is_true(raw).into(),
        ValueKind::Text => raw.into(),
    })
}

fn is_true(raw: &str) -> bool {
    raw.to_lowercase() == "true"
}
