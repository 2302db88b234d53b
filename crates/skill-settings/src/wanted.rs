//! The keys that a skill wants.

use std::collections::BTreeSet;

use serde_json::{Map, Value};
use skill_model::{Guard, Metadata, is_secret_name};

use crate::names::{is_loader, is_made, is_of_family, is_of_system, is_provided};

/// The source of a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KeyKind {
    /// The plugin declares it (`config.schema`).
    Declared,
    /// An example or the code mentions it (`config.undeclared`).
    Mentioned,
    /// The code reads it from the environment (`permissions.environment`).
    Variable,
}

impl KeyKind {
    /// Returns the word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Declared => "declared",
            Self::Mentioned => "mentioned",
            Self::Variable => "variable",
        }
    }
}

/// A key that a skill wants.
#[derive(Clone, PartialEq, Eq, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each property holds independently of the others"
)]
pub struct WantedKey {
    /// Its name, or a family of names: `TEA_POT_*`.
    pub key: String,
    /// Its source.
    pub kind: KeyKind,
    /// True if the skill does not run without a value, or not without an approval.
    pub is_required: bool,
    /// True if its value restricts the program.
    pub is_guard: bool,
    /// True if its value is a secret.
    pub is_secret: bool,
    /// True if the plugin names a default, which the old host never applied.
    pub has_default: bool,
    /// The plugin's words about it.
    pub description: Option<String>,
}

impl WantedKey {
    /// Returns true if the user can set it: no call sets it itself, and it loads no code.
    pub fn is_settable(&self) -> bool {
        !is_made(&self.key) && !is_loader(&self.key)
    }

    /// Returns true for a family of names, in which `*` is the part that the user chooses.
    pub fn is_family(&self) -> bool {
        self.key.contains('*')
    }
}

/// Returns the key that a name is: the one of this name, or the family that the name belongs to.
pub fn find<'w>(wanted: &'w [WantedKey], name: &str) -> Option<&'w WantedKey> {
    let exact = wanted.iter().find(|known| known.key == name);
    let mut families = wanted.iter().filter(|known| known.is_family());
    exact.or_else(|| families.find(|known| is_of_family(&known.key, name)))
}

/// Returns the keys with the names of families that have a value, each after its family.
pub fn with_named<'n>(
    wanted: Vec<WantedKey>,
    names: impl IntoIterator<Item = &'n String>,
) -> Vec<WantedKey> {
    let names: BTreeSet<&String> = names.into_iter().collect();
    let is_known: BTreeSet<String> = wanted.iter().map(|known| known.key.clone()).collect();
    let with = |known: WantedKey| {
        let own = names
            .iter()
            .filter(|name| is_of_family(&known.key, name) && !is_known.contains(**name));
        let own: Vec<WantedKey> = own
            .map(|name| WantedKey {
                key: (*name).clone(),
                is_secret: known.is_secret || is_secret_name(name),
                ..known.clone()
            })
            .collect();
        std::iter::once(known).chain(own)
    };
    wanted.into_iter().flat_map(with).collect()
}

/// Returns the keys that a skill wants, each once: those that it declares in their order, then the
/// others by name. `manifest` is the legacy manifest, if the skill has it.
///
/// ```
/// use skill_settings::wanted;
///
/// let text = "name: x\ntype: direct\nconfig: {schema: {properties: {CITY: {type: string}}}}\n";
/// let (metadata, _) = skill_model::read_metadata(text);
/// let keys = wanted(&metadata.unwrap(), None);
/// assert_eq!(keys[0].key, "CITY");
/// ```
pub fn wanted(metadata: &Metadata, manifest: Option<&Value>) -> Vec<WantedKey> {
    let config = &metadata.config;
    let schema = config.schema.as_ref();
    let declared = properties(schema.and_then(|schema| schema.get("properties")));
    // A manifest may declare its keys in the form of a schema, which METADATA.yml has read.
    let original = manifest.filter(|_| schema.is_none());
    let original = properties(original.and_then(|manifest| manifest.get("configSchema")));
    let http = &config.secret;
    let variables = metadata.permissions.environment.iter();
    let variables = variables.filter(|name| !is_of_system(name));
    let guards = config.guards.iter().map(|guard| &guard.key);
    let mentioned: BTreeSet<&String> = config.undeclared.iter().chain(guards).chain(http).collect();
    let variables: BTreeSet<&String> = variables.collect();
    let keys = declared.keys().chain(original.keys());
    let keys = keys.map(|key| (key, KeyKind::Declared));
    let keys = keys.chain(mentioned.into_iter().map(|key| (key, KeyKind::Mentioned)));
    let keys = keys.chain(variables.into_iter().map(|key| (key, KeyKind::Variable)));
    let mut seen = BTreeSet::new();
    let keys = keys.filter(|(key, _)| seen.insert(key.as_str()));
    keys.map(|(key, kind)| described(key, kind, metadata, declared.get(key)))
        .collect()
}

fn properties(value: Option<&Value>) -> Map<String, Value> {
    value
        .and_then(Value::as_object)
        .cloned()
        .unwrap_or_default()
}

fn described(key: &str, kind: KeyKind, metadata: &Metadata, entry: Option<&Value>) -> WantedKey {
    let config = &metadata.config;
    let required = config
        .schema
        .as_ref()
        .and_then(|schema| schema.get("required"));
    let required = required.and_then(Value::as_array);
    let is_declared_so = required.is_some_and(|names| names.iter().any(|name| name == key));
    let guard = config.guards.iter().find(|guard| guard.key == key);
    let is_open = guard.is_some_and(Guard::is_open_without_value);
    let text = entry.and_then(|entry| entry.get("description"));
    WantedKey {
        key: key.to_owned(),
        kind,
        is_required: (is_declared_so || is_open) && !is_provided(key),
        is_guard: guard.is_some(),
        is_secret: config.secret.iter().any(|known| known == key),
        has_default: entry.is_some_and(|entry| entry.get("x-legacy-default").is_some()),
        description: text.and_then(Value::as_str).map(str::to_owned),
    }
}
