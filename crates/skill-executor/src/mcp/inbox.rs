//! The requests that wait for answers of a server.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::lines::MAX_MESSAGE;
use super::steps::Steps;
use crate::envelope::{ErrorCode, Failure};
use crate::progress::{Log, Progress};

/// The most notifications of a server between two requests.
const MAX_NOTES: usize = 50_000;
/// The most bytes of these.
const MAX_NOTE_BYTES: usize = MAX_MESSAGE;
/// The longest question of an idle server whether we are there that is not counted, in bytes.
const MAX_PING: usize = 4 << 10;
/// JSON-RPC: the method does not exist.
const METHOD_NOT_FOUND: i64 = -32601;
/// JSON-RPC: the arguments do not fit.
const INVALID_PARAMS: i64 = -32602;

/// The beginning of the error of `serde_json` about a text that is nested deeper than it reads.
const TOO_DEEP: &str = "recursion limit exceeded";
/// The flaw of such an answer.
const NESTED: &str =
    "its answer is nested deeper than 128 levels, which is not read; ask it for less at once";

/// The result of a request.
pub(super) type Answer = Result<Value, Failure>;

/// The requests of a session that wait, and what the server said about itself.
#[derive(Clone, Default, Debug)]
pub(super) struct Inbox(Arc<Shared>);

#[derive(Default, Debug)]
struct Shared {
    state: Mutex<State>,
    tools_changed: AtomicBool,
}

#[derive(Default, Debug)]
struct State {
    waiting: BTreeMap<u64, Waiting>,
    /// The reason for the end of the session.
    ended: Option<Failure>,
    /// The notifications since the last request, and their bytes.
    n_notes: usize,
    n_note_bytes: usize,
}

#[derive(Debug)]
struct Waiting {
    sender: Sender<Answer>,
    watch: Watch,
}

/// The receivers of the messages of a server while it works.
#[derive(Clone, Default, Debug)]
pub(super) struct Watch {
    /// The receiver of progress.
    pub(super) progress: Option<Progress>,
    /// The receiver of the log.
    pub(super) log: Option<Log>,
    /// The messages for the answer.
    pub(super) steps: Option<Steps>,
}

impl Watch {
    /// Returns true if the server is asked for progress.
    pub(super) fn wants_progress(&self) -> bool {
        self.progress.is_some() || self.steps.is_some()
    }
}

impl Inbox {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Registers a request.
    pub(super) fn register(&self, id: u64, watch: Watch) -> Result<Receiver<Answer>, Failure> {
        let mut state = self.state();
        if let Some(ended) = &state.ended {
            return Err(ended.clone());
        }
        (state.n_notes, state.n_note_bytes) = (0, 0);
        let (sender, receiver) = channel();
        state.waiting.insert(id, Waiting { sender, watch });
        Ok(receiver)
    }

    /// Gives a request its result; nobody waits for one that was given up.
    pub(super) fn finish(&self, id: u64, answer: Answer) {
        let waiting = self.state().waiting.remove(&id);
        if let Some(waiting) = waiting {
            // The caller may have gone in this moment.
            let _ = waiting.sender.send(answer);
        }
    }

    /// Returns true if a request with a smaller number waits.
    pub(super) fn has_before(&self, id: u64) -> bool {
        self.state().waiting.range(..id).next().is_some()
    }

    /// Forgets a request whose answer nobody waits for.
    pub(super) fn forget(&self, id: u64) {
        self.state().waiting.remove(&id);
    }

    /// Ends the session: all requests fail, also those to come.
    pub(super) fn end(&self, failure: &Failure) {
        let waiting = {
            let mut state = self.state();
            state.ended.get_or_insert_with(|| failure.clone());
            std::mem::take(&mut state.waiting)
        };
        for waiting in waiting.into_values() {
            let _ = waiting.sender.send(Err(failure.clone()));
        }
    }

    /// Returns the reason for the end of the session, if it has ended.
    pub(super) fn ended(&self) -> Option<Failure> {
        self.state().ended.clone()
    }

