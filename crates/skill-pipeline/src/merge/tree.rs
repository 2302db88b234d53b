//! The values of a merge: trees of files, and the result for each path.

use std::collections::BTreeMap;

/// The files of one side, by path.
pub(super) type Tree<'a> = BTreeMap<&'a str, File<'a>>;

/// A file of one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct File<'a> {
    /// The digest: `sha256:` and 64 hex digits.
    pub(super) digest: &'a str,
    /// The text; `None` if the file is binary, too large, or not in memory.
    pub(super) text: Option<&'a str>,
}

/// The source of a file of the merged skill.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum FileSource {
    /// The file at this path in the edited skill.
    Ours(String),
    /// The file at this path in the plan.
    Theirs(String),
    /// Lines of both sides.
    Text {
        /// The merged text.
        text: String,
        /// The path in the edited skill, whose mode counts.
        ours: String,
        /// The path in the plan.
        theirs: String,
    },
}

/// Two changes that conflict.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Conflict {
    /// The path in the skill.
    pub(super) path: String,
    /// The kind of the conflict.
    pub(super) kind: Kind,
}

/// The kinds of conflicts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Kind {
    /// The same lines were changed; both versions are in the text, between markers.
    Lines,
    /// Both sides changed a file that has no lines.
    Binary,
    /// Both sides changed the file, and its earlier content is not recorded.
    NoBase,
    /// The file was removed by hand and changed in the plugin.
    RemovedByHand,
    /// The file was changed by hand and removed from the plugin.
    GoneFromPlugin,
    /// Both sides renamed the file.
    Renamed,
    /// Two files would have the same path, or one would be a directory of the other.
    Clash,
    /// The merged text is not valid for such a file.
    Invalid,
}

impl Kind {
    /// Returns the conflict as the end of a sentence about the file.
    pub(super) fn phrase(self) -> &'static str {
        match self {
            Self::Lines => "the same lines were changed by hand and in the plugin",
            Self::Binary => "it has no lines, and was changed by hand and in the plugin",
            Self::NoBase => {
                "it was changed by hand and in the plugin, and its earlier content is not recorded"
            }
            Self::RemovedByHand => "it was removed by hand and changed in the plugin",
            Self::GoneFromPlugin => "it was changed by hand and is gone from the plugin",
            Self::Renamed => "it was renamed by hand and renamed differently in the plugin",
            Self::Clash => "two files claim its path",
            Self::Invalid => "the merged file would not be valid",
        }
    }
}

/// The result of a merge.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct MergeResult {
    /// The files of the merged skill, by path.
    pub(super) files: BTreeMap<String, FileSource>,
    /// The conflicts, sorted; empty for a clean merge.
    pub(super) conflicts: Vec<Conflict>,
    /// True if an edit by hand was replaced because the user chose so.
    pub(super) overruled: bool,
}
