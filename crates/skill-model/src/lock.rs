//! `skills.lock`: what was migrated from what, so that drift shows.
//!
//! Lies at the root of an output directory. JSON, sorted by skill name; no clock and no absolute
//! path stands in it, so that equal inputs give equal bytes.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The whole file.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Lock {
    /// Version of this format; 1.
    pub schema: u32,
    /// One entry for each migrated skill, by skill name.
    #[serde(default)]
    pub skills: BTreeMap<String, LockedSkill>,
}

/// One skill: where it came from and what was written.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LockedSkill {
    /// Where it came from.
    pub source: LockedSource,
    /// Digest of everything besides the source that decides what is written: template version,
    /// language, options. `sha256:` and 64 hex digits.
    pub recipe: String,
    /// Every file written, by path relative to the skill, with its digest.
    pub files: BTreeMap<String, String>,
    /// What the plugin alone gave, by path with its digest, where `files` holds edits by hand as
    /// well: the common ancestor of the next merge. Absent where `files` is just that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<BTreeMap<String, String>>,
    /// Files that were written with conflict markers and wait for a person, sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conflicts: Vec<String>,
}

impl LockedSkill {
    /// What the plugin alone gave: the common ancestor of the next merge.
    pub fn made(&self) -> &BTreeMap<String, String> {
        self.base.as_ref().unwrap_or(&self.files)
    }
}

/// The source of a skill.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LockedSource {
    /// Plugin directory, relative to the input directory, `/` between components.
    pub directory: String,
    /// Name of the manifest file (`plugin-manifest.json` or `plugin-manifest.json.block`).
    pub manifest: String,
    /// Digest over the path and digest of every file read. `sha256:` and 64 hex digits.
    pub digest: String,
}
