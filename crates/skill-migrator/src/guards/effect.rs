//! The restriction that the name of a setting indicates, as types.

use skill_model::GuardKind;

/// The kind of items in a list.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Object {
    Directories,
    Commands,
    Patterns,
    Hosts,
    Users,
    /// File types: extensions, types.
    Files,
    /// The name only says that it is a list.
    Anything,
    /// Another kind.
    Other,
}

impl Object {
    pub(super) fn kind(self, is_allowing: bool) -> GuardKind {
        use GuardKind as K;
        match (self, is_allowing) {
            (Self::Directories, true) => K::AllowDirectories,
            (Self::Directories, false) => K::DenyDirectories,
            (Self::Commands, true) => K::AllowCommands,
            (Self::Commands, false) => K::DenyCommands,
            (Self::Patterns, true) => K::AllowPatterns,
            (Self::Patterns, false) => K::DenyPatterns,
            (Self::Hosts, true) => K::AllowHosts,
            (Self::Hosts, false) => K::DenyHosts,
            (Self::Users, true) => K::AllowUsers,
            (Self::Users, false) => K::DenyUsers,
            (Self::Files, true) => K::AllowFiles,
            (Self::Files, false) => K::DenyFiles,
            (Self::Anything | Self::Other, true) => K::AllowList,
            (Self::Anything | Self::Other, false) => K::DenyList,
        }
    }

    /// Returns whether a call that the list would have refused may do harm.
    pub(super) fn is_serious(self) -> bool {
        !matches!(self, Self::Files | Self::Other)
    }
}

/// The kind of restriction that a name indicates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sense {
    /// A list.
    List,
    /// A list, or a switch: the type and the texts decide.
    ListOrSwitch,
    /// A list that may only select what is of interest.
    Weak,
    /// A switch or a word.
    Switch,
    /// A limit.
    Limit,
}

/// The meaning of a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Effect {
    pub(super) kind: GuardKind,
    pub(super) sense: Sense,
    pub(super) object: Object,
    /// True if it concerns something dangerous: writing, deleting, running; for limits, money.
    pub(super) verbs: bool,
}
