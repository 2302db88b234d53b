//! One call, from the claim to the answer.

use std::sync::Arc;
use std::time::Duration;

use async_nats::jetstream::kv;
use async_nats::{HeaderMap, Subject};
use serde_json::{Value, json};
use skill_loader::Digest;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{Instant, MissedTickBehavior};

use super::claim::{Claim, Claims};
use super::live::{CANCEL_GRACE, Handle};
use super::serve::Shared;
use super::{LocalCall, Offer};
use crate::protocol::{
    CANCELLED, DEADLINE, Event, HEADROOM, ID, MAX_RESULT, Object, Record, encode, failure,
    node_subject,
};
use crate::{Error, bucket};

/// How often a caller hears that its call is alive.
const ALIVE_EVERY: Duration = Duration::from_millis(500);
/// Pause after a write that the server did not take; doubled each time, up to the second.
const RETRY: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(5));
/// Longest piece of progress, in bytes.
const MAX_PROGRESS: usize = 64 << 10;

/// A call with who asked.
#[derive(Debug)]
pub(super) struct Incoming {
    pub(super) call: LocalCall,
    pub(super) listener: Option<Subject>,
    pub(super) wants_events: bool,
    /// The body as it came, to hand it on.
    pub(super) body: Vec<u8>,
}

/// The answer to a call, ready to be sent.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    pub(super) event: Event,
    pub(super) payload: Vec<u8>,
}

/// Does what there is to do for a call. `None` when the answer comes from elsewhere.
pub(super) async fn handle(node: &Arc<Shared>, incoming: &Incoming) -> Option<Answer> {
    let id = &incoming.call.id;
    let offer = node.offers.get(&incoming.call.skill)?.clone();
    if node.calls.len() >= node.settings.slots + node.settings.queue {
        return Some(Answer::busy());
    }
    let listener = incoming.listener.as_ref().filter(|_| incoming.wants_events);
    let handle = node.calls.begin(id, listener);
    let Some(handle) = handle else {
        node.tell(listener, Event::Accepted, &accepted(node)).await;
        return None;
    };
    let answer = begun(node, incoming, &offer, handle).await;
    for other in node.calls.end(id) {
        if let Some(answer) = &answer
            && Some(&other) != incoming.listener.as_ref()
        {
            node.send(&other, answer).await;
        }
    }
    answer
}

fn accepted(node: &Shared) -> Value {
    json!({ "node": node.settings.name })
}

/// A call that is not here already: waits for a slot, claims it, runs it.
async fn begun(
    node: &Arc<Shared>,
    incoming: &Incoming,
    offer: &Offer,
    handle: Handle,
) -> Option<Answer> {
    let call = &incoming.call;
    let start = Instant::now();
    let listener = incoming.listener.as_ref().filter(|_| incoming.wants_events);
    node.tell(listener, Event::Accepted, &accepted(node)).await;
    let slot = keep_alive(node, &call.id, node.slots.acquire());
    let Ok(Ok(_slot)) = tokio::time::timeout(call.deadline, slot).await else {
        return Some(Answer::busy());
    };
    if *handle.cancelled.borrow() {
        return Some(Answer::cancelled(call));
    }
    let claims = Claims {
        calls: &node.stores.calls,
        nodes: &node.stores.nodes,
        node: &node.settings.name,
        incarnation: &node.incarnation,
        is_settled: node.connection.is_settled(node.grace),
    };
    match claims.claim(&call.id, offer.idempotent).await {
        Ok(Claim::Mine(revision)) => {
            let left = call.deadline.saturating_sub(start.elapsed());
            let value = run(node, incoming, handle, left).await;
            Some(store(node, call, value, revision).await)
        }
        Ok(Claim::Over(record)) => Answer::of_record(record),
        Ok(Claim::Elsewhere(other)) => {
            hand_on(node, incoming, &other).await;
            None
        }
        Ok(Claim::Lost {
            node: lost,
            revision,
        }) => {
            let message = format!(
                "the node `{lost}` was lost while it ran the call; whether the skill did its work is not known, and it is not idempotent"
            );
            let value = failure(&call.skill, "unavailable", "node-lost", &message);
            Some(store(node, call, value, revision).await)
        }
        // Nothing ran; the caller asks again.
        Err(_) => Some(Answer::busy()),
    }
}

/// Says that the call is alive while something takes its time.
async fn keep_alive<T>(node: &Shared, id: &str, work: impl Future<Output = T>) -> T {
    let mut alive = tokio::time::interval_at(Instant::now() + ALIVE_EVERY, ALIVE_EVERY);
    alive.set_missed_tick_behavior(MissedTickBehavior::Delay);
    tokio::pin!(work);
    loop {
        tokio::select! {
            res = &mut work => return res,
            _ = alive.tick() => node.tell_all(id, Event::Alive, &accepted(node)).await,
        }
    }
}

/// Runs the skill on a thread of its own until it is done, cancelled, or out of time.
async fn run(node: &Arc<Shared>, incoming: &Incoming, mut handle: Handle, left: Duration) -> Value {
    let mut call = incoming.call.clone();
    call.deadline = left;
    let (skill, id) = (call.skill.clone(), call.id.clone());
    let (runner, running) = (Arc::clone(&node.runner), handle.running.clone());
    let mut work = tokio::task::spawn_blocking(move || runner.run(&call, &running));
    let mut progress_ends = false;
    let supervise = async {
        let until = Instant::now() + left;
        loop {
            tokio::select! {
                value = &mut work => return value.unwrap_or_else(|_| {
                    failure(&skill, "protocol", "panic", "the runner of the node broke down")
                }),
                progress = handle.progress.recv(), if !progress_ends => match progress {
                    Some(value) => report(node, &id, &value).await,
                    None => progress_ends = true,
                },
                () = cancelled(&mut handle.cancelled) => {
                    let answer = failure(&skill, CANCELLED, "cancelled", "the call was cancelled");
                    return or_late(&mut work, answer).await;
                }
                () = tokio::time::sleep_until(until) => {
                    node.calls.cancel(&id);
                    let answer = failure(&skill, "timeout", "deadline", "the time of the call was over");
                    return or_late(&mut work, answer).await;
                }
            }
        }
    };
    keep_alive(node, &id, supervise).await
}

