//! One call: announces it, gives it to a node, and repeats both until there is an answer.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_nats::{Message, StatusCode, Subscriber};
use futures_util::StreamExt as _;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::ledger::{Given, Key, Ledger, Life};
use super::request::{CallEvent, Patience, RemoteCall, cancelled};
use super::state::{CallState, Stage};
use crate::Error;
use crate::catalog::{self, RemoteSkill};
use crate::protocol::{
    Announcement, Body, Claimed, Event, HEADROOM, Inbox, Record, Stored, answer_key, call_subject,
    decode, encode, failure, input_digest, node_subject, sender,
};
use crate::server::Connection;
use crate::version::PROTOCOL;

/// The time after the deadline in which a node can report that it is over.
const GRACE: Duration = Duration::from_secs(3);
/// The shortest time between two lookups in the catalog, when an unknown node claims the call.
const LOOK_AGAIN: Duration = Duration::from_millis(500);

/// A call that waits for its answer.
pub(super) struct Waiting<'a> {
    connection: &'a Connection,
    patience: &'a Patience,
    ledger: &'a Ledger,
    skill: RemoteSkill,
    call: &'a RemoteCall,
    id: String,
    until: Instant,
    /// The digest of skill, command and input.
    input: String,
    /// The inbox on which every node may answer; it is in the announcement.
    open: Inbox,
    /// The inbox on which the node with the call answers; no other node knows it.
    closed: Inbox,
    /// The node that has the call, for a cancellation.
    has_it: Mutex<Option<Record>>,
}

impl<'a> Waiting<'a> {
    pub(super) fn new(
        (connection, patience): (&'a Connection, &'a Patience),
        ledger: &'a Ledger,
        skill: RemoteSkill,
        call: &'a RemoteCall,
        id: String,
        until: Instant,
    ) -> Self {
        Self {
            input: input_digest(&call.skill, call.command.as_deref(), &call.input),
            open: Inbox::new(connection),
            closed: Inbox::new(connection),
            connection,
            patience,
            ledger,
            skill,
            call,
            id,
            until,
            has_it: Mutex::default(),
        }
    }

