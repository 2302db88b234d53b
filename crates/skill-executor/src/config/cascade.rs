//! Selects the values of a skill's configuration and coerces them.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use skill_model::{EnvFile, Metadata, read_env_file, write_env_file};
use skill_settings::names::{DEBUG_MODE, is_of_family};
use skill_settings::{Values, WantedKey};

use crate::json::{number_text, parse_int};

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
    /// file and store have them. `None` where the user gave neither.
    pub file: Option<EnvFile>,
    /// The values of the user's store for keys that the skill wants without declaring them. The
    /// program gets them as variables of its environment.
    pub stored: Values,
}

impl Config {
    /// Returns a value as it is in the environment.
    pub fn text(&self, key: &str) -> Option<String> {
        let Some(value) = self.values.get(key) else {
            return self.stored.get(key).cloned();
        };
        Some(match value {
            Value::String(text) => text.clone(),
            Value::Number(number) => number_text(number.as_f64()?),
            value => value.to_string(),
        })
    }

    /// Returns true if the user gave a value.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.values.contains_key(key) || self.stored.contains_key(key)
    }
}

/// The settings that the user gave for one call.
#[derive(Clone, Copy, Default, Debug)]
pub struct Given<'g> {
    /// The text of the file of `--config`.
    pub file: Option<&'g str>,
    /// True if that file is for this skill alone. Keys that its code uses without declaring them
    /// (`config.undeclared`) are then also in its `config.env`, where the code reads them.
    pub is_own_file: bool,
    /// The values of the store.
    pub stored: Option<&'g Values>,
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

/// Resolves each declared key: the file, else the user's store, else the environment of the host, else
/// nothing. Defaults are never applied, and undeclared keys of the file never count: it may serve many
/// skills. Source: `docs/design/legacy-host.md` §1.2.
///
/// ```
/// use std::collections::BTreeMap;
///
/// use skill_executor::config::{Given, resolve};
///
/// let text = "name: x\ntype: direct\nconfig: {schema: {properties: {RETRIES: {type: integer}}}}\n";
/// let (metadata, _) = skill_model::read_metadata(text);
/// let given = Given {
///     file: Some("RETRIES=3\nOTHER=1\n"),
///     ..Given::default()
/// };
/// let config = resolve(&metadata.unwrap(), None, given, &BTreeMap::new());
/// assert_eq!(config.values["RETRIES"], 3);
/// assert!(!config.values.contains_key("OTHER"));
/// ```
pub fn resolve(
    metadata: &Metadata,
    manifest: Option<&Value>,
    given: Given<'_>,
    host: &BTreeMap<String, String>,
) -> Config {
    let declared = declared(metadata, manifest);
    let file = own_pairs(metadata, &declared, given);
    let stored = own_stored(metadata, manifest, given.stored);
    let in_file = |key: &str| {
        let mut pairs = file.iter();
        pairs
            .find(|(known, _)| known == key)
            .map(|(_, value)| value)
    };
    let found = |key: &str| {
        in_file(key)
            .or_else(|| stored.get(key))
            .or_else(|| host.get(key))
    };
    let mut values = Map::new();
    for (key, kind) in &declared {
        if let Some(value) = found(key).and_then(|text| coerced(text, *kind)) {
            values.insert(key.clone(), value);
        }
    }
    let debug = found(DEBUG_MODE).is_some_and(|raw| is_true(raw));
    values.insert(DEBUG_MODE.to_owned(), debug.into());
    let more = stored.iter().filter(|(key, _)| in_file(key).is_none());
    let pair = |(key, value): (&'_ String, &'_ String)| (key.clone(), value.clone());
    let more: Values = more.map(pair).collect();
    let all = file
        .iter()
        .map(|(key, value)| (key.as_str(), value.as_str()));
    let all = all.chain(
        more.iter()
            .map(|(key, value)| (key.as_str(), value.as_str())),
    );
    let is_declared = |key: &String| declared.iter().any(|(known, _)| known == key);
    Config {
        file: (given.file.is_some() || !stored.is_empty()).then(|| write_env_file(all)),
        stored: more
            .iter()
            .filter(|(key, _)| !is_declared(key) && *key != DEBUG_MODE)
            .map(pair)
            .collect(),
        values,
    }
}

/// The skill's own keys in the user's file.
fn own_pairs(
    metadata: &Metadata,
    declared: &DeclaredKeys,
    given: Given<'_>,
) -> Vec<(String, String)> {
    let undeclared = metadata
        .config
        .undeclared
        .iter()
        .filter(|_| given.is_own_file);
    let undeclared: Vec<&String> = undeclared.collect();
    let mut pairs = read_env_file(given.file.unwrap_or_default());
    pairs.retain(|(key, _)| {
        key == DEBUG_MODE
            || declared.iter().any(|(known, _)| known == key)
            || undeclared.contains(&key)
            || undeclared.iter().any(|family| is_of_family(family, key))
    });
    pairs
}

/// The stored values that the skill wants now: its METADATA.yml may have changed since they were stored.
fn own_stored(metadata: &Metadata, manifest: Option<&Value>, stored: Option<&Values>) -> Values {
    let Some(stored) = stored.filter(|stored| !stored.is_empty()) else {
        return Values::default();
    };
    let wanted = skill_settings::wanted(metadata, manifest);
    let is_own = |key: &String| {
        let known = skill_settings::find(&wanted, key);
        key == DEBUG_MODE || known.is_some_and(WantedKey::is_settable)
    };
    let own = stored.iter().filter(|(key, _)| is_own(key));
    own.map(|(key, value)| (key.clone(), value.clone()))
        .collect()
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