/// What a skill still says that was told to stop, or the answer without it: its thread then goes
/// on unheard. That it was told to stop is no news.
async fn or_late(work: &mut JoinHandle<Value>, answer: Value) -> Value {
    match tokio::time::timeout(CANCEL_GRACE, work).await {
        Ok(Ok(value)) if value["error"]["code"] != CANCELLED => value,
        _ => answer,
    }
}

/// Ends when the call is cancelled.
async fn cancelled(flag: &mut watch::Receiver<bool>) {
    if flag.wait_for(|cancelled| *cancelled).await.is_err() {
        std::future::pending::<()>().await;
    }
}

async fn report(node: &Shared, id: &str, value: &Value) {
    if encode(value).len() <= MAX_PROGRESS {
        node.tell_all(id, Event::Progress, value).await;
    }
}

/// Writes the answer down, however long the server takes, and makes it ready to be sent.
async fn store(node: &Arc<Shared>, call: &LocalCall, value: Value, revision: u64) -> Answer {
    let mut pause = RETRY.0;
    loop {
        match try_store(node, call, &value, revision).await {
            Ok(answer) => return answer,
            Err(_) => {
                keep_alive(node, &call.id, tokio::time::sleep(pause)).await;
                pause = (pause * 2).min(RETRY.1);
            }
        }
    }
}

async fn try_store(
    node: &Shared,
    call: &LocalCall,
    value: &Value,
    revision: u64,
) -> Result<Answer, Error> {
    let bytes = encode(value);
    let (record, answer) = if bytes.len() > MAX_RESULT {
        let message = format!(
            "the answer has {} bytes, and {MAX_RESULT} are allowed",
            bytes.len()
        );
        let value = failure(&call.skill, "too-large", "result", &message);
        let payload = encode(&value);
        (Record::Done { answer: value }, Answer::result(payload))
    } else if bytes.len()
        > node
            .connection
            .client
            .max_payload()
            .saturating_sub(HEADROOM)
    {
        let object = put_object(node, &call.id, &bytes).await?;
        let answer = Answer {
            event: Event::Object,
            payload: encode(&object),
        };
        (Record::Stored { object }, answer)
    } else {
        let answer = value.clone();
        (Record::Done { answer }, Answer::result(bytes))
    };
    let updated = node
        .stores
        .calls
        .update(&call.id, encode(&record).into(), revision)
        .await;
    match updated {
        Ok(_) => Ok(answer),
        // The update before was taken, and its confirmation was lost; or this call was taken over.
        Err(error) if error.kind() == kv::UpdateErrorKind::WrongLastRevision => {
            Ok(stored_by_now(node, &call.id).await?.unwrap_or(answer))
        }
        Err(error) => Err(Error::refused("store an answer")(error)),
    }
}

async fn stored_by_now(node: &Shared, id: &str) -> Result<Option<Answer>, Error> {
    let bytes = bucket::get(&node.stores.calls, id, "read the record of a call").await?;
    let record = bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok());
    Ok(record.and_then(Answer::of_record))
}

async fn put_object(node: &Shared, id: &str, bytes: &[u8]) -> Result<Object, Error> {
    let mut reader = bytes;
    node.stores
        .results
        .put(id, &mut reader)
        .await
        .map_err(Error::refused("store a large answer"))?;
    Ok(Object {
        name: id.to_owned(),
        bytes: bytes.len(),
        sha256: Digest::of(bytes).hex(),
    })
}

/// Gives a call that another node has to that node, which then knows who listens.
async fn hand_on(node: &Shared, incoming: &Incoming, other: &str) {
    let Some(listener) = &incoming.listener else {
        return;
    };
    node.tell(Some(listener), Event::Alive, &json!({ "node": other }))
        .await;
    let mut headers = HeaderMap::new();
    headers.insert(ID, incoming.call.id.as_str());
    let deadline = incoming.call.deadline.as_millis().to_string();
    headers.insert(DEADLINE, deadline.as_str());
    headers.insert(crate::protocol::EVENTS, "1");
    let subject = node_subject(other, "run");
    let _ = node
        .connection
        .client
        .publish_with_reply_and_headers(
            subject,
            listener.clone(),
            headers,
            incoming.body.clone().into(),
        )
        .await;
}

impl Answer {
    fn result(payload: Vec<u8>) -> Self {
        Self {
            event: Event::Result,
            payload,
        }
    }

    /// Not here, not now.
    pub(super) fn busy() -> Self {
        Self {
            event: Event::Busy,
            payload: Vec::new(),
        }
    }

    fn cancelled(call: &LocalCall) -> Self {
        let message = "the call was cancelled before it began";
        let value = failure(&call.skill, CANCELLED, "cancelled", message);
        Self::result(encode(&value))
    }

    fn of_record(record: Record) -> Option<Self> {
        match record {
            Record::Running { .. } => None,
            Record::Done { answer } => Some(Self::result(encode(&answer))),
            Record::Stored { object } => Some(Self {
                event: Event::Object,
                payload: encode(&object),
            }),
        }
    }
}
