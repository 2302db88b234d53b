//! Settings that restrict what a program may do.

use schemars::JsonSchema;
use serde::Serialize;

/// One setting that restricts what the program may do.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Guard {
    /// The key of the configuration.
    pub key: String,
    /// What it restricts, and how.
    pub kind: GuardKind,
    /// What the program does while the key has no value.
    pub unset: Unset,
    /// How it was found: `name`, `text`, `code FILE`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<String>,
}

impl Guard {
    /// Whether a call needs approval while the key has no value.
    pub fn is_open_without_value(&self) -> bool {
        self.unset == Unset::Open
    }
}

/// What a guard restricts, and how.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum GuardKind {
    /// A list of the only directories, files or roots that may be reached.
    AllowDirectories,
    /// A list of directories or files that may not be reached.
    DenyDirectories,
    /// A list of the only commands, tools or operations that may be used.
    AllowCommands,
    /// A list of commands, tools or operations that may not be used.
    DenyCommands,
    /// A list of patterns of which a request must match one.
    AllowPatterns,
    /// A list of patterns that no request may match.
    DenyPatterns,
    /// A list of the only hosts, addresses or ports that may be reached.
    AllowHosts,
    /// A list of hosts, addresses or ports that may not be reached.
    DenyHosts,
    /// A list of the only people, groups or roles that may ask.
    AllowUsers,
    /// A list of people, groups or roles that may not ask.
    DenyUsers,
    /// A list of the only kinds of file that are handled.
    AllowFiles,
    /// A list of kinds of file that are not handled.
    DenyFiles,
    /// A list of the only things that are allowed, of another kind.
    AllowList,
    /// A list of things that are not allowed, of another kind.
    DenyList,
    /// A switch or a secret that makes the program ask who calls.
    Authentication,
    /// A switch that makes the program ask before it acts.
    Confirmation,
    /// A switch that keeps the program from changing anything.
    ReadOnly,
    /// What the program encloses its own children in.
    Sandbox,
    /// A switch that gives the program more than it has without.
    Permission,
    /// A bound on sizes, amounts or rates.
    Limit,
}

impl GuardKind {
    /// All of them.
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

    /// The word in `METADATA.yml`.
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

/// What a program does while a guard has no value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Unset {
    /// Everything that the guard would refuse is allowed, or nothing shows that it is not.
    Open,
    /// The program has a value of its own, or what the guard restricts is harmless without one.
    Default,
    /// The program refuses to work.
    Closed,
}

impl Unset {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Open, Self::Default, Self::Closed];

    /// The word in `METADATA.yml`.
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
