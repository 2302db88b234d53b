//! The last step of every plan: the records of files and findings, `SKILL.md` and `METADATA.yml`.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use plugin_model::Place;
use serde_json::{Map, Value};
use skill_diagnostics::Diagnostic;
use skill_model::{Metadata, SkillName};

use crate::{
    fate::Fate,
    package::{Generated, file_records, finding_records},
    plan::{CopiedFile, Migration},
    render::Language,
};

/// The parts of a plan.
pub(crate) struct Parts {
    /// The sidecar, without files, findings and `legacy.extra`.
    pub(crate) record: Metadata,
    /// The text of `SKILL.md`.
    pub(crate) skill: String,
    /// The other files that the migration wrote.
    pub(crate) generated: Generated,
    /// Files that are copied, sorted.
    pub(crate) copies: Vec<CopiedFile>,
    /// The fates of all leaves, and what is kept in `legacy.extra`.
    pub(crate) settled: (BTreeMap<Place, Fate>, Map<String, Value>),
    /// Findings in any order.
    pub(crate) findings: Vec<Diagnostic>,
    /// Those findings that keep the skill from running.
    pub(crate) blockers: Vec<Diagnostic>,
    /// The language of the texts that are written here.
    pub(crate) language: Option<Language>,
}

/// Puts the parts together.
pub(crate) fn finish(name: &SkillName, parts: Parts) -> Migration {
    let Parts {
        mut record,
        skill,
        mut generated,
        copies,
        settled: (fates, extra),
        mut findings,
        blockers,
        language,
    } = parts;
    if let Some(legacy) = &mut record.legacy {
        legacy.extra = extra;
    }
    record.files = file_records(&copies, &generated.files);
    sort(&mut findings, &blockers);
    record.findings = finding_records(&findings);
    generated.push("SKILL.md", skill);
    generated.push("METADATA.yml", record.to_yaml());
    generated.files.sort();
    Migration {
        name: name.clone(),
        metadata: record,
        language,
        generated: generated.files,
        copies,
        fates,
        findings,
        blockers,
    }
}

/// Sorts findings: first those that keep the skill from running, then errors, warnings and notes by
/// kind.
fn sort(findings: &mut [Diagnostic], blockers: &[Diagnostic]) {
    let blockers: BTreeSet<&Diagnostic> = blockers.iter().collect();
    findings.sort_by_cached_key(|finding| {
        let weight = (!blockers.contains(finding), Reverse(finding.severity));
        (weight, finding.code, finding.place.clone())
    });
}
