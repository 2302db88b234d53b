//! What nodes and callers say to each other: subjects, headers, records.
//!
//! ```text
//! skills.run.<skill>.<digest>     a call; nodes with the same skill share a queue group
//! skills.node.<node>.run          the same, to one node
//! skills.node.<node>.cancel       the id of a call that nobody waits for any more
//! skills.node.<node>.file         a file of a skill
//! bucket skills-nodes             <node>: who is alive; an entry that is not renewed goes
//! bucket skills-calls             <call id>: who runs it, or its answer
//! bucket skills-catalog           <skill>.<node>: what a node offers
//! objects skills-results          answers that are larger than a message
//! ```

use std::time::Duration;

use async_nats::HeaderMap;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::Error;
use crate::bucket::Limits;

/// The bucket of living nodes.
pub(crate) const NODES: &str = "skills-nodes";
/// The bucket of calls.
pub(crate) const CALLS: &str = "skills-calls";
/// The bucket of what nodes offer.
pub(crate) const CATALOG: &str = "skills-catalog";
/// The object store of large answers.
pub(crate) const RESULTS: &str = "skills-results";

/// The id of a call. The same id is never run twice while its record is kept.
pub(crate) const ID: &str = "Skills-Id";
/// Milliseconds that the caller will wait, from now.
pub(crate) const DEADLINE: &str = "Skills-Deadline-Ms";
/// Present on calls whose caller understands more than one answer.
pub(crate) const EVENTS: &str = "Skills-Events";
/// What an answer is: a word of [`Event`].
pub(crate) const EVENT: &str = "Skills-Event";

/// How long the record of a call and its answer are kept: so long, the same id is not run again.
pub(crate) const KEEP_CALLS: Duration = Duration::from_mins(10);
/// Records of calls together, in bytes. Full, no call begins.
const CALLS_BYTES: i64 = 1 << 30;
/// Large answers together, in bytes.
const RESULTS_BYTES: i64 = 4 << 30;
/// Largest answer of a skill, in bytes.
pub(crate) const MAX_RESULT: usize = 64 << 20;
/// What a message may hold besides its payload, in bytes.
pub(crate) const HEADROOM: usize = 16 << 10;
/// Entry of the catalogue, in bytes.
pub(crate) const MAX_ENTRY: usize = 16 << 10;
/// How long an entry of the catalogue is kept that its node does not renew.
pub(crate) const KEEP_CATALOG: Duration = Duration::from_hours(24);

/// Limits of [`CALLS`].
pub(crate) const CALLS_LIMITS: Limits = Limits {
    age: KEEP_CALLS,
    value: -1,
    bytes: CALLS_BYTES,
};
/// Limits of [`RESULTS`].
pub(crate) const RESULTS_LIMITS: Limits = Limits {
    age: KEEP_CALLS,
    value: -1,
    bytes: RESULTS_BYTES,
};
/// Limits of [`CATALOG`].
pub(crate) const CATALOG_LIMITS: Limits = Limits {
    age: KEEP_CATALOG,
    value: 20 << 10,
    bytes: -1,
};

/// Limits of [`NODES`]: an entry lives as long as a node may be silent.
pub(crate) fn nodes_limits(grace: Duration) -> Limits {
    Limits {
        age: grace,
        value: 4 << 10,
        bytes: -1,
    }
}

/// The subject of a skill with exactly these bytes.
pub(crate) fn run_subject(skill: &str, digest: &str) -> String {
    format!("skills.run.{skill}.{}", short(digest))
}

/// A subject of one node.
pub(crate) fn node_subject(node: &str, verb: &str) -> String {
    format!("skills.node.{node}.{verb}")
}

/// Enough of a digest to tell skills of one name apart: 64 bits in hex digits.
pub(crate) fn short(digest: &str) -> &str {
    let hex = digest.rsplit(':').next().unwrap_or_default();
    hex.get(..16).unwrap_or(hex)
}

/// What a node tells a caller.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Event {
    /// It has the call; the body names it.
    Accepted,
    /// It still has it.
    Alive,
    /// What the skill says on the way.
    Progress,
    /// The answer.
    Result,
    /// The answer lies in the object store; the body says where.
    Object,
    /// The node does not want it; another may.
    Busy,
    /// A piece of a file.
    Chunk,
    /// There is no such file.
    Refused,
}

impl Event {
    const ALL: [Self; 8] = [
        Self::Accepted,
        Self::Alive,
        Self::Progress,
        Self::Result,
        Self::Object,
        Self::Busy,
        Self::Chunk,
        Self::Refused,
    ];

    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Alive => "alive",
            Self::Progress => "progress",
            Self::Result => "result",
            Self::Object => "object",
            Self::Busy => "busy",
            Self::Chunk => "chunk",
            Self::Refused => "refused",
        }
    }

    /// The event of an answer; one without the header is a result.
    pub(crate) fn of(headers: Option<&HeaderMap>) -> Option<Self> {
        let Some(word) = headers.and_then(|headers| headers.get(EVENT)) else {
            return Some(Self::Result);
        };
        let mut all = Self::ALL.into_iter();
        all.find(|event| event.word() == word.as_str())
    }

    pub(crate) fn headers(self) -> HeaderMap {
        let mut res = HeaderMap::new();
        res.insert(EVENT, self.word());
        res
    }
}

/// The body of a call.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Body {
    pub(crate) skill: String,
    #[serde(default)]
    pub(crate) command: Option<String>,
    #[serde(default)]
    pub(crate) input: Value,
}

/// What [`CALLS`] knows of a call.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "kebab-case")]
pub(crate) enum Record {
    /// A node has it.
    Running { node: String, incarnation: String },
    /// It is over, and this is the answer.
    Done { answer: Value },
    /// The same, and the answer is an object.
    Stored { object: Object },
}

/// An answer in the object store.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Object {
    pub(crate) name: String,
    pub(crate) bytes: usize,
    pub(crate) sha256: String,
}

/// What [`NODES`] knows of a node.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Beat {
    /// Another one whenever the node starts.
    pub(crate) incarnation: String,
    /// Number of skills that it offers.
    pub(crate) skills: usize,
}

/// The code of a call that its caller gave up.
pub(crate) const CANCELLED: &str = "cancelled";

/// An envelope without a value: `metadata.md`, *The result envelope*. `reason` tells apart what one
/// code covers.
pub(crate) fn failure(skill: &str, code: &str, reason: &str, message: &str) -> Value {
    json!({
        "ok": false,
        "error": { "code": code, "message": message, "details": { "reason": reason } },
        "warnings": [],
        "meta": { "skill": skill, "command": null, "executor": "distributed", "elapsed_ms": 0 },
    })
}

pub(crate) fn decode<T: for<'de> Deserialize<'de>>(
    what: &'static str,
    bytes: &[u8],
) -> Result<T, Error> {
    serde_json::from_slice(bytes).map_err(|error| Error::Foreign {
        what,
        problem: error.to_string(),
    })
}

/// The bytes of one of the records above.
pub(crate) fn encode<T: Serialize>(value: &T) -> Vec<u8> {
    serde_json::to_vec(value).expect("maps with text as keys")
}
