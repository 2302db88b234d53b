//! The protocol of nodes and callers: subjects, messages, records.
//!
//! ```text
//! skills.call.<skill>.<digest>                      a call is announced, without its input
//! skills.node.<node>.run.<owner>.<inbox>            the call with its input, to one node
//! skills.node.<node>.cancel                         the token of a cancelled call
//! skills.node.<node>.file.<owner>.<inbox>           a request for a file of a skill
//! skills.answer.<node>.<owner>.<inbox>              every answer of a node
//! bucket skills-nodes     <node>                    living nodes; an entry expires unless it is renewed
//! bucket skills-catalog   <skill>.<node>            a skill that a node offers
//! bucket skills-calls     <owner>.<id>              the node that a caller gave a call to
//! bucket skills-answers   <node>.<owner>.<id>       the answer of that node
//! ```
//!
//! `<owner>` is the prefix of the caller's answers (`--nats-inbox`). A server with permissions as
//! in `docs/nats/nats-server.conf` lets a node publish only on subjects with its own name, and a
//! caller only on subjects with its own prefix. So a subject proves the sender of a message.
//!
//! 1. The caller announces a call. One node of those that offer the skill gets the announcement.
//! 2. A node with a free place claims the call: it answers with a secret token.
//! 3. The caller writes down which node gets the call, and sends it input and token, with a new
//!    inbox that no other node knows.
//! 4. The node runs it, writes the answer down and sends it to that inbox.
//!
//! Inboxes and tokens are random (22 letters and digits, 131 bits). A client that has not read one
//! cannot forge a message with it, not even by making the server publish the message as the reply
//! to a request, which no permission of NATS prevents.

use std::time::Duration;

use async_nats::{HeaderMap, Subject};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use skill_loader::Digest;

use crate::Error;
use crate::bucket::Limits;
use crate::server::Connection;
use crate::version;

/// The bucket of living nodes.
pub(crate) const NODES: &str = "skills-nodes";
/// The bucket of calls.
pub(crate) const CALLS: &str = "skills-calls";
/// The bucket of answers.
pub(crate) const ANSWERS: &str = "skills-answers";
/// The bucket of the skills that nodes offer.
pub(crate) const CATALOG: &str = "skills-catalog";

/// The queue group of announcements. It is the same for all skills, so that a server can refuse
/// every subscription outside of it; the subject already tells skills apart.
pub(crate) const QUEUE: &str = "skills";
/// The header with the kind of an answer: a word of [`Event`].
pub(crate) const EVENT: &str = "Skills-Event";
/// The token in place of the node in the subject on which the server reports that there are no
/// responders. It is not a valid name of a node.
const NOBODY: &str = "$";

/// The interval of the reports of a node that a call waits or runs. [`Patience::silence`] is several
/// of these.
///
/// [`Patience::silence`]: crate::call::Patience::silence
pub(crate) const ALIVE_EVERY: Duration = Duration::from_millis(500);
/// The time limit of the server for confirming a write, before it is repeated.
pub(crate) const CONFIRM: Duration = Duration::from_secs(2);
/// The time for which the record of a call and its answer are kept, and its id is not run again.
pub(crate) const KEEP_CALLS: Duration = Duration::from_mins(10);
/// The maximum size of all records of calls, in bytes. If the bucket is full, no call starts.
const CALLS_BYTES: i64 = 1 << 30;
/// The maximum size of all answers, in bytes. If the bucket is full, nodes wait until older answers
/// expire.
const ANSWERS_BYTES: i64 = 4 << 30;
/// The maximum size of an answer of a skill, in bytes.
pub(crate) const MAX_RESULT: usize = 64 << 20;
/// The space of a message for everything besides its payload, in bytes.
pub(crate) const HEADROOM: usize = 16 << 10;
/// The maximum size of an entry of the catalog, in bytes.
pub(crate) const MAX_ENTRY: usize = 16 << 10;
/// The time after which an entry of the catalog expires unless its node renews it.
pub(crate) const KEEP_CATALOG: Duration = Duration::from_hours(24);

/// Limits of [`CALLS`].
pub(crate) const CALLS_LIMITS: Limits = Limits {
    age: KEEP_CALLS,
    value: -1,
    bytes: CALLS_BYTES,
};
/// Limits of [`ANSWERS`].
pub(crate) const ANSWERS_LIMITS: Limits = Limits {
    age: KEEP_CALLS,
    value: -1,
    bytes: ANSWERS_BYTES,
};
/// Limits of [`CATALOG`].
pub(crate) const CATALOG_LIMITS: Limits = Limits {
    age: KEEP_CATALOG,
    value: 20 << 10,
    bytes: -1,
};

/// Returns the limits of [`NODES`]: an entry expires after the grace period of a node.
pub(crate) fn nodes_limits(grace: Duration) -> Limits {
    Limits {
        age: grace,
        value: 4 << 10,
        bytes: -1,
    }
}

/// Returns the subject on which calls of a skill with exactly these bytes are announced.
pub(crate) fn call_subject(skill: &str, digest: &str) -> String {
    format!("skills.call.{skill}.{}", short(digest))
}

