//! What callers write down of their calls, and what nodes write down of their answers.

use async_nats::jetstream::kv::{self, CreateErrorKind, Operation, UpdateErrorKind};
use async_nats::jetstream::{self};
use serde_json::Value;
use skill_loader::Digest;
use std::time::Duration;

use crate::ask::ask;
use crate::protocol::{
    self, Beat, Kept, MAX_RESULT, Record, Stored, answer_key, call_key, decode, encode,
};
use crate::server::Connection;
use crate::{Error, bucket};

/// How long a server may take to confirm what is written, before it is written again.
const CONFIRM: Duration = Duration::from_secs(2);

/// The buckets that a caller needs.
#[derive(Debug)]
pub(super) struct Ledger {
    calls: kv::Store,
    answers: kv::Store,
    nodes: kv::Store,
    /// How long a node may be silent.
    grace: Duration,
}

/// Whose call it is, and its id.
#[derive(Clone, Copy, Debug)]
pub(super) struct Key<'a> {
    pub(super) owner: &'a str,
    pub(super) id: &'a str,
}

/// To whom a call was given.
#[derive(Clone, Debug)]
pub(super) struct Given {
    pub(super) record: Record,
    pub(super) revision: u64,
}

/// Whether a node that has a call can still answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Life {
    Alive,
    /// Nothing is known of it, and it may be on its way back.
    Unclear,
    Dead,
}

impl Ledger {
    /// Opens the buckets. That of the calls is made where there is none.
    pub(super) async fn open(connection: &Connection) -> Result<Self, Error> {
        let mut context = jetstream::new(connection.client.clone());
        context.set_timeout(CONFIRM);
        let missing = || Error::refused("open a bucket")("no node has been here yet");
        let calls = bucket::key_value(&context, protocol::CALLS, protocol::CALLS_LIMITS).await?;
        let answers = bucket::find(&context, protocol::ANSWERS).await?;
        let nodes = bucket::find(&context, protocol::NODES).await?;
        let nodes = nodes.ok_or_else(missing)?;
        let grace = nodes.stream.cached_info().config.max_age;
        Ok(Self {
            calls,
            answers: answers.ok_or_else(missing)?,
            nodes,
            grace,
        })
    }

    /// The record of a call, if there is one.
    pub(super) async fn given(&self, key: Key<'_>) -> Result<Option<Given>, Error> {
        let name = call_key(key.owner, key.id);
        let entry = ask("read the record of a call", || self.calls.entry(&name)).await?;
        let Some(entry) = entry.filter(|entry| entry.operation == Operation::Put) else {
            return Ok(None);
        };
        Ok(Some(Given {
            record: decode("the record of a call", &entry.value)?,
            revision: entry.revision,
        }))
    }

    /// Gives a call to a node: one that nobody has, or one that was given to another node at this
    /// revision. None when somebody else gave it away at this moment.
    pub(super) async fn give(
        &self,
        key: Key<'_>,
        record: Record,
        instead: Option<u64>,
    ) -> Result<Option<Given>, Error> {
        let action = "give a call to a node";
        let (name, value) = (call_key(key.owner, key.id), encode(&record).into());
        let revision = match instead {
            None => match self.calls.create(&name, value).await {
                Ok(revision) => revision,
                Err(error) if error.kind() == CreateErrorKind::AlreadyExists => return Ok(None),
                Err(error) => return Err(Error::refused(action)(error)),
            },
            Some(revision) => match self.calls.update(&name, value, revision).await {
                Ok(revision) => revision,
                Err(error) if error.kind() == UpdateErrorKind::WrongLastRevision => {
                    return Ok(None);
                }
                Err(error) => return Err(Error::refused(action)(error)),
            },
        };
        Ok(Some(Given { record, revision }))
    }

    /// The answer of the node that has a call, if it wrote one down.
    pub(super) async fn answer(
        &self,
        key: Key<'_>,
        record: &Record,
    ) -> Result<Option<Value>, Error> {
        let name = answer_key(&record.node, key.owner, key.id);
        let found = bucket::get(&self.answers, &name, "read an answer").await?;
        let Some(bytes) = found else {
            return Ok(None);
        };
        let stored: Stored = decode("an answer", &bytes)?;
        // Another call's, or not of this node.
        if stored.token != record.claim.token {
            return Ok(None);
        }
        self.whole(&name, stored.answer).await.map(Some)
    }

    /// An answer as it was before it was kept.
    pub(super) async fn whole(&self, name: &str, kept: Kept) -> Result<Value, Error> {
        let action = "fetch a large answer";
        let (count, bytes, sha256) = match kept {
            Kept::Whole { value } => return Ok(value),
            Kept::Pieces {
                count,
                bytes,
                sha256,
            } => (count, bytes, sha256),
        };
        if bytes > MAX_RESULT {
            return Err(Error::refused(action)("it is larger than is allowed"));
        }
        let mut res = Vec::new();
        for at in 0..count {
            let piece = bucket::get(&self.answers, &format!("{name}.{at}"), action).await?;
            let piece = piece.ok_or_else(|| Error::refused(action)("a piece is missing"))?;
            res.extend_from_slice(&piece);
            if res.len() > bytes {
                break;
            }
        }
        if res.len() != bytes || Digest::from_content(&res).hex() != sha256 {
            return Err(Error::refused(action)("it is not what the node stored"));
        }
        decode("the answer of a node", &res)
    }

    /// Whether the node that has a call is alive. A node that started anew is another one.
    pub(super) async fn life(
        &self,
        connection: &Connection,
        record: &Record,
    ) -> Result<Life, Error> {
        let action = "ask whether a node is alive";
        Ok(
            match bucket::get(&self.nodes, &record.node, action).await? {
                Some(bytes) => {
                    let beat = decode::<Beat>("a node", &bytes)?;
                    if beat.incarnation == record.claim.incarnation {
                        Life::Alive
                    } else {
                        Life::Dead
                    }
                }
                None if connection.is_settled(self.grace) => Life::Dead,
                None => Life::Unclear,
            },
        )
    }
}
