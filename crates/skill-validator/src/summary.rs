//! The summary of a skill for the rules across skills.

use skill_diagnostics::Span;

/// A summary of one skill for checks across skills.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct SkillSummary {
    /// Path of the directory, relative to the checked directory.
    pub path: String,
    /// Its name; the directory's if the frontmatter has none.
    pub name: String,
    /// Its description.
    pub description: String,
    /// Position of the description in `SKILL.md`.
    pub description_span: Option<Span>,
    /// Fallback skills that METADATA.yml names.
    pub fallback: Vec<String>,
    /// Its version; empty if it has no METADATA.yml.
    pub version: String,
    /// The skills that it requires, as METADATA.yml names them.
    pub requires: Vec<String>,
    /// The directory of the plugin that it comes from.
    pub plugin: Option<String>,
}

impl SkillSummary {
    /// Returns the path of one of its files, relative to the checked directory.
    pub(crate) fn file(&self, path: &str) -> String {
        join(&self.path, path)
    }
}

/// Returns the path of a file below a directory.
pub(crate) fn join(directory: &str, file: &str) -> String {
    if directory.is_empty() {
        file.to_owned()
    } else {
        format!("{directory}/{file}")
    }
}

/// A version of a skill beside another one of its name, which only requirements lead to.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct OtherVersion {
    /// The path of the directory of skills that has it.
    pub directory: String,
    /// The name of the skill.
    pub name: String,
    /// The version.
    pub version: String,
}
