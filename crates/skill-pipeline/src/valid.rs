//! Checks whether the files of a planned or merged skill can be read: a merge knows lines, not YAML.

use skill_diagnostics::Severity;
use skill_model::{DESCRIPTION_MAX, HOST_SKILL_FILE, parse_skill, read_metadata_full};

/// Returns true if a file of the skill `name` can be read by its consumers. Only SKILL.md and
/// METADATA.yml have rules.
pub(crate) fn is_valid(name: &str, path: &str, text: &str) -> bool {
    match path {
        "SKILL.md" | HOST_SKILL_FILE => is_skill(name, text),
        "METADATA.yml" => read_metadata_full(text).is_ok_and(|reading| {
            let mut findings = reading.findings.iter();
            findings.all(|finding| finding.severity < Severity::Error)
        }),
        _ => true,
    }
}

/// Returns true if a SKILL.md is a valid one of the skill `name`.
pub(crate) fn is_skill(name: &str, text: &str) -> bool {
    let (skill, findings) = parse_skill(text);
    let Some(frontmatter) = skill.map(|skill| skill.frontmatter()) else {
        return false;
    };
    let n_characters = frontmatter.description.chars().count();
    findings.is_empty() && frontmatter.name == name && (1..=DESCRIPTION_MAX).contains(&n_characters)
}
