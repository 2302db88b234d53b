//! What became of one plugin, and of all.

use std::collections::BTreeMap;

use plugin_model::{LeftOut, Place};
use skill_diagnostics::{Diagnostic, Severity};
use skill_migrator::Fate;

/// What became of one plugin.
#[derive(Debug)]
pub struct Outcome {
    /// Directory of the plugin, relative to the input.
    pub directory: String,
    /// The plugin's name, if it is known.
    pub plugin: Option<String>,
    /// Name of the skill, if there is one.
    pub skill: Option<String>,
    /// What happened.
    pub status: Status,
    /// Whether the skill can run; none where that is not known.
    pub runnable: Option<bool>,
    /// What keeps the skill from running, in one line.
    pub blocker: Option<String>,
    /// Everything that was found.
    pub findings: Vec<Diagnostic>,
    /// The errors because of which there is no skill; they are among `findings` too.
    pub errors: Vec<Diagnostic>,
    /// Text of the manifest, for excerpts of `errors`; secrets are masked.
    pub manifest: Option<String>,
    /// Unified diffs, if they were asked for.
    pub diff: String,
    /// Texts before and after, if the report shows them.
    pub changes: Vec<Change>,
    /// The account of the manifest, if it was asked for.
    pub account: Option<Account>,
}

/// What became of every part of a plugin.
#[derive(Debug)]
pub struct Account {
    /// The fate of every leaf of the documents, by file and JSON Pointer.
    pub fates: BTreeMap<Place, Fate>,
    /// What stayed behind.
    pub left_out: Vec<LeftOut>,
    /// Tokens of the skill in each phase, if the report shows them.
    pub tokens: Option<Tokens>,
}

/// Tokens of one skill: metadata, brief, full.
pub type Tokens = [usize; 3];

/// A text before and after, for a side-by-side view.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// Name of what is on the left; none where there was nothing.
    pub before_name: Option<String>,
    /// Name of what is on the right; none where there will be nothing.
    pub after_name: Option<String>,
    /// Both texts; none when one of them is no text, or too long.
    pub texts: Option<(String, String)>,
    /// Whether the two are versions of one text. A manifest and what was made of it are not.
    pub is_version: bool,
}

/// What happened to one plugin or skill.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Status {
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
    pub fn word(self) -> &'static str {
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

    /// Whether there is no skill, or none that is the plugin's, because of an error.
    pub fn is_failure(self) -> bool {
        matches!(self, Self::Rejected | Self::Conflict | Self::Failed)
    }

    /// Whether there is a skill, and it is the plugin's.
    pub fn is_migrated(self) -> bool {
        matches!(
            self,
            Self::Created | Self::Updated | Self::Merged | Self::Unchanged
        )
    }
}

impl Outcome {
    pub(crate) fn new(directory: &str, status: Status) -> Self {
        Self {
            directory: directory.to_owned(),
            plugin: None,
            skill: None,
            status,
            runnable: None,
            blocker: None,
            findings: Vec::new(),
            errors: Vec::new(),
            manifest: None,
            diff: String::new(),
            changes: Vec::new(),
            account: None,
        }
    }

    /// Migrated, and something keeps it from running.
    pub fn needs_attention(&self) -> bool {
        self.status.is_migrated() && self.runnable == Some(false)
    }

    /// One line about what is wrong: what keeps it from running, else the first error, else the first
    /// warning.
    pub fn first_reason(&self) -> Option<&str> {
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
pub struct Totals {
    /// Plugins, without those that are gone.
    pub plugins: usize,
    /// Plugins that have a skill.
    pub migrated: usize,
    /// Migrated plugins whose skill can run.
    pub runnable: usize,
    /// Migrated plugins whose skill cannot run yet.
    pub attention: usize,
    /// Plugins and retired skills by status.
    pub by_status: BTreeMap<Status, usize>,
    /// Findings by severity and code.
    pub findings: BTreeMap<(Severity, &'static str), usize>,
}

impl Totals {
    /// Counts the outcomes.
    pub fn of(outcomes: &[Outcome]) -> Self {
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

    /// The number of plugins and retired skills with this status.
    pub fn count(&self, status: Status) -> usize {
        self.by_status.get(&status).copied().unwrap_or(0)
    }

    /// Whether something could not be migrated.
    pub fn has_failures(&self) -> bool {
        [Status::Rejected, Status::Conflict, Status::Failed]
            .iter()
            .any(|status| self.count(*status) > 0)
    }

    /// Whether a run would change something.
    pub fn has_drift(&self) -> bool {
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