    fn key(&self) -> Key<'_> {
        Key {
            owner: &self.open.owner,
            id: &self.id,
        }
    }

    /// Waits until there is an answer, the call is cancelled, or its deadline has passed.
    pub(super) async fn answer(
        &self,
        on: &mut (dyn FnMut(CallEvent) + Send),
        cancel: impl Future<Output = ()> + Send,
    ) -> Result<Value, Error> {
        let limit = self.connection.client.max_payload();
        let size = self.body("").len();
        if size > limit.saturating_sub(HEADROOM) {
            let message = format!("the input has {size} bytes; a message holds {limit}");
            return Ok(self.failed("too-large", "input", &message));
        }
        let given_up = tokio::select! {
            biased;
            answer = self.converse(on) => return answer,
            () = cancel => cancelled(&self.call.skill),
            () = tokio::time::sleep_until(self.until + GRACE) => {
                self.failed("timeout", "deadline", "no answer came in time")
            }
        };
        self.cancel().await;
        Ok(given_up)
    }

    /// Returns the call with its input, for the node with this token.
    fn body(&self, token: &str) -> Vec<u8> {
        encode(&Body {
            id: self.id.clone(),
            token: token.to_owned(),
            deadline_ms: self.left_ms(),
            skill: self.call.skill.clone(),
            command: self.call.command.clone(),
            input: self.call.input.clone(),
        })
    }

    fn has_it(&self) -> MutexGuard<'_, Option<Record>> {
        self.has_it.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn left_ms(&self) -> u64 {
        let left = self.until.saturating_duration_since(Instant::now());
        u64::try_from(left.as_millis()).unwrap_or(u64::MAX)
    }

    async fn listen(&self, inbox: &Inbox) -> Result<Subscriber, Error> {
        let subscribed = self.connection.client.subscribe(inbox.listen());
        subscribed
            .await
            .map_err(Error::refused("listen for an answer"))
    }

    async fn converse(&self, on: &mut (dyn FnMut(CallEvent) + Send)) -> Result<Value, Error> {
        let mut open = self.listen(&self.open).await?;
        let mut closed = self.listen(&self.closed).await?;
        let nodes = self.skill.nodes.clone();
        let mut state = CallState::new(nodes, self.call.id.is_some());
        loop {
            let step = tokio::select! {
                biased;
                message = closed.next() => match message {
                    Some(message) => self.hear(&mut state, &message, on).await,
                    None => return Ok(self.closed_connection()),
                },
                message = open.next() => match message {
                    Some(message) => self.hear_all(&mut state, &message).await,
                    None => return Ok(self.closed_connection()),
                },
                () = tokio::time::sleep_until(state.next) => {
                    self.ask_again(&mut state, on).await
                }
            };
            match step {
                Ok(Some(answer)) => return Ok(answer),
                Ok(None) => {}
                // The server may answer later; the deadline ends the call.
                Err(Error::Refused { .. }) => state.put_off(),
                Err(error) => return Err(error),
            }
        }
    }

    fn closed_connection(&self) -> Value {
        self.failed("unavailable", "server", "the connection was closed")
    }

    /// Announces or sends the call: for the first time, or because the node was silent.
    async fn ask_again(
        &self,
        state: &mut CallState,
        on: &mut (dyn FnMut(CallEvent) + Send),
    ) -> Result<Option<Value>, Error> {
        if state.asked > 0 {
            on(CallEvent::Again);
        }
        state.asked += 1;
        state.next = Instant::now() + self.patience.silence;
        match &state.stage {
            Stage::Open(_) => self.announce().await.map(|()| None),
            Stage::Given(given) => {
                let given = given.clone();
                self.resume(state, given).await
            }
            Stage::Unseen => match self.ledger.given(self.key()).await? {
                Some(given) => self.resume(state, given).await,
                None => {
                    state.stage = Stage::Open(None);
                    self.announce().await.map(|()| None)
                }
            },
        }
    }

    /// Announces the call, without its content.
    async fn announce(&self) -> Result<(), Error> {
        let announcement = encode(&Announcement {
            protocol: PROTOCOL,
            deadline_ms: self.left_ms(),
        });
        let subject = call_subject(&self.skill.name, &self.skill.digest);
        let client = &self.connection.client;
        let sent = client.publish_with_reply(subject, self.open.reply(), announcement.into());
        sent.await.map_err(Error::refused("announce a call"))
    }

    /// Sends the input to the node that has the call, and to no other.
    async fn send(&self, record: &Record) -> Result<(), Error> {
        *self.has_it() = Some(record.clone());
        let subject = self.closed.question(&record.node, "run");
        let body = self.body(&record.claim.token).into();
        let client = &self.connection.client;
        let sent = client.publish_with_reply(subject, self.closed.reply(), body);
        sent.await.map_err(Error::refused("send a call"))
    }

    /// Handles a message on the inbox of the announcement. Returns the answer if it ends the call.
    async fn hear_all(
        &self,
        state: &mut CallState,
        message: &Message,
    ) -> Result<Option<Value>, Error> {
        if !matches!(state.stage, Stage::Open(_)) {
            return Ok(None);
        }
        let Some(node) = sender(&message.subject) else {
            return Ok(self.unheard(state, message));
        };
        if !self.offers(state, node).await {
            return Ok(None);
        }
        match Event::of(message.headers.as_ref()) {
            Some(Event::Claimed) => {
                let claim = decode("the claim of a node", &message.payload)?;
                return self.give(state, node, claim).await;
            }
            Some(Event::Alive) => state.heard(self.patience.silence),
            Some(Event::Busy) => {
                state.heard = Instant::now();
                state.put_off();
            }
            Some(Event::Refused) => return self.refused(node, message).map(Some),
            _ => {}
        }
        Ok(None)
    }

    /// Handles the report of the server that there are no responders.
    fn unheard(&self, state: &mut CallState, message: &Message) -> Option<Value> {
        if message.status != Some(StatusCode::NO_RESPONDERS) {
            return None;
        }
        if state.heard.elapsed() >= self.patience.absence {
            let message = format!("no node offers the skill `{}` now", self.skill.name);
            return Some(self.failed("unavailable", "no-node", &message));
        }
        state.put_off();
        None
    }

    /// Returns true if a node offers the skill according to the catalog, which is read again if the
    /// node is unknown.
    async fn offers(&self, state: &mut CallState, node: &str) -> bool {
        let is_known = |state: &CallState| state.nodes.iter().any(|known| known == node);
        if is_known(state) {
            return true;
        }
        if state.looked.elapsed() >= LOOK_AGAIN {
            state.looked = Instant::now();
            let prefer = &self.patience.prefer;
            let found = catalog::find(self.connection, &self.skill.name, prefer).await;
            if let Ok(Some(found)) = found
                && found.digest == self.skill.digest
            {
                state.nodes.extend(found.nodes);
            }
        }
        is_known(state)
    }

    /// Gives the call to the node that claims it, unless another node has it.
    async fn give(
        &self,
        state: &mut CallState,
        node: &str,
        claim: Claimed,
    ) -> Result<Option<Value>, Error> {
        let Stage::Open(instead) = state.stage else {
            return Ok(None);
        };
        let record = Record {
            node: node.to_owned(),
            claim,
            input: self.input.clone(),
        };
        match self.ledger.give(self.key(), record, instead).await {
            Ok(Some(given)) => {
                self.send(&given.record).await?;
                state.stage = Stage::Given(given);
                state.heard(self.patience.silence);
                Ok(None)
            }
            Ok(None) => match self.ledger.given(self.key()).await? {
                Some(given) => self.resume(state, given).await,
                // The record has expired meanwhile.
                None => {
                    state.stage = Stage::Open(None);
                    state.put_off();
                    Ok(None)
                }
            },
            // Nothing was sent, so the call is announced again.
            Err(_) => {
                state.put_off();
                Ok(None)
            }
        }
    }

    /// Continues with a call that a node has: takes its answer or sends the call again. If the node
    /// is gone and the skill may run twice, another node gets the call.
    async fn resume(&self, state: &mut CallState, given: Given) -> Result<Option<Value>, Error> {
        if given.record.input != self.input {
            let message = format!(
                "the id `{}` is that of a call with another input, which is less than ten minutes old; expected the same skill, command and input, or another id",
                self.id
            );
            return Ok(Some(self.failed("invalid-input", "id", &message)));
        }
        if let Some(answer) = self.ledger.answer(self.key(), &given.record).await? {
            return Ok(Some(self.marked(answer, &given.record.node, state)));
        }
        let record = &given.record;
        match self.ledger.life(self.connection, record).await? {
            Life::Dead => return self.lost(state, &given).await,
            Life::Alive | Life::Unclear => self.send(record).await?,
        }
        state.next = Instant::now() + self.patience.silence;
        state.stage = Stage::Given(given);
        Ok(None)
    }

    /// Handles the loss of the node that has the call.
    async fn lost(&self, state: &mut CallState, given: &Given) -> Result<Option<Value>, Error> {
        if self.skill.idempotent {
            state.open(given.revision);
            return Ok(None);
        }
        // The node may have answered before it was lost.
        let node = &given.record.node;
        if let Some(answer) = self.ledger.answer(self.key(), &given.record).await? {
            return Ok(Some(self.marked(answer, node, state)));
        }
        let message = format!(
            "the node `{node}` was lost while it had the call; whether the skill did its work is not known, and it is not idempotent"
        );
        Ok(Some(self.failed("unavailable", "node-lost", &message)))
    }

    /// Handles a message on the inbox that only the node with the call knows.
    async fn hear(
        &self,
        state: &mut CallState,
        message: &Message,
        on: &mut (dyn FnMut(CallEvent) + Send),
    ) -> Result<Option<Value>, Error> {
        let Stage::Given(given) = &state.stage else {
            return Ok(None);
        };
        let given = given.clone();
        let node = &*given.record.node;
        match sender(&message.subject) {
            // The node is absent now; the next attempt shows whether it has come back.
            None => {
                if message.status == Some(StatusCode::NO_RESPONDERS) {
                    state.put_off();
                }
                return Ok(None);
            }
            Some(sender) if sender != node => return Ok(None),
            Some(_) => {}
        }
        state.heard(self.patience.silence);
        match Event::of(message.headers.as_ref()) {
            Some(Event::Result) => {
                let answer = decode("the answer of a node", &message.payload)?;
                return Ok(Some(self.marked(answer, node, state)));
            }
            Some(Event::Stored) => {
                let stored: Stored = decode("the answer of a node", &message.payload)?;
                let name = answer_key(node, &self.open.owner, &self.id);
                let answer = self.ledger.whole(&name, stored.answer).await?;
                return Ok(Some(self.marked(answer, node, state)));
            }
            Some(Event::Progress) => {
                on(CallEvent::Progress(decode("progress", &message.payload)?));
            }
            Some(Event::Accepted) if !std::mem::replace(&mut state.accepted, true) => {
                let node = node.to_owned();
                on(CallEvent::Accepted { node });
            }
            Some(Event::Unknown) => return self.unknown(state, &given, message).await,
            Some(Event::Refused) => return self.refused(node, message).map(Some),
            _ => {}
        }
        Ok(None)
    }

    /// Handles the report of a node that it has no such call.
    async fn unknown(
        &self,
        state: &mut CallState,
        given: &Given,
        message: &Message,
    ) -> Result<Option<Value>, Error> {
        let said: Claimed = decode("the word of a node", &message.payload)?;
        if said.token != given.record.claim.token {
            return Ok(None);
        }
        if let Some(answer) = self.ledger.answer(self.key(), &given.record).await? {
            return Ok(Some(self.marked(answer, &given.record.node, state)));
        }
        if said.incarnation == given.record.claim.incarnation {
            // The claim expired before the call arrived, so the call never started.
            state.open(given.revision);
            return Ok(None);
        }
        self.resume(state, given.clone()).await
    }

    /// Returns the envelope for a call that the node refuses.
    fn refused(&self, node: &str, message: &Message) -> Result<Value, Error> {
        let body: Value = decode("the word of a node", &message.payload)?;
        let why = body["why"].as_str().unwrap_or("it does not say why");
        let why = format!("the node `{node}` refuses the call: {why}");
        Ok(self.failed("unavailable", "refused", &why))
    }

    /// Returns the answer with its node, its id and the number of attempts.
    fn marked(&self, answer: Value, node: &str, state: &CallState) -> Value {
        let mut answer = match answer {
            Value::Object(map) => Value::Object(map),
            _ => self.failed(
                "protocol",
                "answer",
                "the node did not answer with an envelope",
            ),
        };
        if !answer["meta"].is_object() {
            answer["meta"] = json!({});
        }
        answer["meta"]["node"] = node.into();
        answer["meta"]["call"] = self.id.clone().into();
        answer["meta"]["asked"] = state.asked.into();
        answer
    }

    fn failed(&self, code: &str, reason: &str, message: &str) -> Value {
        failure(&self.call.skill, code, reason, message)
    }

    /// Cancels the call on the node that has it. Without a node nothing is sent, because a call whose
    /// input was never sent does not start.
    async fn cancel(&self) {
        let has_it = self.has_it().clone();
        let Some(record) = has_it else {
            return;
        };
        let client = &self.connection.client;
        let token = record.claim.token.into_bytes();
        let subject = node_subject(&record.node, "cancel");
        let _ = client.publish(subject, token.into()).await;
        let _ = tokio::time::timeout(GRACE, client.flush()).await;
    }
}
