//! A call, the events before its answer, and its time limits.

use std::time::Duration;

use serde_json::Value;

use crate::protocol::{self, failure};

/// A call of a skill on another machine.
#[derive(Clone, PartialEq, Debug)]
pub struct RemoteCall {
    /// The id: a second call with the same id gets the answer of the first. `None` for a new call.
    pub id: Option<String>,
    /// The name of the skill.
    pub skill: String,
    /// The command of the skill, if it has several.
    pub command: Option<String>,
    /// The arguments.
    pub input: Value,
    /// The time that the caller waits.
    pub deadline: Duration,
}

/// An event before the answer.
#[derive(Clone, PartialEq, Debug)]
pub enum CallEvent {
    /// A node has the call.
    Accepted {
        /// The name of the node.
        node: String,
    },
    /// The skill reports progress.
    Progress(Value),
    /// The call is announced or sent again.
    Again,
}

/// The time limits of a caller, and the nodes that it prefers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Patience {
    /// The time for which a node may be silent before the call is sent again. Nodes report twice a
    /// second.
    pub silence: Duration,
    /// The time for which there may be no node at all.
    pub absence: Duration,
    /// The preferred nodes, best first, for skills on which nodes differ.
    pub prefer: Vec<String>,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            silence: Duration::from_secs(2),
            absence: Duration::from_secs(5),
            prefer: Vec::new(),
        }
    }
}

/// Returns the envelope of a cancelled call.
pub(crate) fn cancelled(skill: &str) -> Value {
    let message = "the call was cancelled";
    failure(skill, protocol::CANCELLED, "cancelled", message)
}
