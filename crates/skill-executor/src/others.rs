//! Calls of other skills by a running one: `processToolCall` of the old host's plugin manager.

use std::fmt;
use std::time::Duration;

use serde_json::Value;

/// The number of calls that one call may have running at the same time.
pub(crate) const MAX_AT_ONCE: usize = 8;

/// Calls other skills on behalf of a running call.
pub trait OtherSkills: fmt::Debug + Sync {
    /// Calls the skill of a name, within a time limit.
    ///
    /// # Errors
    ///
    /// The reason why there is no value, for the calling skill.
    fn call(&self, name: &str, args: Value, limit: Duration) -> Result<Value, String>;
}
