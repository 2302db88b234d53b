//! `skills.lock`: the source and the files of every migrated skill, to detect drift.
//!
//! The file is at the root of an output directory. It is JSON, sorted by skill name, without times
//! and absolute paths, so that equal inputs give equal bytes.

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

/// A migrated skill: its source and its files.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LockedSkill {
    /// The source of the skill.
    pub source: LockedSource,
    /// Digest of everything except the source that determines the output: template version,
    /// language, options. `sha256:` and 64 hex digits.
    pub recipe: String,
    /// Every file written, by path relative to the skill, with its digest.
    pub files: BTreeMap<String, String>,
    /// The generated files, by path with their digests, if `files` also contains manual edits: the
    /// common ancestor of the next merge. Absent if `files` is the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<BTreeMap<String, String>>,
    /// Files that were written with conflict markers and wait for a manual decision, sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conflicts: Vec<String>,
    /// True if the skill is a part of a host and is in [`HOST_DIRECTORY`], where agents do not look for
    /// skills.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hosted: bool,
}

/// The directory beside the skills with the parts of a host: programs that an agent cannot use as a
/// skill and that skills may need.
pub const HOST_DIRECTORY: &str = ".host";

/// The name of the SKILL.md of a part of a host. Some agents look for `SKILL.md` in hidden directories
/// too, and would offer the part.
pub const HOST_SKILL_FILE: &str = "SKILL.host.md";

/// The name of a SKILL.md inside a skill, which agents that search recursively would offer too. Where the
/// program of the skill runs, it also has its own name.
pub const UPSTREAM_SKILL: &str = "SKILL.upstream.md";

/// Returns the name of the file with the instructions: [`HOST_SKILL_FILE`] for a part of a host,
/// otherwise `SKILL.md`.
pub fn skill_file(hosted: bool) -> &'static str {
    if hosted { HOST_SKILL_FILE } else { "SKILL.md" }
}

/// Returns the path of a skill in its output directory, `/` between components.
///
/// ```
/// use skill_model::skill_path;
///
/// assert_eq!(skill_path("weather", false), "weather");
/// assert_eq!(skill_path("message-log", true), ".host/message-log");
/// ```
pub fn skill_path(name: &str, hosted: bool) -> String {
    if hosted {
        format!("{HOST_DIRECTORY}/{name}")
    } else {
        name.to_owned()
    }
}

impl LockedSkill {
    /// Returns the generated files: the common ancestor of the next merge.
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