    /// Returns true until the session has ended.
    pub(super) fn is_open(&self) -> bool {
        self.state().ended.is_none()
    }

    /// Returns whether the server said that its tools changed, since the last time.
    pub(super) fn take_tools_changed(&self) -> bool {
        self.0.tools_changed.swap(false, Ordering::Relaxed)
    }

    /// Takes the text of a message, or of a list of them; `None` if it is not JSON. An answer that is nested
    /// too deep is the failure of its request.
    pub(super) fn take_text(&self, text: &[u8]) -> Option<Vec<Value>> {
        match serde_json::from_slice::<Value>(text) {
            Ok(message) => return Some(self.take(message, text.len())),
            Err(error) if !error.to_string().starts_with(TOO_DEEP) => return None,
            Err(_) => {}
        }
        let is_list = text.trim_ascii_start().starts_with(b"[");
        let all: Vec<&RawValue> = if is_list {
            serde_json::from_slice(text).ok()?
        } else {
            Vec::from([serde_json::from_slice(text).ok()?])
        };
        let mut res = Vec::new();
        for one in all {
            if let Ok(message) = serde_json::from_str::<Value>(one.get()) {
                res.extend(self.take(message, one.get().len()));
                continue;
            }
            let members = serde_json::from_str::<BTreeMap<String, &RawValue>>(one.get());
            // The requests of a server have numbers of their own.
            let members = members.ok().filter(|it| !it.contains_key("method"));
            let id = members.and_then(|it| it.get("id")?.get().parse().ok());
            // Counted as a message without a request, if it is one.
            let id: Value = id.map_or(Value::Null, |id: u64| id.into());
            self.take(
                json!({"id": id, "error": {"code": 0, "message": NESTED}}),
                one.get().len(),
            );
        }
        Some(res)
    }

    /// Takes a message of the server with this many bytes, or a list of them. The result is what the server
    /// gets back: it may ask whether we are there, and nothing else. A server that says more than is
    /// bearable between two requests is ended.
    pub(super) fn take(&self, message: Value, n_bytes: usize) -> Vec<Value> {
        if self.is_flooded(&message, n_bytes) {
            let text = format!(
                "the MCP server was ended: it sent more than {MAX_NOTES} messages, or {MAX_NOTE_BYTES} bytes of them, that answer no request"
            );
            self.end(&Failure::new(ErrorCode::TooLarge, text));
            return Vec::new();
        }
        match message {
            Value::Array(messages) => messages
                .into_iter()
                .filter_map(|one| self.take_one(one))
                .collect(),
            message => self.take_one(message).into_iter().collect(),
        }
    }

    /// Counts a message, or each of a list, that answers no request which waits; returns true if there are
    /// too many. While nothing waits, a server may ask forever whether we are there.
    fn is_flooded(&self, message: &Value, n_bytes: usize) -> bool {
        let all = match message {
            Value::Array(messages) => &messages[..],
            message => std::slice::from_ref(message),
        };
        let mut state = self.state();
        let is_idle = state.waiting.is_empty();
        let mut answered = BTreeSet::new();
        let mut is_free = |it: &Value| {
            let id = it["id"].as_u64();
            match it["method"].as_str() {
                Some("ping") => is_idle && it.get("id").is_some() && n_bytes <= MAX_PING,
                Some(_) => false,
                None => id.is_some_and(|id| state.waiting.contains_key(&id) && answered.insert(id)),
            }
        };
        let (mut n_counted, mut n_counted_bytes) = (0, 0);
        for it in all {
            if !is_free(it) {
                n_counted += 1;
                n_counted_bytes += match message {
                    Value::Array(_) => it.to_string().len(),
                    _ => n_bytes,
                };
            }
        }
        state.n_notes += n_counted;
        state.n_note_bytes += n_counted_bytes;
        state.n_notes > MAX_NOTES || state.n_note_bytes > MAX_NOTE_BYTES
    }

