//! One call: asking, and asking again.

use std::time::Duration;

use async_nats::{HeaderMap, Message, StatusCode, jetstream};
use futures_util::StreamExt as _;
use serde_json::Value;
use skill_loader::Digest;
use tokio::io::AsyncReadExt as _;
use tokio::time::Instant;

use super::{Happening, Patience, RemoteCall, cancelled, revoke};
use crate::Error;
use crate::ask::ask;
use crate::catalog::RemoteSkill;
use crate::protocol::{
    self, Body, DEADLINE, EVENTS, Event, HEADROOM, ID, MAX_RESULT, Object, decode, encode, failure,
    node_subject, run_subject,
};
use crate::server::Connection;

/// Pauses after a node that is busy or not there: doubled each time, up to the second.
const PAUSE: (Duration, Duration) = (Duration::from_millis(20), Duration::from_secs(1));
/// What a node has on top of the deadline to say that it is over.
const GRACE: Duration = Duration::from_secs(3);

/// A call that waits for its answer.
pub(super) struct Waiting<'a> {
    pub(super) connection: &'a Connection,
    pub(super) patience: &'a Patience,
    pub(super) skill: &'a RemoteSkill,
    pub(super) call: &'a RemoteCall,
    pub(super) id: &'a str,
    pub(super) until: Instant,
}

/// How it stands with it.
struct Standing {
    node: Option<String>,
    heard: Instant,
    next: Instant,
    pause: Duration,
    asked: u32,
}

impl Standing {
    /// A node lives.
    fn heard(&mut self, silence: Duration) {
        self.heard = Instant::now();
        self.next = self.heard + silence;
        self.pause = PAUSE.0;
    }

    /// Nobody wants it now.
    fn put_off(&mut self) {
        self.next = Instant::now() + self.pause;
        self.pause = (self.pause * 2).min(PAUSE.1);
    }
}

