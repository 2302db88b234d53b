//! A call, what its caller hears before the answer, and how long it waits.

use std::time::Duration;

use serde_json::Value;

use crate::protocol::{self, failure};

/// A call that another machine is to do.
#[derive(Clone, PartialEq, Debug)]
pub struct RemoteCall {
    /// Decides what is the same call: a second one with the id gets the answer of the first. None
    /// for a new one.
    pub id: Option<String>,
    /// Name of the skill.
    pub skill: String,
    /// One of its commands.
    pub command: Option<String>,
    /// The arguments.
    pub input: Value,
    /// How long the caller waits.
    pub deadline: Duration,
}

/// What happens before there is an answer.
#[derive(Clone, PartialEq, Debug)]
pub enum Happening {
    /// A node has it.
    Accepted {
        /// Name of the node.
        node: String,
    },
    /// The skill says how far it is.
    Progress(Value),
    /// It is asked for again.
    Again,
}

/// How patient a caller is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Patience {
    /// How long a node may be silent before the call is asked for again. Nodes speak twice a
    /// second.
    pub silence: Duration,
    /// How long there may be no node at all.
    pub absence: Duration,
    /// Which node's skill is meant where two nodes differ.
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

/// What a caller is told who gave a call up.
pub(crate) fn cancelled(skill: &str) -> Value {
    let message = "the call was cancelled";
    failure(skill, protocol::CANCELLED, "cancelled", message)
}
