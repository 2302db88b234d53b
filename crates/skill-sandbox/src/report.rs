//! The degree to which a policy could be enforced.

use serde::{Deserialize, Serialize};

/// The degree to which a policy is enforced.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Files are not restricted: the child reads what its user can read.
    #[default]
    None,
    /// Files are restricted, but not every other restriction applies.
    Partial,
    /// Every restriction applies.
    Full,
}

impl Level {
    /// Returns `none`, `partial` or `full`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Partial => "partial",
            Self::Full => "full",
        }
    }
}

/// The restrictions that were enforced for one child.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// The level that was reached.
    pub level: Level,
    /// The restrictions that do not apply, one sentence each; empty at level `full` or without a
    /// policy.
    pub missing: Vec<String>,
}
