//! The state that all calls of a node share, and how a node sends its answers.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use async_nats::jetstream::{self, kv};
use serde_json::Value;
use tokio::sync::Semaphore;

use super::live::Calls;
use super::{NodeSettings, Offer, SharedRunner};
use crate::protocol::{self, CONFIRM, Event, Inbox, encode};
use crate::server::Connection;
use crate::{Error, bucket};

/// The state that all calls of a node share.
pub(super) struct Shared {
    pub(super) connection: Connection,
    pub(super) settings: NodeSettings,
    pub(super) grace: Duration,
    pub(super) incarnation: String,
    pub(super) offers: BTreeMap<String, Offer>,
    pub(super) runner: SharedRunner,
    pub(super) stores: Stores,
    pub(super) calls: Calls,
    /// The places for calls that have arrived or were claimed. There are more places than slots, so
    /// that the next call can arrive while one runs.
    pub(super) places: Arc<Semaphore>,
    /// The places for running calls.
    pub(super) slots: Semaphore,
}

/// The buckets of a node.
pub(super) struct Stores {
    pub(super) nodes: kv::Store,
    pub(super) answers: kv::Store,
    pub(super) catalog: kv::Store,
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shared")
            .field("node", &self.settings.name)
            .finish_non_exhaustive()
    }
}

/// The answer to a call, ready to be sent.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    pub(super) event: Event,
    pub(super) payload: Vec<u8>,
}

impl Answer {
    /// The envelope of a call.
    pub(super) fn result(payload: Vec<u8>) -> Self {
        Self {
            event: Event::Result,
            payload,
        }
    }
}

impl Stores {
    /// Opens the buckets, and creates those that do not exist.
    pub(super) async fn open(connection: &Connection, grace: Duration) -> Result<Self, Error> {
        let mut context = jetstream::new(connection.client.clone());
        context.set_timeout(CONFIRM);
        let limits = protocol::nodes_limits(grace);
        Ok(Self {
            nodes: bucket::key_value(&context, protocol::NODES, limits).await?,
            answers: bucket::key_value(&context, protocol::ANSWERS, protocol::ANSWERS_LIMITS)
                .await?,
            catalog: bucket::key_value(&context, protocol::CATALOG, protocol::CATALOG_LIMITS)
                .await?,
        })
    }
}

impl Shared {
    /// Sends an answer to one listener.
    pub(super) async fn send(&self, listener: &Inbox, answer: &Answer) {
        let (headers, payload) = (answer.event.headers(), answer.payload.clone());
        let subject = listener.answer(&self.settings.name);
        let client = &self.connection.client;
        // An answer that does not arrive is requested again.
        let _ = client
            .publish_with_headers(subject, headers, payload.into())
            .await;
    }

    /// Sends an event to one listener.
    pub(super) async fn tell(&self, listener: &Inbox, event: Event, value: &Value) {
        let payload = encode(value);
        self.send(listener, &Answer { event, payload }).await;
    }

    /// Sends an event to all listeners of a call.
    pub(super) async fn tell_all(&self, token: &str, event: Event, value: &Value) {
        for listener in self.calls.listeners(token) {
            self.tell(&listener, event, value).await;
        }
    }
}
