//! Settings that restrict a program.

use serde::Serialize;

/// A setting that restricts the program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Guard {
    /// The key of the configuration.
    pub key: String,
    /// The kind of restriction.
    pub kind: GuardKind,
    /// The program's behavior while the key has no value.
    pub unset: Unset,
    /// The evidence for it: `name`, `text`, `code FILE`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<String>,
}

impl Guard {
    /// Returns whether a call needs approval while the key has no value.
    pub fn is_open_without_value(&self) -> bool {
        self.unset == Unset::Open
    }
}

/// The kind of restriction of a guard.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum GuardKind {
    /// A list of the only accessible directories, files or roots.
    AllowDirectories,
    /// A list of inaccessible directories or files.
    DenyDirectories,
    /// A list of the only commands, tools or operations that may be used.
    AllowCommands,
    /// A list of commands, tools or operations that may not be used.
    DenyCommands,
    /// A list of patterns; a request must match one of them.
    AllowPatterns,
    /// A list of patterns that a request must not match.
    DenyPatterns,
    /// A list of the only reachable hosts, addresses or ports.
    AllowHosts,
    /// A list of unreachable hosts, addresses or ports.
    DenyHosts,
    /// A list of the only users, groups or roles that may call.
    AllowUsers,
    /// A list of users, groups or roles that may not call.
    DenyUsers,
    /// A list of the only file types that are processed.
    AllowFiles,
    /// A list of file types that are not processed.
    DenyFiles,
    /// Another list of the only allowed items.
    AllowList,
    /// Another list of items that are not allowed.
    DenyList,
    /// A switch or a secret that makes the program authenticate its caller.
    Authentication,
    /// A switch that makes the program ask before it acts.
    Confirmation,
    /// A switch that keeps the program from changing anything.
    ReadOnly,
    /// The sandbox in which the program runs its own children.
    Sandbox,
    /// A switch that gives the program more rights.
    Permission,
    /// A limit on sizes, amounts or rates.
    Limit,
}

impl GuardKind {
    /// All kinds.
    pub const ALL: [Self; 20] = [
        Self::AllowDirectories,
        Self::DenyDirectories,
        Self::AllowCommands,
        Self::DenyCommands,
        Self::AllowPatterns,
        Self::DenyPatterns,
        Self::AllowHosts,
        Self::DenyHosts,
        Self::AllowUsers,
        Self::DenyUsers,
        Self::AllowFiles,
        Self::DenyFiles,
        Self::AllowList,
        Self::DenyList,
        Self::Authentication,
        Self::Confirmation,
        Self::ReadOnly,
        Self::Sandbox,
        Self::Permission,
        Self::Limit,
    ];

    /// Returns the word used in `METADATA.yml`.
    pub fn word(self) -> &'static str {
        match self {
            Self::AllowDirectories => "allow-directories",
            Self::DenyDirectories => "deny-directories",
            Self::AllowCommands => "allow-commands",
            Self::DenyCommands => "deny-commands",
            Self::AllowPatterns => "allow-patterns",
            Self::DenyPatterns => "deny-patterns",
            Self::AllowHosts => "allow-hosts",
            Self::DenyHosts => "deny-hosts",
            Self::AllowUsers => "allow-users",
            Self::DenyUsers => "deny-users",
            Self::AllowFiles => "allow-files",
            Self::DenyFiles => "deny-files",
            Self::AllowList => "allow-list",
            Self::DenyList => "deny-list",
            Self::Authentication => "authentication",
            Self::Confirmation => "confirmation",
            Self::ReadOnly => "read-only",
            Self::Sandbox => "sandbox",
            Self::Permission => "permission",
            Self::Limit => "limit",
        }
    }
}

/// A program's behavior while a guard has no value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Unset {
    /// Everything that the guard would refuse is allowed, or no evidence shows otherwise.
    Open,
    /// The program has a default value, or the restricted operation is harmless without one.
    Default,
    /// The program refuses to work.
    Closed,
}

impl Unset {
    /// All values.
    pub const ALL: [Self; 3] = [Self::Open, Self::Default, Self::Closed];

    /// Returns the word used in `METADATA.yml`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Default => "default",
            Self::Closed => "closed",
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{GuardKind, Unset};

    #[test]
    fn words_are_what_is_written() {
        for kind in GuardKind::ALL {
            assert_eq!(json!(kind), kind.word());
        }
        for unset in Unset::ALL {
            assert_eq!(json!(unset), unset.word());
        }
    }
}
