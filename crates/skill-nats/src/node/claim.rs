//! Who runs a call: decided in a bucket, once.

use async_nats::jetstream::kv::{self, CreateErrorKind, Operation};

use crate::ask::ask;
use crate::protocol::{Beat, Record, decode, encode};
use crate::{Error, bucket};

/// What there is to do for a call.
#[derive(Debug)]
pub(super) enum Claim {
    /// Run it; the revision of the claim.
    Mine(u64),
    /// It is over; this is the record.
    Over(Record),
    /// A living node has it.
    Elsewhere(String),
    /// Its node died, and nobody may run it again.
    Lost { node: String, revision: u64 },
}

/// Who asks, and where it is written down.
#[derive(Debug)]
pub(super) struct Claims<'a> {
    pub(super) calls: &'a kv::Store,
    pub(super) nodes: &'a kv::Store,
    pub(super) node: &'a str,
    pub(super) incarnation: &'a str,
    /// Whether everybody else had the time to show that they are alive.
    pub(super) is_settled: bool,
}

impl Claims<'_> {
    /// Claims a call, or finds out who has it.
    pub(super) async fn claim(&self, id: &str, idempotent: bool) -> Result<Claim, Error> {
        let mine = Record::Running {
            node: self.node.to_owned(),
            incarnation: self.incarnation.to_owned(),
        };
        match self.calls.create(id, encode(&mine).into()).await {
            Ok(revision) => return Ok(Claim::Mine(revision)),
            Err(error) if error.kind() == CreateErrorKind::AlreadyExists => {}
            Err(error) => return Err(Error::refused("claim a call")(error)),
        }
        let action = "read the record of a call";
        let entry = ask(action, || self.calls.entry(id)).await?;
        let Some(entry) = entry.filter(|entry| entry.operation == Operation::Put) else {
            // It was there a moment ago: its time was over.
            return Err(Error::refused(action)("the record is gone"));
        };
        let record: Record = decode("the record of a call", &entry.value)?;
        let Record::Running { node, incarnation } = record else {
            return Ok(Claim::Over(record));
        };
        if node == self.node && incarnation == self.incarnation {
            // Ours, and not running, or we would not ask: the server took the claim after we had
            // given up waiting for it.
            return self.take(id, &mine, entry.revision).await;
        }
        if self.is_alive(&node, &incarnation).await? {
            return Ok(Claim::Elsewhere(node));
        }
        if idempotent {
            return self.take(id, &mine, entry.revision).await;
        }
        Ok(Claim::Lost {
            node,
            revision: entry.revision,
        })
    }

    /// Takes a claim over, unless somebody else did at this moment.
    async fn take(&self, id: &str, mine: &Record, revision: u64) -> Result<Claim, Error> {
        let taken = self.calls.update(id, encode(mine).into(), revision).await;
        taken
            .map(Claim::Mine)
            .map_err(Error::refused("take a call over"))
    }

    /// Whether a node is alive. A node that started anew is another one; one of which nothing is
    /// known may still be on its way back.
    async fn is_alive(&self, node: &str, incarnation: &str) -> Result<bool, Error> {
        match bucket::get(self.nodes, node, "ask whether a node is alive").await? {
            Some(bytes) => Ok(decode::<Beat>("a node", &bytes)?.incarnation == incarnation),
            None => Ok(!self.is_settled),
        }
    }
}
