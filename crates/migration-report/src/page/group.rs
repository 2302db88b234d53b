//! The groups of plugins: what needs the reader comes first.

use skill_pipeline::{Outcome, Status};

/// A group of plugins that need the same from the reader; the most urgent group first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Group {
    /// There is no skill, or it is in conflict.
    Failed,
    /// The skill cannot run yet.
    Attention,
    /// The plugin no longer exists.
    Gone,
    /// The skill can run.
    Ready,
    /// The plugin is switched off, or a part of a host that was not asked for.
    Off,
}

impl Group {
    /// All groups, in the order of the page.
    pub(super) const ALL: [Self; 5] = [
        Self::Failed,
        Self::Attention,
        Self::Gone,
        Self::Ready,
        Self::Off,
    ];

    /// Returns the group of an outcome.
    pub(super) fn new(outcome: &Outcome) -> Self {
        match outcome.status {
            Status::Rejected | Status::Conflict | Status::Failed => Self::Failed,
            Status::Stale | Status::Removed => Self::Gone,
            Status::Disabled | Status::HostPart | Status::Nothing => Self::Off,
            _ if outcome.needs_attention() => Self::Attention,
            _ => Self::Ready,
        }
    }

    /// Returns the title.
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Failed => "Without a skill, or in conflict",
            Self::Attention => "Cannot run yet",
            Self::Gone => "The plugin is gone",
            Self::Ready => "Migrated",
            Self::Off => "Switched off, a part of a host, or nothing to migrate",
        }
    }

    /// Returns the id of its rows.
    pub(super) fn id(self) -> &'static str {
        match self {
            Self::Failed => "g-failed",
            Self::Attention => "g-attention",
            Self::Gone => "g-gone",
            Self::Ready => "g-ready",
            Self::Off => "g-off",
        }
    }

    /// Returns true if the plugins of the group need the reader.
    pub(super) fn needs_reader(self) -> bool {
        matches!(self, Self::Failed | Self::Attention)
    }
}

/// Returns the name of a plugin in the report.
pub(super) fn name(outcome: &Outcome) -> &str {
    match outcome.directory.as_str() {
        "" => outcome.plugin.as_deref().unwrap_or("."),
        directory => directory,
    }
}

/// Returns the outcomes of each group that is not empty, with their numbers.
pub(super) fn groups(outcomes: &[Outcome]) -> Vec<(Group, Vec<(usize, &Outcome)>)> {
    let all = Group::ALL.into_iter().map(|group| {
        let outcomes = outcomes.iter().enumerate();
        let members = outcomes.filter(|(_, outcome)| Group::new(outcome) == group);
        (group, members.collect::<Vec<_>>())
    });
    all.filter(|(_, members)| !members.is_empty()).collect()
}