impl Waiting<'_> {
    /// Asks until there is an answer.
    pub(super) async fn answer(
        &self,
        on: &mut (dyn FnMut(Happening) + Send),
        cancel: impl Future<Output = ()> + Send,
    ) -> Result<Value, Error> {
        let body = encode(&Body {
            skill: self.call.skill.clone(),
            command: self.call.command.clone(),
            input: self.call.input.clone(),
        });
        let limit = self.connection.client.max_payload();
        if body.len() > limit.saturating_sub(HEADROOM) {
            let message = format!(
                "the input has {} bytes; a message holds {limit}",
                body.len()
            );
            return Ok(self.failed("too-large", "input", &message));
        }
        let inbox = self.connection.client.new_inbox();
        let subscribed = self.connection.client.subscribe(inbox.clone()).await;
        let mut answers = subscribed.map_err(Error::refused("listen for an answer"))?;
        let now = Instant::now();
        let mut standing = Standing {
            node: None,
            heard: now,
            next: now,
            pause: PAUSE.0,
            asked: 0,
        };
        tokio::pin!(cancel);
        loop {
            tokio::select! {
                biased;
                message = answers.next() => {
                    let Some(message) = message else {
                        return Ok(self.failed("unavailable", "server", "the connection was closed"));
                    };
                    if let Some(answer) = self.take(&mut standing, &message, on).await? {
                        return Ok(answer);
                    }
                }
                () = &mut cancel => {
                    let answer = cancelled(&self.call.skill);
                    self.cancel(&standing, &answer).await;
                    return Ok(answer);
                }
                () = tokio::time::sleep_until(self.until + GRACE) => {
                    let answer = self.failed("timeout", "deadline", "no answer came in time");
                    self.cancel(&standing, &answer).await;
                    return Ok(answer);
                }
                () = tokio::time::sleep_until(standing.next) => {
                    if standing.asked > 0 {
                        on(Happening::Again);
                    }
                    standing.asked += 1;
                    standing.next = Instant::now() + self.patience.silence;
                    self.ask(&inbox, &body).await?;
                }
            }
        }
    }

    async fn ask(&self, inbox: &str, body: &[u8]) -> Result<(), Error> {
        let left = self.until.saturating_duration_since(Instant::now());
        let mut headers = HeaderMap::new();
        headers.insert(ID, self.id);
        headers.insert(DEADLINE, left.as_millis().to_string().as_str());
        headers.insert(EVENTS, "1");
        let subject = run_subject(&self.skill.name, &self.skill.digest);
        let client = &self.connection.client;
        let sent = client.publish_with_reply_and_headers(
            subject,
            inbox.to_owned(),
            headers,
            body.to_vec().into(),
        );
        sent.await.map_err(Error::refused("send a call"))
    }

    /// Takes what came. Some when it is the answer.
    async fn take(
        &self,
        standing: &mut Standing,
        message: &Message,
        on: &mut (dyn FnMut(Happening) + Send),
    ) -> Result<Option<Value>, Error> {
        if message.status == Some(StatusCode::NO_RESPONDERS) {
            if standing.heard.elapsed() >= self.patience.absence {
                let message = format!("no node offers the skill `{}` now", self.skill.name);
                return Ok(Some(self.failed("unavailable", "no-node", &message)));
            }
            standing.put_off();
            return Ok(None);
        }
        if let Some(answer) = self.refused(message) {
            return Ok(Some(answer));
        }
        let event = Event::of(message.headers.as_ref());
        match event {
            Some(Event::Result) => {
                let answer = decode("the answer of a node", &message.payload)?;
                return Ok(Some(self.marked(answer, standing)));
            }
            Some(Event::Object) => {
                let object = decode("the answer of a node", &message.payload)?;
                let answer = self.object(&object).await?;
                return Ok(Some(self.marked(answer, standing)));
            }
            Some(Event::Busy) => {
                standing.heard = Instant::now();
                standing.put_off();
            }
            Some(Event::Progress) => {
                standing.heard(self.patience.silence);
                on(Happening::Progress(decode("progress", &message.payload)?));
            }
            Some(Event::Accepted | Event::Alive) => {
                standing.heard(self.patience.silence);
                let body: Value = decode("the word of a node", &message.payload)?;
                let node = body["node"].as_str().unwrap_or_default().to_owned();
                if event == Some(Event::Accepted) && standing.node.as_ref() != Some(&node) {
                    on(Happening::Accepted { node: node.clone() });
                }
                standing.node = Some(node);
            }
            Some(Event::Chunk | Event::Refused) | None => {}
        }
        Ok(None)
    }

    /// An error of the micro service: the node does not understand the call.
    fn refused(&self, message: &Message) -> Option<Value> {
        let headers = message.headers.as_ref()?;
        let why = headers.get("Nats-Service-Error")?.as_str();
        Some(self.failed("invalid-input", "refused", why))
    }

    async fn object(&self, object: &Object) -> Result<Value, Error> {
        let action = "fetch a large answer";
        if object.bytes > MAX_RESULT {
            return Err(Error::refused(action)("it is larger than is allowed"));
        }
        let context = jetstream::new(self.connection.client.clone());
        let store = ask(action, || context.get_object_store(protocol::RESULTS)).await?;
        let found = ask(action, || store.get(&object.name)).await?;
        let mut bytes = Vec::new();
        let mut found = found.take(object.bytes as u64 + 1);
        let read = found.read_to_end(&mut bytes).await;
        read.map_err(Error::refused(action))?;
        if bytes.len() != object.bytes || Digest::of(&bytes).hex() != object.sha256 {
            return Err(Error::refused(action)("it is not what the node stored"));
        }
        decode("the answer of a node", &bytes)
    }

    /// The answer, with where it comes from.
    fn marked(&self, mut answer: Value, standing: &Standing) -> Value {
        if let Some(meta) = answer.get_mut("meta").and_then(Value::as_object_mut) {
            meta.insert("node".to_owned(), standing.node.clone().into());
            meta.insert("call".to_owned(), self.id.into());
            meta.insert("asked".to_owned(), standing.asked.into());
        }
        answer
    }

    fn failed(&self, code: &str, reason: &str, message: &str) -> Value {
        failure(&self.call.skill, code, reason, message)
    }

    /// Tells whoever has the call that nobody waits.
    async fn cancel(&self, standing: &Standing, answer: &Value) {
        let client = &self.connection.client;
        match &standing.node {
            Some(node) => {
                let subject = node_subject(node, "cancel");
                let id = self.id.as_bytes().to_vec();
                let _ = client.publish(subject, id.into()).await;
                let _ = client.flush().await;
            }
            None => revoke(self.connection, self.id, answer).await,
        }
    }
}
