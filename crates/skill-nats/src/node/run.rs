//! One call, from its input to the answer.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use skill_loader::Digest;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{Instant, MissedTickBehavior};

use super::LocalCall;
use super::live::{CANCEL_GRACE, Handle};
use super::shared::{Answer, Shared};
use crate::Error;
use crate::protocol::{
    CANCELLED, Event, HEADROOM, Kept, MAX_RESULT, Stored, answer_key, encode, failure,
};

/// How often a caller hears that its call is alive.
const ALIVE_EVERY: Duration = Duration::from_millis(500);
/// Pause after a write that the server did not take; doubled each time, up to the second.
const RETRY: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(5));
/// How long an answer is tried to be written down. A server that is away for longer, or a bucket that
/// stays full, must not keep the slots of a node for ever.
const WRITE_FOR: Duration = Duration::from_mins(1);
/// Longest piece of progress, in bytes.
const MAX_PROGRESS: usize = 64 << 10;

/// A call that arrived with its input.
#[derive(Debug)]
pub(super) struct Incoming {
    pub(super) call: LocalCall,
    /// Whose call it is; ids of different owners have nothing to do with each other.
    pub(super) owner: String,
    pub(super) token: String,
}

/// Runs a call that was taken on, and answers everybody who listens to it.
pub(super) async fn run_and_answer(node: &Arc<Shared>, incoming: &Incoming, handle: Handle) {
    let (id, token) = (&incoming.call.id, &incoming.token);
    node.tell_all(token, Event::Accepted, &json!({ "call": id }))
        .await;
    let answer = begun(node, incoming, handle).await;
    for listener in node.calls.end(token) {
        node.send(&listener, &answer).await;
    }
}

/// Waits until the call may run, runs it and writes the answer down.
async fn begun(node: &Arc<Shared>, incoming: &Incoming, handle: Handle) -> Answer {
    let call = &incoming.call;
    let start = Instant::now();
    let slot = keep_alive(node, &incoming.token, node.slots.acquire());
    let Ok(Ok(_slot)) = tokio::time::timeout(call.deadline, slot).await else {
        return not_begun(call, "timeout", "deadline", "the time of the call was over");
    };
    if *handle.cancelled.borrow() {
        return not_begun(call, CANCELLED, "cancelled", "the call was cancelled");
    }
    let left = call.deadline.saturating_sub(start.elapsed());
    let value = run(node, incoming, handle, left).await;
    store(node, incoming, value).await
}

/// The answer to a call that never began. It is not written down, so the id can be used again.
fn not_begun(call: &LocalCall, code: &str, reason: &str, why: &str) -> Answer {
    let message = format!("{why} before it began");
    Answer::result(encode(&failure(&call.skill, code, reason, &message)))
}

/// Says that the call is alive while something takes its time.
async fn keep_alive<T>(node: &Shared, token: &str, work: impl Future<Output = T>) -> T {
    let mut alive = tokio::time::interval_at(Instant::now() + ALIVE_EVERY, ALIVE_EVERY);
    alive.set_missed_tick_behavior(MissedTickBehavior::Delay);
    tokio::pin!(work);
    loop {
        tokio::select! {
            res = &mut work => return res,
            _ = alive.tick() => node.tell_all(token, Event::Alive, &json!({})).await,
        }
    }
}

/// Runs the skill on a thread of its own until it is done, cancelled, or out of time.
async fn run(node: &Arc<Shared>, incoming: &Incoming, mut handle: Handle, left: Duration) -> Value {
    let mut call = incoming.call.clone();
    call.deadline = left;
    let (skill, token) = (call.skill.clone(), &*incoming.token);
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
                    Some(value) => report(node, token, &value).await,
                    None => progress_ends = true,
                },
                () = cancelled(&mut handle.cancelled) => {
                    let answer = failure(&skill, CANCELLED, "cancelled", "the call was cancelled");
                    return or_late(&mut work, answer).await;
                }
                () = tokio::time::sleep_until(until) => {
                    node.calls.cancel(token);
                    let answer = failure(&skill, "timeout", "deadline", "the time of the call was over");
                    return or_late(&mut work, answer).await;
                }
            }
        }
    };
    keep_alive(node, token, supervise).await
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

async fn report(node: &Shared, token: &str, value: &Value) {
    if encode(value).len() <= MAX_PROGRESS {
        node.tell_all(token, Event::Progress, value).await;
    }
}

/// Writes the answer down and makes it ready to be sent. An answer that cannot be written down is
/// sent all the same, if it fits into a message: who asks for it again then does not get it.
async fn store(node: &Arc<Shared>, incoming: &Incoming, value: Value) -> Answer {
    let (value, bytes) = bounded(&incoming.call, value);
    let attempts = keep_trying(WRITE_FOR, RETRY, || {
        try_store(node, incoming, &value, &bytes)
    });
    match keep_alive(node, &incoming.token, attempts).await {
        Ok(answer) => answer,
        Err(error) => unstored(&incoming.call, bytes, limit(node), &error),
    }
}

