//! The outcomes of single plugins and of a whole run.

use std::collections::BTreeMap;

use plugin_model::{LeftOut, Place};
use skill_diagnostics::{Diagnostic, Severity};
use skill_migrator::Fate;
use skill_model::ExecutorKind;

/// The outcome of one plugin or skill.
#[derive(Debug)]
pub struct Outcome {
    /// The key of the unit: the directory of the plugin relative to the input, with `#` and a key
    /// if the plugin has several units.
    pub directory: String,
    /// The name of the plugin, if it is known.
    pub plugin: Option<String>,
    /// The name of the skill, if there is one.
    pub skill: Option<String>,
    /// The status.
    pub status: Status,
    /// The executor of the skill; `None` if the plugin was not planned in this run.
    pub executor: Option<ExecutorKind>,
    /// True if the skill can run; `None` if that is not known.
    pub runnable: Option<bool>,
    /// True if it is a part of a host, and is in `.host` beside the skills.
    pub is_hosted: bool,
    /// The reason why the skill cannot run, in one line.
    pub blocker: Option<String>,
    /// All findings.
    pub findings: Vec<Diagnostic>,
    /// The errors that prevented the skill; `findings` contains them too.
    pub errors: Vec<Diagnostic>,
    /// The text of the manifest, for excerpts of `errors`; secrets are masked.
    pub manifest: Option<String>,
    /// Unified diffs, if they were requested.
    pub diff: String,
    /// Texts before and after, if they were requested.
    pub changes: Vec<Change>,
    /// The account of the plugin, if it was requested.
    pub account: Option<Account>,
}

/// The fate of every part of a plugin.
#[derive(Debug)]
pub struct Account {
    /// The fate of every leaf of the documents, by file and JSON Pointer.
    pub fates: BTreeMap<Place, Fate>,
    /// The files and directories that were not copied.
    pub left_out: Vec<LeftOut>,
    /// The tokens of the skill in each phase, if they were requested.
    pub tokens: Option<Tokens>,
    /// The description of the skill, if the tokens were requested.
    pub description: Option<String>,
}

/// The tokens of one skill: metadata, brief description, full description.
pub type Tokens = [usize; 3];

/// A text before and after, for a side-by-side view.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// The name of the text before; `None` if there was none.
    pub before_name: Option<String>,
    /// The name of the text after; `None` if there is none.
    pub after_name: Option<String>,
    /// Both texts; `None` if one of them is binary or too long.
    pub texts: Option<(String, String)>,
    /// True if the two are versions of one text; false for a manifest and the skill made from it.
    pub is_version: bool,
}

/// The status of one plugin or skill.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Status {
    /// A new skill was written.
    Created,
    /// A skill was replaced by a newer one.
    Updated,
    /// Edits by hand and changes in the plugin were merged.
    Merged,
    /// The skill is up to date.
    Unchanged,
    /// The plugin is disabled.
    Disabled,
    /// The plugin is a part of a host, which was not asked for.
    HostPart,
    /// The plugin has only parts that no skill can have, such as hooks and language servers.
    Nothing,
    /// There is no skill, because of an error in the plugin.
    Rejected,
    /// The skill on disk was edited or comes from elsewhere, and a person must decide.
    Conflict,
    /// There is no skill, because of a system error.
    Failed,
    /// The plugin is gone, and the skill still exists.
    Stale,
    /// The plugin is gone, and the skill was removed.
    Removed,
}

impl Status {
    /// Returns the word for reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Updated => "updated",
            Self::Merged => "merged",
            Self::Unchanged => "unchanged",
            Self::Disabled => "disabled",
            Self::HostPart => "host-part",
            Self::Nothing => "nothing-to-migrate",
            Self::Rejected => "rejected",
            Self::Conflict => "conflict",
            Self::Failed => "failed",
            Self::Stale => "stale",
            Self::Removed => "removed",
        }
    }

    /// Returns true if an error prevented a skill or its update.
    pub fn is_failure(self) -> bool {
        matches!(self, Self::Rejected | Self::Conflict | Self::Failed)
    }

    /// Returns true if there is a skill and it is up to date.
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
            executor: None,
            runnable: None,
            is_hosted: false,
            blocker: None,
            findings: Vec::new(),
            errors: Vec::new(),
            manifest: None,
            diff: String::new(),
            changes: Vec::new(),
            account: None,
        }
    }

    /// Returns true if the plugin is migrated and the skill cannot run.
    pub fn needs_attention(&self) -> bool {
        self.status.is_migrated() && self.runnable == Some(false)
    }

    /// Returns one line about the main problem: the reason why the skill cannot run, or the first
    /// error, or the first warning.
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

/// The counts of plugins and findings.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Totals {
    /// The number of plugins, without those that are gone.
    pub plugins: usize,
    /// The number of plugins that have a skill.
    pub migrated: usize,
    /// The number of migrated plugins whose skill can run.
    pub runnable: usize,
    /// The number of migrated plugins whose skill cannot run yet.
    pub attention: usize,
    /// The number of migrated plugins that are parts of a host, in `.host` beside the skills.
    pub hosted: usize,
    /// The number of plugins and retired skills by status.
    pub by_status: BTreeMap<Status, usize>,
    /// The number of findings by severity and code.
    pub findings: BTreeMap<(Severity, &'static str), usize>,
}

impl Totals {
    /// Counts the outcomes.
    pub fn new(outcomes: &[Outcome]) -> Self {
        let mut res = Self::default();
        for outcome in outcomes {
            *res.by_status.entry(outcome.status).or_default() += 1;
            res.plugins += usize::from(!matches!(outcome.status, Status::Stale | Status::Removed));
            res.migrated += usize::from(outcome.status.is_migrated());
            res.runnable +=
                usize::from(outcome.status.is_migrated() && outcome.runnable == Some(true));
            res.attention += usize::from(outcome.needs_attention());
            res.hosted += usize::from(outcome.status.is_migrated() && outcome.is_hosted);
            for finding in &outcome.findings {
                *res.findings
                    .entry((finding.severity, finding.code.0))
                    .or_default() += 1;
            }
        }
        res
    }

    /// Returns the number of plugins and retired skills with this status.
    pub fn count(&self, status: Status) -> usize {
        self.by_status.get(&status).copied().unwrap_or(0)
    }

    /// Returns true if a plugin could not be migrated.
    pub fn has_failures(&self) -> bool {
        [Status::Rejected, Status::Conflict, Status::Failed]
            .iter()
            .any(|status| self.count(*status) > 0)
    }

    /// Returns true if a run would change something.
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
