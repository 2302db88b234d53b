//! The types of a plan: options, files, and the migration itself.

use std::collections::BTreeMap;

use plugin_model::Place;
use skill_diagnostics::Diagnostic;
use skill_model::{Metadata, SkillName};

use crate::{
    fate::Fate,
    render::{Language, LanguageChoice, Shell},
    text::Agents,
};

/// The choices of a user.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Options {
    /// Language of headings.
    pub language: LanguageChoice,
    /// Shells of the commands.
    pub shell: Shell,
    /// The treatment of agents of other hosts.
    pub agents: Agents,
}

/// Everything to be written, and the fates of all leaves.
#[derive(Clone, PartialEq, Debug)]
pub struct Migration {
    /// Name of the skill and of its directory.
    pub name: SkillName,
    /// The sidecar.
    pub metadata: Metadata,
    /// The language of the texts that are written here; `None` if the unit has texts by its author.
    pub language: Option<Language>,
    /// Files that the migration wrote, sorted by path.
    pub generated: Vec<GeneratedFile>,
    /// Files that are copied, sorted by destination.
    pub copies: Vec<CopiedFile>,
    /// The fate of every leaf of every document, by file and JSON Pointer.
    pub fates: BTreeMap<Place, Fate>,
    /// Findings for the user: those that keep the skill from running, then errors, warnings, notes.
    pub findings: Vec<Diagnostic>,
    /// The findings that keep the skill from running.
    pub blockers: Vec<Diagnostic>,
}

/// A file with its text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct GeneratedFile {
    /// Path relative to the skill.
    pub path: String,
    /// The text.
    pub text: String,
}

/// A file that is copied byte for byte.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct CopiedFile {
    /// Path relative to the skill.
    pub to: String,
    /// Path relative to the plugin; a file of the host is outside of it, `../../modules/x.js`.
    pub from: String,
    /// True if its owner may execute it.
    pub executable: bool,
    /// Size in bytes.
    pub bytes: u64,
    /// SHA-256 digest: 64 hex digits.
    pub sha256: String,
}