    fn take_one(&self, mut message: Value) -> Option<Value> {
        let method = message.get("method").and_then(Value::as_str);
        match (method, message.get("id")) {
            (None, Some(id)) => {
                let id = id.as_u64()?;
                let answer = match message.get_mut("error").map(Value::take) {
                    Some(error) => Err(refused(&error)),
                    None => Ok(message
                        .get_mut("result")
                        .map(Value::take)
                        .unwrap_or_default()),
                };
                self.finish(id, answer);
                None
            }
            (Some("ping"), Some(id)) => Some(json!({"jsonrpc": "2.0", "id": id, "result": {}})),
            (Some(method), Some(id)) => {
                let message = format!("`{method}` is not offered by this client");
                let error = json!({"code": METHOD_NOT_FOUND, "message": message});
                Some(json!({"jsonrpc": "2.0", "id": id, "error": error}))
            }
            (Some("notifications/progress"), None) => {
                self.progress(&message["params"]);
                None
            }
            (Some("notifications/message"), None) => {
                self.log(&message["params"]);
                None
            }
            (Some("notifications/tools/list_changed"), None) => {
                self.0.tools_changed.store(true, Ordering::Relaxed);
                None
            }
            _ => None,
        }
    }

    /// Keeps a log message for the call that runs. A server does not say which one it is about: calls of
    /// several clients may run in a session, so with more than one it is for none of them.
    fn log(&self, params: &Value) {
        let watch = {
            let state = self.state();
            let mut all = state.waiting.values();
            let only = all.next().filter(|_| state.waiting.len() == 1);
            only.map(|waiting| waiting.watch.clone())
        };
        let Watch { log, steps, .. } = watch.unwrap_or_default();
        if let Some(steps) = steps {
            steps.log(params);
        }
        // Reported without the lock: the receiver may do anything.
        if let Some(log) = log {
            log.report(params);
        }
    }

    fn progress(&self, params: &Value) {
        let watch = {
            let state = self.state();
            let id = params["progressToken"].as_u64();
            let waiting = id.and_then(|id| state.waiting.get(&id));
            waiting.map(|waiting| waiting.watch.clone())
        };
        let Watch {
            progress, steps, ..
        } = watch.unwrap_or_default();
        if let Some(steps) = steps {
            steps.progress(params);
        }
        // Reported without the lock: the receiver may do anything.
        if let (Some(progress), Some(done)) = (progress, params["progress"].as_f64()) {
            progress.report(done, params["total"].as_f64(), params["message"].as_str());
        }
    }
}

