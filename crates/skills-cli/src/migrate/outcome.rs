//! What became of one plugin, and of all.

use std::collections::BTreeMap;

use skill_diagnostics::{Diagnostic, Severity};
use skill_migrator::{Fate, LeftOut};

use super::page::{Change, Tokens};

/// What became of one plugin.
#[derive(Debug)]
pub(super) struct Outcome {
    /// Directory of the plugin, relative to the input.
    pub(super) directory: String,
    /// The plugin's name, if it is known.
    pub(super) plugin: Option<String>,
    /// Name of the skill, if there is one.
    pub(super) skill: Option<String>,
    /// What happened.
    pub(super) status: Status,
    /// Whether the skill can run; none where that is not known.
    pub(super) runnable: Option<bool>,
    /// What keeps the skill from running, in one line.
    pub(super) blocker: Option<String>,
    /// Everything that was found.
    pub(super) findings: Vec<Diagnostic>,
    /// Errors as text, with an excerpt of the source.
    pub(super) errors: Vec<String>,
    /// Unified diffs, if they were asked for.
    pub(super) diff: String,
    /// Texts before and after, if the report shows them.
    pub(super) changes: Vec<Change>,
    /// The account of the manifest, if it was asked for.
    pub(super) account: Option<Account>,
}

/// What became of every part of a plugin.
#[derive(Debug)]
pub(super) struct Account {
    /// The fate of every leaf of the manifest.
    pub(super) fates: BTreeMap<String, Fate>,
    /// What stayed behind.
    pub(super) left_out: Vec<LeftOut>,
    /// Tokens of the skill in each phase, if the report shows them.
    pub(super) tokens: Option<Tokens>,
}

/// What happened to one plugin or skill.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Status {
    /// A new skill was written.
    Created,
    /// A skill was replaced by a newer one.
    Updated,
    /// What was edited by hand and what changed in the plugin are both in the skill.
    Merged,
    /// The skill is what the plugin gives today.
    Unchanged,
    /// The plugin is switched off.
    Disabled,
    /// No skill, because of the plugin.
    Rejected,
    /// What lies in its place is not the plugin's, or not only, and waits for a person.
    Conflict,
    /// No skill, because the system refused.
    Failed,
    /// The plugin is gone, the skill is still there.
    Stale,
    /// The plugin is gone, and so is the skill.
    Removed,
}

impl Status {
    /// The word in reports.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Updated => "updated",
            Self::Merged => "merged",
            Self::Unchanged => "unchanged",
            Self::Disabled => "disabled",
            Self::Rejected => "rejected",
            Self::Conflict => "conflict",
            Self::Failed => "failed",
            Self::Stale => "stale",
            Self::Removed => "removed",
        }
    }

    /// Whether there is a skill, and it is the plugin's.
    pub(super) fn is_migrated(self) -> bool {
        matches!(
            self,
            Self::Created | Self::Updated | Self::Merged | Self::Unchanged
        )
    }
}

impl Outcome {
    pub(super) fn new(directory: &str, status: Status) -> Self {
        Self {
            directory: directory.to_owned(),
            plugin: None,
            skill: None,
            status,
            runnable: None,
            blocker: None,
            findings: Vec::new(),
            errors: Vec::new(),
            diff: String::new(),
            changes: Vec::new(),
            account: None,
        }
    }

    /// Migrated, and something keeps it from running.
    pub(super) fn needs_attention(&self) -> bool {
        self.status.is_migrated() && self.runnable == Some(false)
    }

    /// One line about what is wrong: what keeps it from running, else the first error, else the first
    /// warning.
    pub(super) fn first_reason(&self) -> Option<&str> {
        if let Some(blocker) = &self.blocker {
            return Some(blocker);
        }
        let worst = self
            .findings
            .iter()
            .filter(|finding| finding.severity > Severity::Note);
        let mut best: Option<&Diagnostic> = None;
        for finding in worst {
            if best.is_none_or(|best| finding.severity > best.severity) {
                best = Some(finding);
            }
        }
        best.map(|finding| finding.message.as_str())
    }
}

/// All plugins counted.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Totals {
    pub(super) plugins: usize,
    pub(super) migrated: usize,
    pub(super) runnable: usize,
    pub(super) attention: usize,
    pub(super) by_status: BTreeMap<Status, usize>,
    /// Findings by severity and code.
    pub(super) findings: BTreeMap<(Severity, &'static str), usize>,
}

impl Totals {
    pub(super) fn of(outcomes: &[Outcome]) -> Self {
        let mut res = Self::default();
        for outcome in outcomes {
            *res.by_status.entry(outcome.status).or_default() += 1;
            res.plugins += usize::from(!matches!(outcome.status, Status::Stale | Status::Removed));
            res.migrated += usize::from(outcome.status.is_migrated());
            res.runnable +=
                usize::from(outcome.status.is_migrated() && outcome.runnable == Some(true));
            res.attention += usize::from(outcome.needs_attention());
            for finding in &outcome.findings {
                *res.findings
                    .entry((finding.severity, finding.code.0))
                    .or_default() += 1;
            }
        }
        res
    }

    pub(super) fn count(&self, status: Status) -> usize {
        self.by_status.get(&status).copied().unwrap_or(0)
    }

    /// Whether something could not be migrated.
    pub(super) fn has_failures(&self) -> bool {
        [Status::Rejected, Status::Conflict, Status::Failed]
            .iter()
            .any(|status| self.count(*status) > 0)
    }

    /// Whether a run would change something.
    pub(super) fn has_drift(&self) -> bool {
        [
            Status::Created,
            Status::Updated,
            Status::Merged,
            Status::Stale,
            Status::Removed,
        ]
        .iter()
        .any(|status| self.count(*status) > 0)
    }
}
