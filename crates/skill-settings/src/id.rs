//! The skill that values belong to: its directory, and the plugin that was migrated to it.
//!
//! Another author's plugin that becomes the skill of the same directory does not find the values of
//! the first one.

use std::path::Path;

use serde_json::{Value, json};
use skill_loader::Digest;
use skill_loader::fs::check_relative;
use skill_model::Metadata;

/// The hex digits in the name of a file. They are too many to find a second skill with the same ones.
const N_DIGITS: usize = 32;
/// The longest name of a skill's directory in the name of a file, in bytes.
const MAX_NAME: usize = 100;

/// One skill, as the store distinguishes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SkillId {
    directory: String,
    name: String,
    plugin: Option<(String, String)>,
    digest: String,
}

impl SkillId {
    /// Takes the directory of a skill, an absolute path without links, and its METADATA.yml.
    pub fn new(dir: &Path, metadata: &Metadata) -> Self {
        let author = metadata.author.as_deref().unwrap_or_default().trim();
        let plugin = metadata.legacy.as_ref();
        let plugin = plugin.map(|legacy| (legacy.name.clone(), author.to_owned()));
        let name = dir.file_name().unwrap_or_default().to_string_lossy();
        let (known, author) = plugin
            .as_ref()
            .map_or(("", ""), |(name, author)| (name, author));
        let path = dir.as_os_str().as_encoded_bytes();
        let all = [path, b"\0", known.as_bytes(), b"\0", author.as_bytes()].concat();
        Self {
            directory: dir.to_string_lossy().into_owned(),
            name: name.into_owned(),
            digest: Digest::from_content(&all).hex()[..N_DIGITS].to_owned(),
            plugin,
        }
    }

    /// Returns the name of its file in the store.
    pub(crate) fn file(&self) -> String {
        let is_usable = self.name.len() <= MAX_NAME && check_relative(&self.name).is_ok();
        let name = if is_usable { &self.name } else { "skill" };
        format!("{name}-{}.json", self.digest)
    }

    /// Returns what its file says about it.
    pub(crate) fn record(&self) -> Value {
        json!({"skill": self.directory, "name": self.name, "plugin": self.plugin_record()})
    }

    /// Returns true if a file is about the same skill on another machine: the same plugin, or none, in
    /// a directory of the same name.
    pub(crate) fn is_in(&self, record: &Value) -> bool {
        record["name"] == self.name.as_str() && record["plugin"] == self.plugin_record()
    }

    fn plugin_record(&self) -> Value {
        let plugin = self.plugin.as_ref();
        plugin.map_or(
            Value::Null,
            |(name, author)| json!({"name": name, "author": author}),
        )
    }
}
