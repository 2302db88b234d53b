//! The findings of a run.

use std::collections::BTreeSet;

use skill_diagnostics::{Diagnostic, Severity};
use skill_loader::Digest;
use skill_validator::Profile;

/// The input of all formats.
#[derive(Debug)]
pub struct Report {
    /// The profile of the rules.
    pub profile: Profile,
    /// The path and the name of each skill, sorted by path.
    pub skills: Vec<(String, String)>,
    /// The findings, sorted by file and place.
    pub items: Vec<Item>,
    /// The number of findings that the baseline contains.
    pub n_known: usize,
}

/// One finding.
#[derive(Debug)]
pub struct Item {
    /// The finding; its file is relative to the target.
    pub finding: Diagnostic,
    /// The path of its file as the user would write it.
    pub user_path: String,
    /// A digest that stays the same when lines move.
    pub fingerprint: String,
}

/// The number of findings of each severity.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Totals {
    /// Findings at error level.
    pub errors: usize,
    /// Findings at warning level.
    pub warnings: usize,
    /// Findings at note level.
    pub notes: usize,
}

impl Totals {
    /// Returns the number of findings of this severity or a higher one.
    pub fn at_least(self, severity: Severity) -> usize {
        match severity {
            Severity::Error => self.errors,
            Severity::Warning => self.errors + self.warnings,
            Severity::Note => self.errors + self.warnings + self.notes,
        }
    }

    fn count(&mut self, severity: Severity) {
        match severity {
            Severity::Error => self.errors += 1,
            Severity::Warning => self.warnings += 1,
            Severity::Note => self.notes += 1,
        }
    }
}

impl Report {
    /// Creates a report. `skills` are sorted by path. `prefix` is empty or ends with a slash; it is put
    /// before each path.
    pub fn new(
        profile: Profile,
        prefix: &str,
        skills: Vec<(String, String)>,
        mut findings: Vec<Diagnostic>,
    ) -> Self {
        findings.sort_by(|a, b| key(a).cmp(&key(b)));
        Self {
            profile,
            skills,
            items: findings
                .into_iter()
                .map(|finding| item(prefix, finding))
                .collect(),
            n_known: 0,
        }
    }

    /// Keeps only findings in skills that have one of these files.
    pub fn keep(&mut self, files: &BTreeSet<String>) {
        let changed: BTreeSet<&str> = files
            .iter()
            .filter_map(|file| skill_of(&self.skills, file))
            .collect();
        let changed: BTreeSet<String> = changed.into_iter().map(str::to_owned).collect();
        let skills = &self.skills;
        self.items.retain(|item| {
            let file = item.finding.place.file.as_deref().unwrap_or_default();
            skill_of(skills, file).is_none_or(|skill| changed.contains(skill))
        });
    }

    /// Removes and counts the findings whose fingerprint `is_known`.
    pub fn take_known(&mut self, mut is_known: impl FnMut(&str) -> bool) {
        let before = self.items.len();
        self.items.retain(|item| !is_known(&item.fingerprint));
        self.n_known = before - self.items.len();
    }

    /// Counts the findings by severity.
    pub fn totals(&self) -> Totals {
        let mut totals = Totals::default();
        for item in &self.items {
            totals.count(item.finding.severity);
        }
        totals
    }

    /// Returns the path of the skill that a file is in.
    pub fn skill_of(&self, file: &str) -> Option<&str> {
        skill_of(&self.skills, file)
    }
}

/// Returns the innermost skill above a file. `skills` are sorted by path.
fn skill_of<'a>(skills: &'a [(String, String)], file: &str) -> Option<&'a str> {
    let ends = file.match_indices('/').map(|(at, _)| at);
    let parents: Vec<&str> = std::iter::once(0)
        .chain(ends)
        .map(|end| &file[..end])
        .collect();
    parents.into_iter().rev().find_map(|parent| {
        let at = skills
            .binary_search_by(|(path, _)| path.as_str().cmp(parent))
            .ok()?;
        Some(skills[at].0.as_str())
    })
}

fn key(finding: &Diagnostic) -> (Option<&str>, Option<usize>, &str) {
    let place = &finding.place;
    (
        place.file.as_deref(),
        place.span.as_ref().map(|span| span.start),
        finding.code.0,
    )
}

fn item(prefix: &str, finding: Diagnostic) -> Item {
    let file = finding.place.file.clone().unwrap_or_default();
    let identity = format!("{}\n{file}\n{}", finding.code, finding.message);
    Item {
        user_path: format!("{prefix}{file}"),
        fingerprint: Digest::from_content(identity.as_bytes())
            .to_string()
            .trim_start_matches("sha256:")[..32]
            .to_owned(),
        finding,
    }
}