/// Tries until it works, with longer and longer pauses, or until the time is over; then the last error.
async fn keep_trying<T, E, F: Future<Output = Result<T, E>>>(
    time: Duration,
    (first, longest): (Duration, Duration),
    attempt: impl Fn() -> F,
) -> Result<T, E> {
    let until = Instant::now() + time;
    let mut pause = first;
    loop {
        match attempt().await {
            Err(_) if Instant::now() + pause < until => {}
            done => return done,
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(longest);
    }
}

/// An answer that the server did not take, or what says that it is lost.
fn unstored(call: &LocalCall, bytes: Vec<u8>, limit: usize, error: &Error) -> Answer {
    if bytes.len() <= limit {
        return Answer::result(bytes);
    }
    let n = bytes.len();
    let message =
        format!("the skill ran, and its answer of {n} bytes could not be written down: {error}");
    Answer::result(encode(&failure(
        &call.skill,
        "unavailable",
        "result",
        &message,
    )))
}

/// Longest answer that fits into a message, in bytes.
fn limit(node: &Shared) -> usize {
    let limit = node.connection.client.max_payload();
    limit.saturating_sub(HEADROOM).max(1)
}

/// The answer with its bytes, or what says that it is too large.
fn bounded(call: &LocalCall, value: Value) -> (Value, Vec<u8>) {
    let bytes = encode(&value);
    if bytes.len() <= MAX_RESULT {
        return (value, bytes);
    }
    let n = bytes.len();
    let message = format!("the answer has {n} bytes, and {MAX_RESULT} are allowed");
    let value = failure(&call.skill, "too-large", "result", &message);
    let bytes = encode(&value);
    (value, bytes)
}

async fn try_store(
    node: &Shared,
    incoming: &Incoming,
    value: &Value,
    bytes: &[u8],
) -> Result<Answer, Error> {
    let limit = limit(node);
    let key = answer_key(&node.settings.name, &incoming.owner, &incoming.call.id);
    let is_whole = bytes.len() <= limit;
    let stored = Stored {
        token: incoming.token.clone(),
        answer: if is_whole {
            let value = value.clone();
            Kept::Whole { value }
        } else {
            put_pieces(node, &key, bytes, limit).await?
        },
    };
    let encoded = encode(&stored);
    let put = node.stores.answers.put(&key, encoded.clone().into());
    put.await.map_err(Error::refused("store an answer"))?;
    Ok(if is_whole {
        Answer::result(bytes.to_vec())
    } else {
        Answer {
            event: Event::Stored,
            payload: encoded,
        }
    })
}

/// Writes down an answer that is larger than a message.
async fn put_pieces(node: &Shared, key: &str, bytes: &[u8], limit: usize) -> Result<Kept, Error> {
    let pieces = bytes.chunks(limit);
    let count = pieces.len();
    for (at, piece) in pieces.enumerate() {
        let key = format!("{key}.{at}");
        let put = node.stores.answers.put(key, piece.to_vec().into());
        put.await.map_err(Error::refused("store a large answer"))?;
    }
    Ok(Kept::Pieces {
        count,
        bytes: bytes.len(),
        sha256: Digest::from_content(bytes).hex(),
    })
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use serde_json::json;

    use super::*;

    /// How often something is tried that works at the `works_at`th time, and whether it worked.
    #[track_caller]
    fn check(time: Duration, works_at: u32, expected: (u32, bool)) {
        let n_tried = Cell::new(0);
        let attempt = || {
            n_tried.set(n_tried.get() + 1);
            let works = n_tried.get() >= works_at;
            std::future::ready(if works { Ok(()) } else { Err(()) })
        };
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .unwrap();
        let pauses = (Duration::from_micros(1), Duration::from_micros(4));
        let found = runtime.block_on(keep_trying(time, pauses, attempt));
        assert_eq!((n_tried.get(), found.is_ok()), expected);
    }

    #[test]
    fn writing_down_is_tried_again_and_not_for_ever() {
        check(Duration::from_mins(1), 1, (1, true));
        check(Duration::from_mins(1), 20, (20, true));
        check(Duration::ZERO, 2, (1, false));
        // A server that never comes back.
        let pauses = (Duration::from_millis(1), Duration::from_millis(4));
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .unwrap();
        let never = || std::future::ready(Err::<(), ()>(()));
        let done = keep_trying(Duration::from_millis(20), pauses, never);
        assert!(runtime.block_on(done).is_err());
    }

    #[test]
    fn an_answer_that_is_not_kept_is_sent_if_it_fits() {
        let call = LocalCall {
            id: "1".to_owned(),
            skill: "big".to_owned(),
            command: None,
            input: Value::Null,
            deadline: Duration::ZERO,
        };
        let error = Error::refused("store an answer")("the bucket is full");
        let value = encode(&json!({"value": 1}));
        let sent = unstored(&call, value.clone(), value.len(), &error);
        assert_eq!(sent.payload, value);
        let lost = unstored(&call, value.clone(), value.len() - 1, &error);
        let lost = String::from_utf8(lost.payload).unwrap();
        assert!(lost.contains("the bucket is full"), "{lost}");
    }
}
