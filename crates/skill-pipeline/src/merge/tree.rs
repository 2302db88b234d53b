//! What a merge compares: three trees of files, and what becomes of each path.

use std::collections::BTreeMap;

/// Paths with their files.
pub(super) type Tree<'a> = BTreeMap<&'a str, File<'a>>;

/// One file of one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct File<'a> {
    /// `sha256:` and 64 hex digits.
    pub(super) digest: &'a str,
    /// Its text; none when it is binary, too large, or not at hand.
    pub(super) text: Option<&'a str>,
}

/// Where a file of the merged skill comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Taken {
    /// The file of this path in what was edited by hand.
    Ours(String),
    /// The file of this path in what the plugin gives.
    Theirs(String),
    /// Lines of both.
    Text {
        /// All of them.
        text: String,
        /// Path in what was edited by hand, whose mode counts.
        ours: String,
        /// Path in what the plugin gives.
        theirs: String,
    },
}

/// Two changes that do not go together.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Conflict {
    /// Path in the skill.
    pub(super) path: String,
    /// What they are.
    pub(super) kind: Kind,
}

/// What kind of changes do not go together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Kind {
    /// The same lines were changed; both versions are in the text, between markers.
    Lines,
    /// Both changed a file that has no lines.
    Binary,
    /// Both changed it and what it was before is not recorded.
    NoBase,
    /// It was removed by hand and changed in the plugin.
    RemovedByHand,
    /// It was changed by hand and is gone from the plugin.
    GoneFromPlugin,
    /// Both gave it another name.
    Renamed,
    /// Two files would have the same path, or one would be a directory of the other.
    Clash,
    /// The merged text is not what such a file has to be.
    Invalid,
}

impl Kind {
    /// What happened, as the end of a sentence about the file.
    pub(super) fn phrase(self) -> &'static str {
        match self {
            Self::Lines => "the same lines were changed by hand and in the plugin",
            Self::Binary => "it has no lines, and was changed by hand and in the plugin",
            Self::NoBase => {
                "it was changed by hand and in the plugin, and what it was before is not recorded"
            }
            Self::RemovedByHand => "it was removed by hand and changed in the plugin",
            Self::GoneFromPlugin => "it was changed by hand and is gone from the plugin",
            Self::Renamed => "it was renamed by hand and, otherwise, in the plugin",
            Self::Clash => "two files claim its path",
            Self::Invalid => "the merged file would not be valid",
        }
    }
}

/// The outcome of a merge.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Merged {
    /// Every file of the merged skill, by path.
    pub(super) files: BTreeMap<String, Taken>,
    /// What does not go together, sorted; empty for a clean merge.
    pub(super) conflicts: Vec<Conflict>,
    /// Whether something that was written by hand gave way, because the user chose so.
    pub(super) overruled: bool,
}
