//! The records of calls, which callers write, and of answers, which nodes write.

use async_nats::jetstream::kv::{self, CreateErrorKind, Operation, UpdateErrorKind};
use async_nats::jetstream::{self};
use serde_json::Value;
use skill_loader::Digest;
use std::time::Duration;

use crate::ask::ask;
use crate::protocol::{
    self, Beat, CONFIRM, Kept, MAX_RESULT, Record, Stored, answer_key, call_key, decode, encode,
};
use crate::server::Connection;
use crate::{Error, bucket};

/// The buckets that a caller needs.
#[derive(Debug)]
pub(super) struct Ledger {
    calls: kv::Store,
    answers: kv::Store,
    nodes: kv::Store,
    /// The time for which a node may be silent.
    grace: Duration,
}

/// The owner of a call, and its id.
#[derive(Clone, Copy, Debug)]
pub(super) struct Key<'a> {
    pub(super) owner: &'a str,
    pub(super) id: &'a str,
}

/// The node that a call was given to, and the revision of the record.
#[derive(Clone, Debug)]
pub(super) struct Given {
    pub(super) record: Record,
    pub(super) revision: u64,
}

/// The state of a node that has a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Life {
    Alive,
    /// The node has no entry, but may be reconnecting.
    Unclear,
    Dead,
}

impl Ledger {
    /// Opens the buckets. The bucket of calls is created if it does not exist.
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

    /// Returns the record of a call, if there is one.
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

    /// Gives a call to a node, if no node has it or another node has it at the revision `instead`.
    /// Returns `None` if another caller gave it away at the same moment.
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

    /// Returns the answer of the node that has a call, if it stored one.
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
        // The answer to another call, or of another node.
        if stored.token != record.claim.token {
            return Ok(None);
        }
        self.whole(&name, stored.answer).await.map(Some)
    }

    /// Returns a stored answer, put together from its pieces.
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

    /// Returns the state of the node that has a call. A node that was restarted is another node.
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
