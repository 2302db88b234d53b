//! A node: the skills of this machine that others may call.
//!
//! Every skill is an endpoint of a NATS micro service, so `nats micro ls|info|stats` show it. Calls
//! are announced there without their input, to one of the nodes that have the same skill, byte for
//! byte. A node with a free place claims the call with a secret token. Only this node gets the
//! input, and the answer is stored before it is sent.
//!
//! **Invariant:** no call starts without a claim of this node, and a claim starts at most one call.

mod beat;
mod claim;
mod live;
mod run;
mod serve;
mod shared;

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

pub use live::Running;
pub use serve::{Hurry, Node, prepare};

/// Runs the skills of this machine.
pub trait LocalRunner: Send + Sync + 'static {
    /// Runs a skill and returns the envelope of its answer. Called on a thread that may block. It
    /// should return when the deadline has passed or [`Running::is_cancelled`] is true.
    fn run(&self, call: &LocalCall, running: &Running) -> Value;

    /// Returns the bytes of a file of an offered skill. `None` for files that must not leave this
    /// machine.
    fn file(&self, _skill: &str, _path: &str) -> Option<Vec<u8>> {
        None
    }

    /// Returns the files of an offered skill with their digests (`sha256:…`), as `skills.lock` lists them.
    fn files(&self, _skill: &str) -> Vec<(String, String)> {
        Vec::new()
    }

    /// Returns the digest of everything that runs for an offered skill, including private files.
    fn program(&self, _skill: &str) -> Option<String> {
        None
    }
}

/// A call for the runner.
#[derive(Clone, PartialEq, Debug)]
pub struct LocalCall {
    /// The id of the call, the same for every attempt. Skills that must not act twice can use it as a
    /// key.
    pub id: String,
    /// The name of the skill.
    pub skill: String,
    /// The command of the skill, if it has several.
    pub command: Option<String>,
    /// The arguments.
    pub input: Value,
    /// The time limit of the call.
    pub deadline: Duration,
}

/// A skill that a node offers.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Offer {
    /// The name of the skill: `[a-z0-9]+(-[a-z0-9]+)*`.
    pub skill: String,
    /// The digest of everything that runs, `sha256:…`, the same on all nodes with this skill.
    pub digest: String,
    /// The version of the skill.
    pub version: String,
    /// The description for the catalog; a long one is cut.
    pub description: String,
    /// True if a call may run again when it is unknown whether it ran.
    pub idempotent: bool,
    /// Further metadata for the catalog: keywords, tags, commands.
    pub metadata: Value,
}

/// The name, the limits and the grace period of a node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NodeSettings {
    /// The name of the node: one token of a subject.
    pub name: String,
    /// The maximum number of calls that run at the same time.
    pub slots: usize,
    /// The maximum number of calls that wait for a slot; more are refused.
    pub queue: usize,
    /// The time for which a node may be silent before it counts as dead. The setting of the first
    /// node of a server applies to all.
    pub grace: Duration,
    /// The maximum time limit of a call.
    pub max_deadline: Duration,
}

impl NodeSettings {
    /// Creates the default settings for a node with this name.
    pub fn new(name: impl Into<String>) -> Self {
        let slots = std::thread::available_parallelism().map_or(2, usize::from) * 2;
        Self {
            name: name.into(),
            slots,
            queue: slots * 64,
            grace: Duration::from_secs(10),
            max_deadline: Duration::from_mins(30),
        }
    }
}

/// A runner that is shared with the threads of its calls.
pub(crate) type SharedRunner = Arc<dyn LocalRunner>;