/// Returns a subject of one node.
pub(crate) fn node_subject(node: &str, verb: &str) -> String {
    format!("skills.node.{node}.{verb}")
}

/// Returns the node that sent a message on a subject; `None` for messages of the server itself.
pub(crate) fn sender(subject: &Subject) -> Option<&str> {
    let node = subject.strip_prefix("skills.answer.")?.split('.').next()?;
    (node != NOBODY).then_some(node)
}

/// Returns 22 random letters and digits.
pub(crate) fn random(connection: &Connection) -> String {
    let inbox = connection.client.new_inbox();
    inbox.rsplit('.').next().unwrap_or(&inbox).to_owned()
}

/// The inbox of a caller for the answers to one request.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Inbox {
    /// The prefix of the caller's answers.
    pub(crate) owner: String,
    name: String,
}

impl Inbox {
    /// Creates a random inbox for this connection.
    pub(crate) fn new(connection: &Connection) -> Self {
        let inbox = connection.client.new_inbox();
        let (owner, name) = inbox.rsplit_once('.').unwrap_or(("_INBOX", &inbox));
        Self {
            owner: owner.to_owned(),
            name: name.to_owned(),
        }
    }

    /// Returns the subject on which any node may answer, and the server if there are no responders.
    pub(crate) fn listen(&self) -> String {
        self.answer("*")
    }

    /// Returns the subject on which this node answers.
    pub(crate) fn answer(&self, node: &str) -> String {
        format!("skills.answer.{node}.{}.{}", self.owner, self.name)
    }

    /// Returns the reply subject of a request.
    pub(crate) fn reply(&self) -> String {
        self.answer(NOBODY)
    }

    /// Returns the subject of a request to one node, which proves the sender.
    pub(crate) fn question(&self, node: &str, verb: &str) -> String {
        format!("{}.{}.{}", node_subject(node, verb), self.owner, self.name)
    }

    /// Returns the inbox of an announcement from its reply subject.
    pub(crate) fn of_reply(reply: &Subject) -> Option<Self> {
        let rest = reply.strip_prefix("skills.answer.")?.strip_prefix(NOBODY)?;
        Self::of_tokens(rest.strip_prefix('.')?)
    }

    /// Returns the inbox of a request from the tokens after the verb in its subject.
    pub(crate) fn of_tokens(tokens: &str) -> Option<Self> {
        let (owner, name) = tokens.split_once('.')?;
        crate::error::check_name("owner of an inbox", owner).ok()?;
        crate::error::check_name("name of an inbox", name).ok()?;
        Some(Self {
            owner: owner.to_owned(),
            name: name.to_owned(),
        })
    }
}

/// Returns the key under which a caller records the node of a call.
pub(crate) fn call_key(owner: &str, id: &str) -> String {
    format!("{owner}.{id}")
}

/// Returns the key under which a node stores its answer to a call.
pub(crate) fn answer_key(node: &str, owner: &str, id: &str) -> String {
    format!("{node}.{owner}.{id}")
}

/// Returns the first 64 bits of a digest in hex digits, enough to distinguish skills of one name.
pub(crate) fn short(digest: &str) -> &str {
    let hex = digest.rsplit(':').next().unwrap_or_default();
    hex.get(..16).unwrap_or(hex)
}

/// The kind of a message from a node to a caller.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Event {
    /// The node claims the call; the body is [`Claimed`].
    Claimed,
    /// The node has the call.
    Accepted,
    /// The call waits on the node, or runs.
    Alive,
    /// The progress that the skill reports.
    Progress,
    /// The answer.
    Result,
    /// The answer is in the bucket of answers; the body is [`Stored`].
    Stored,
    /// The node has no capacity; another may.
    Busy,
    /// The node did not claim a call with this token, or the claim is over; the body is [`Claimed`].
    Unknown,
    /// A piece of a file.
    Chunk,
    /// The request cannot be answered; the body has the reason.
    Refused,
}

impl Event {
    const ALL: [Self; 10] = [
        Self::Claimed,
        Self::Accepted,
        Self::Alive,
        Self::Progress,
        Self::Result,
        Self::Stored,
        Self::Busy,
        Self::Unknown,
        Self::Chunk,
        Self::Refused,
    ];

    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Claimed => "claimed",
            Self::Accepted => "accepted",
            Self::Alive => "alive",
            Self::Progress => "progress",
            Self::Result => "result",
            Self::Stored => "stored",
            Self::Busy => "busy",
            Self::Unknown => "unknown",
            Self::Chunk => "chunk",
            Self::Refused => "refused",
        }
    }

    /// Returns the event of an answer.
    pub(crate) fn of(headers: Option<&HeaderMap>) -> Option<Self> {
        let word = headers?.get(EVENT)?;
        let mut all = Self::ALL.into_iter();
        all.find(|event| event.word() == word.as_str())
    }

    pub(crate) fn headers(self) -> HeaderMap {
        let mut res = HeaderMap::new();
        res.insert(EVENT, self.word());
        res
    }
}

