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
    ALIVE_EVERY, CANCELLED, Event, HEADROOM, Kept, MAX_RESULT, Stored, answer_key, encode, failure,
};

/// The first and the longest pause after a failed write; it doubles each time.
const RETRY: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(5));
/// The time for which storing an answer is repeated. A server that is absent for longer, or a bucket
/// that stays full, must not block the slots of a node without end.
const WRITE_FOR: Duration = Duration::from_mins(1);
/// The maximum size of a progress message, in bytes.
const MAX_PROGRESS: usize = 64 << 10;

/// A call that arrived with its input.
#[derive(Debug)]
pub(super) struct Incoming {
    pub(super) call: LocalCall,
    /// The owner of the call; ids of different owners are independent.
    pub(super) owner: String,
    pub(super) token: String,
}

/// Runs a call and sends the answer to all its listeners.
pub(super) async fn run_and_answer(node: &Arc<Shared>, incoming: &Incoming, handle: Handle) {
    let (id, token) = (&incoming.call.id, &incoming.token);
    node.tell_all(token, Event::Accepted, &json!({ "call": id }))
        .await;
    let answer = begun(node, incoming, handle).await;
    for listener in node.calls.end(token) {
        node.send(&listener, &answer).await;
    }
}

/// Waits until the call may run, runs it and stores the answer.
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

/// Returns the answer to a call that never started. It is not stored, so the id can be used again.
fn not_begun(call: &LocalCall, code: &str, reason: &str, why: &str) -> Answer {
    let message = format!("{why} before it began");
    Answer::result(encode(&failure(&call.skill, code, reason, &message)))
}

/// Reports that the call is alive while `work` is running.
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

/// Runs the skill on its own thread until it has ended, is cancelled, or reaches its deadline.
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

/// Returns the answer that a cancelled skill still gives, otherwise `answer`; the thread then
/// continues and its result is ignored. The failure `cancelled` does not replace `answer`.
async fn or_late(work: &mut JoinHandle<Value>, answer: Value) -> Value {
    match tokio::time::timeout(CANCEL_GRACE, work).await {
        Ok(Ok(value)) if value["error"]["code"] != CANCELLED => value,
        _ => answer,
    }
}

/// Completes when the call is cancelled.
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

/// Stores the answer and prepares it for sending. An answer that cannot be stored is sent anyway, if
/// it fits into a message; a second request then does not get it.
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

/// Repeats an attempt with growing pauses until it succeeds. Returns the last error when the time is
/// over.
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

/// Returns the answer that could not be stored, or a failure if it is too large to be sent.
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

/// Returns the maximum size of an answer that fits into a message, in bytes.
fn limit(node: &Shared) -> usize {
    let limit = node.connection.client.max_payload();
    limit.saturating_sub(HEADROOM).max(1)
}

/// Returns the answer with its bytes, or a failure if it is too large.
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

/// Stores an answer that is larger than a message.
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

    /// Checks the number of attempts for a work that succeeds at the `works_at`th time, and whether it
    /// succeeded.
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
    fn storing_is_repeated_for_a_limited_time() {
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
