//! A prompt of another host.

use serde::Serialize;

use super::PromptDialect;

/// A prompt of another host, for skills of the type `prompt`. SKILL.md has the same instructions for
/// any agent; the template is what its host would send, once its placeholders have values.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Prompt {
    /// Path of the template, relative to the skill: the prompt as its host reads it, without
    /// frontmatter.
    pub template: String,
    /// The host that the placeholders were written for.
    pub dialect: PromptDialect,
    /// The SHA-256 digest of the instructions in SKILL.md that the template was written as, without
    /// blanks at both ends. If they differ, SKILL.md was edited, and its edits are part of the
    /// prompt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prose_sha256: Option<String>,
    /// Name of the command in its host, without the slash. Absent if it is `legacy.name`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// Names that the frontmatter of the prompt declares, in their order: `$issue` is a placeholder
    /// if `issue` is one of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
    /// The number of the first argument, if it is not the one of the host's current version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_index: Option<u64>,
    /// The arguments, in their order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<PromptArgument>,
}

/// An argument of a prompt.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PromptArgument {
    /// Its name. `arguments` alone is the whole line that the user types.
    pub name: String,
    /// Its meaning.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// True if the prompt needs it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub required: bool,
    /// The only possible values; any value is possible if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<String>,
}