/// Converts an error of JSON-RPC.
fn refused(error: &Value) -> Failure {
    let code = error["code"].as_i64();
    let kind = if code == Some(INVALID_PARAMS) {
        ErrorCode::InvalidInput
    } else {
        ErrorCode::Protocol
    };
    let text = error["message"]
        .as_str()
        .unwrap_or("an error without a message");
    let mut failure = Failure::new(kind, format!("the MCP server: {text}"));
    if let Some(code) = code {
        failure = failure.with("mcp_code", code);
    }
    match error.get("data") {
        Some(data) => failure.with("data", data.clone()),
        None => failure,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WAITS: u64 = 1;

    /// Gives an inbox, in which one request waits or none, a message so often.
    #[track_caller]
    fn check(is_waiting: bool, message: &Value, n: usize, is_ended: bool) {
        let inbox = Inbox::default();
        let receiver = is_waiting.then(|| inbox.register(WAITS, Watch::default()).unwrap());
        let n_bytes = message.to_string().len();
        for _ in 0..n {
            inbox.take(message.clone(), n_bytes);
        }
        assert_eq!(!inbox.is_open(), is_ended, "{n_bytes} {n}");
        drop(receiver);
    }

    #[test]
    fn a_code_is_the_one_of_the_server() {
        let code = |error: Value| refused(&error).details.get("mcp_code").cloned();
        assert_eq!(
            code(json!({"code": -32601, "message": "x"})),
            Some(json!(-32601))
        );
        assert_eq!(code(json!({"message": "x"})), None);
        assert_eq!(code(json!({"code": "x"})), None);
    }

    #[test]
    fn floods_end_a_session() {
        let log = json!({"method": "notifications/message", "params": {"data": "x"}});
        let ping = json!({"method": "ping", "id": 7});
        let [answer, stray] = [WAITS, 9].map(|id| json!({"id": id, "result": {}}));
        let long = json!({"method": "notifications/message", "params": "x".repeat(1 << 20)});
        let few = MAX_NOTES;
        let many = MAX_NOTES + 1;
        for is_waiting in [true, false] {
            check(is_waiting, &log, few, false);
            check(is_waiting, &log, many, true);
            check(is_waiting, &long, 15, false);
            check(is_waiting, &long, 16, true);
            // An answer that nobody waits for.
            check(is_waiting, &stray, many, true);
            check(is_waiting, &answer, many + 1, true);
            check(is_waiting, &ping, many, is_waiting);
        }
        // Each message of a list counts, with an answer among them or not.
        let list = |first: &Value, n: usize| {
            let notes = vec![log.clone(); n];
            Value::Array([std::slice::from_ref(first), &notes[..]].concat())
        };
        check(true, &list(&answer, few), 1, false);
        check(true, &list(&answer, many), 1, true);
        check(true, &list(&log, few), 1, true);
        check(true, &Value::Array(vec![answer.clone(); few]), 1, false);
        check(true, &Value::Array(vec![answer; many + 1]), 1, true);
        // A long answer that is waited for.
        let whole = json!({"id": WAITS, "result": "x".repeat(MAX_NOTE_BYTES + 1)});
        check(true, &whole, 1, false);
        check(false, &whole, 1, true);
    }

    #[test]
    fn an_answer_that_is_too_deep_is_a_failure() {
        for n in [120, 130, 100_000] {
            let deep = format!("{}{}", "[".repeat(n), "]".repeat(n));
            let answer = format!(r#"{{"jsonrpc": "2.0", "id": 1, "result": {deep}}}"#);
            for text in [
                answer.clone(),
                format!("[{answer}]"),
                format!(r#"[{{"method": "x", "params": {deep}}}, {answer}]"#),
            ] {
                let inbox = Inbox::default();
                let receiver = inbox.register(WAITS, Watch::default()).unwrap();
                assert_eq!(inbox.take_text(text.as_bytes()), Some(Vec::new()));
                let answer = receiver.try_recv().unwrap();
                let message = answer.err().map(|it| it.message);
                let is_named =
                    message.is_some_and(|it| it.contains("nested deeper than 128 levels"));
                assert_eq!(is_named, n > 120, "{n}");
            }
        }
        assert_eq!(Inbox::default().take_text(b"listening\n"), None);
        // The requests of a server have numbers of their own.
        let deep = format!("{}{}", "[".repeat(130), "]".repeat(130));
        let request = format!(r#"{{"id": 1, "method": "sampling/x", "params": {deep}}}"#);
        let inbox = Inbox::default();
        let receiver = inbox.register(WAITS, Watch::default()).unwrap();
        assert_eq!(inbox.take_text(request.as_bytes()), Some(Vec::new()));
        assert!(receiver.try_recv().is_err());
    }

    #[test]
    fn a_log_is_for_a_call_that_runs_alone() {
        let log = json!({"method": "notifications/message", "params": {"data": "x"}});
        for n_calls in [1, 2] {
            let inbox = Inbox::default();
            let calls = (0..n_calls).map(|id| {
                let watch = Watch {
                    steps: Some(Steps::default()),
                    ..Watch::default()
                };
                let receiver = inbox.register(id, watch.clone()).unwrap();
                (receiver, watch.steps.unwrap())
            });
            let calls: Vec<_> = calls.collect();
            inbox.take(log.clone(), 1);
            let found: usize = calls.iter().map(|(_, steps)| steps.take().len()).sum();
            assert_eq!(found, usize::from(n_calls == 1), "{n_calls}");
        }
    }
}
