//! A node: skills of this machine that others may call.
//!
//! Every skill is an endpoint of a NATS micro service, so `nats micro ls|info|stats` see it. Calls
//! are announced there without their input, to one of the nodes that have the skill, byte for byte.
//! A node with a free place claims the call with a secret token. The input follows to the node
//! alone, and the answer is written down before it is sent.
//!
//! **Invariant:** no call begins without a claim of this node, and a claim begins one call at most.

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

/// What runs the skills of this machine.
pub trait LocalRunner: Send + Sync + 'static {
    /// Runs a skill and gives the envelope of its answer. Called on a thread that may block. It
    /// should end when the deadline is over or [`Running::is_cancelled`].
    fn run(&self, call: &LocalCall, running: &Running) -> Value;

    /// The bytes of a file of an offered skill, for others who want to read it. `None` for what
    /// must not leave this machine.
    fn file(&self, _skill: &str, _path: &str) -> Option<Vec<u8>> {
        None
    }

    /// The files of an offered skill with their digests (`sha256:…`), as `skills.lock` lists them.
    fn files(&self, _skill: &str) -> Vec<(String, String)> {
        Vec::new()
    }

    /// Digest of all that runs of an offered skill, whether or not it is among the files.
    fn program(&self, _skill: &str) -> Option<String> {
        None
    }
}

/// A call as it comes to the runner.
#[derive(Clone, PartialEq, Debug)]
pub struct LocalCall {
    /// The id of the call, the same for every attempt: a key for skills that must not do a thing
    /// twice.
    pub id: String,
    /// Name of the skill.
    pub skill: String,
    /// One of its commands.
    pub command: Option<String>,
    /// The arguments.
    pub input: Value,
    /// How long it may take.
    pub deadline: Duration,
}

/// A skill that a node offers.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Offer {
    /// Name of the skill: `[a-z0-9]+(-[a-z0-9]+)*`.
    pub skill: String,
    /// Digest over all that it is, `sha256:…`: the same skill on two nodes has the same.
    pub digest: String,
    /// Its version.
    pub version: String,
    /// What it is for, for the catalogue; cut when it is long.
    pub description: String,
    /// Whether it may be run again when nobody knows whether it ran.
    pub idempotent: bool,
    /// Further metadata for the catalogue: keywords, tags, commands.
    pub metadata: Value,
}

/// How much a node takes on, and how fast it is missed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NodeSettings {
    /// Name of the node: one token of a subject.
    pub name: String,
    /// Calls that run at a time.
    pub slots: usize,
    /// Calls that wait for a slot; more are turned away.
    pub queue: usize,
    /// How long a node may be silent before it counts as dead. The first node of a server decides.
    pub grace: Duration,
    /// Longest that a call may take.
    pub max_deadline: Duration,
}

impl NodeSettings {
    /// The defaults for a node of this name.
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