/// The announcement of a call, without its content.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Announcement {
    /// [`version::PROTOCOL`] of the caller.
    pub(crate) protocol: u32,
    /// The time that the caller will wait from now, in milliseconds.
    pub(crate) deadline_ms: u64,
}

/// The claim of a node.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Claimed {
    /// The id of this run of the node.
    pub(crate) incarnation: String,
    /// The secret that only this node and the readers of the claim know.
    pub(crate) token: String,
}

/// A call with its input.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Body {
    /// The id of the call, under which its answer is kept.
    pub(crate) id: String,
    /// The token of the claim.
    pub(crate) token: String,
    /// The time that the caller will wait from now, in milliseconds.
    pub(crate) deadline_ms: u64,
    pub(crate) skill: String,
    #[serde(default)]
    pub(crate) command: Option<String>,
    #[serde(default)]
    pub(crate) input: Value,
}

/// The record of a call in [`CALLS`]. Only callers of one owner read and write it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Record {
    /// The node that the call was given to.
    pub(crate) node: String,
    /// The claim of that node.
    pub(crate) claim: Claimed,
    /// [`input_digest`] of the call.
    pub(crate) input: String,
}

/// The record of an answer in [`ANSWERS`]. Only its node writes it, and only its owner reads it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Stored {
    /// The token of the claim, which proves that the node answers this call.
    pub(crate) token: String,
    pub(crate) answer: Kept,
}

/// A stored answer.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "as", rename_all = "kebab-case")]
pub(crate) enum Kept {
    /// An answer in one message.
    Whole { value: Value },
    /// An answer that is larger than a message, in the entries `<key>.0`, `<key>.1`, ….
    Pieces {
        count: usize,
        bytes: usize,
        sha256: String,
    },
}

/// Returns the digest of skill, command and input. The order of keys does not matter.
pub(crate) fn input_digest(skill: &str, command: Option<&str>, input: &Value) -> String {
    let text = json!([skill, command, sorted(input)]).to_string();
    Digest::from_content(text.as_bytes()).to_string()
}

fn sorted(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(sorted).collect(),
        Value::Object(map) => {
            let mut entries: Vec<_> = map.iter().collect();
            entries.sort_by_key(|(key, _)| *key);
            let entries = entries.into_iter();
            Value::Object(entries.map(|(k, v)| (k.clone(), sorted(v))).collect())
        }
        _ => value.clone(),
    }
}

/// The record of a node in [`NODES`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Beat {
    /// The id of this run of the node.
    pub(crate) incarnation: String,
    /// The number of skills that it offers.
    pub(crate) skills: usize,
    /// [`version::PROTOCOL`] of the node; the first version if it is absent.
    #[serde(default = "version::first")]
    pub(crate) protocol: u32,
}

/// The code of a cancelled call.
pub(crate) const CANCELLED: &str = "cancelled";

/// Returns the envelope of a failure (`docs/running.md`, "The answer"). `reason` distinguishes
/// failures with the same code.
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

/// Returns the bytes of one of the records above.
pub(crate) fn encode<T: Serialize>(value: &T) -> Vec<u8> {
    serde_json::to_vec(value).expect("maps with text as keys")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_reply(reply: &str, expected: Option<(&str, &str)>) {
        let found = Inbox::of_reply(&Subject::from(reply));
        let found = found.as_ref().map(|inbox| (&*inbox.owner, &*inbox.name));
        assert_eq!(found, expected, "{reply}");
    }

    #[test]
    fn only_the_reply_of_an_announcement_is_an_inbox() {
        check_reply("skills.answer.$._INBOX_a.x1", Some(("_INBOX_a", "x1")));
        for reply in [
            "skills.answer.lab-1._INBOX_a.x1",
            "skills.answer.$._INBOX_a",
            "skills.answer.$._INBOX_a.x.y",
            "skills.answer.$.*.x",
            "skills.answer.$.>",
            "_INBOX.x1",
            "$JS.ACK.KV_skills-catalog.a.1.2.3.4.5",
        ] {
            check_reply(reply, None);
        }
    }

    #[test]
    fn the_node_of_an_answer_is_that_of_its_subject() {
        for (subject, expected) in [
            ("skills.answer.lab-1._INBOX.x", Some("lab-1")),
            ("skills.answer.$._INBOX.x", None),
            ("_INBOX.x", None),
        ] {
            assert_eq!(sender(&Subject::from(subject)), expected);
        }
    }

    #[test]
    fn the_digest_of_an_input_tells_calls_apart_and_not_orders_of_keys() {
        let of = |command, input: &str| {
            let input = serde_json::from_str(input).expect("JSON");
            input_digest("x", command, &input)
        };
        let first = of(None, r#"{"a": [{"b": 1, "c": 2}], "d": null}"#);
        assert_eq!(first, of(None, r#"{"d": null, "a": [{"c": 2, "b": 1}]}"#));
        for other in [
            of(Some("say"), r#"{"a": [{"b": 1, "c": 2}], "d": null}"#),
            of(None, r#"{"a": [{"b": 2, "c": 1}], "d": null}"#),
            of(None, r#"{"a": [{"b": 1, "c": 2}]}"#),
        ] {
            assert_ne!(first, other);
        }
    }
}
