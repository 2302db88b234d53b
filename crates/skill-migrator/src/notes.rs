//! The findings that an agent has to know, as sentences of the body.

use std::collections::BTreeSet;

use skill_diagnostics::{Code, Diagnostic, Severity};

use crate::codes::{
    FILE_LEFT_OUT, GUARD_OPEN, HOST_FEATURE, HOST_MODULE, MESSAGE_UNSHOWN, NO_COMMANDS,
    NO_PLACEHOLDERS, RESULT_UNSHOWN,
};
use crate::render::Language;

/// Returns the sentences on findings, each once, without those on blockers.
pub(crate) fn sentences(
    findings: &[Diagnostic],
    blockers: &[String],
    language: Language,
) -> Vec<String> {
    let mut known: BTreeSet<String> = blockers.iter().cloned().collect();
    let is_note = |finding: &&Diagnostic| {
        let is_elsewhere = NOT_IN_BODY.contains(&finding.code);
        finding.severity >= Severity::Warning && !is_elsewhere || LOSSES.contains(&finding.code)
    };
    let notes = findings.iter().filter(is_note);
    notes
        .map(|finding| sentence(finding, language))
        .filter(|note| known.insert(note.clone()))
        .take(MAX_NOTES)
        .collect()
}

/// Findings with a section of their own, and those that only a person who migrates can use.
const NOT_IN_BODY: [Code; 14] = [
    FILE_LEFT_OUT,
    GUARD_OPEN,
    HOST_MODULE,
    NO_COMMANDS,
    NO_PLACEHOLDERS,
    Code("duplicate-key"),
    Code("config-schema-list"),
    Code("files-not-migrated"),
    Code("instructions-not-migrated"),
    Code("parts-not-migrated"),
    Code("missing-value"),
    Code("polish-stale"),
    Code("polish-unusable"),
    Code("tool-name-mismatch"),
];

/// Returns a finding as a sentence in the language of the skill.
pub(crate) fn sentence(finding: &Diagnostic, language: Language) -> String {
    let (words, comma, stop) = match language {
        Language::English => (skill_language::Language::English, "; ", "."),
        Language::Chinese => (skill_language::Language::Chinese, "；", "。"),
    };
    let mut res = words.say(&finding.message).into_owned();
    if let Some(help) = &finding.help {
        res.push_str(comma);
        res.push_str(&words.say(help));
    }
    let mut chars = res.chars();
    let first = chars.next().filter(char::is_ascii_lowercase);
    match first {
        Some(first) => format!("{}{}{stop}", first.to_ascii_uppercase(), chars.as_str()),
        None => res + stop,
    }
}

/// Findings on what the legacy host did and nothing does here, which an agent has to know.
const LOSSES: [Code; 3] = [HOST_FEATURE, MESSAGE_UNSHOWN, RESULT_UNSHOWN];

/// Maximum number of warnings in the body; `METADATA.yml` has them all.
const MAX_NOTES: usize = 20;
