//! The requests that wait for answers of a server.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};

use super::lines::MAX_MESSAGE;
use super::steps::Steps;
use crate::envelope::{ErrorCode, Failure};
use crate::progress::{Log, Progress};

/// The most notifications of a server between two requests.
const MAX_NOTES: usize = 50_000;
/// The most bytes of these.
const MAX_NOTE_BYTES: usize = MAX_MESSAGE;
/// JSON-RPC: the method does not exist.
const METHOD_NOT_FOUND: i64 = -32601;
/// JSON-RPC: the arguments do not fit.
const INVALID_PARAMS: i64 = -32602;

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

    /// Takes a message of the server with this many bytes, or a list of them. The result is what the server
    /// gets back: it may ask whether we are there, and nothing else. A server that says more than is
    /// bearable before it answers is ended.
    pub(super) fn take(&self, message: Value, n_bytes: usize) -> Vec<Value> {
        if !is_answer(&message) && self.is_flooded(n_bytes) {
            let text = format!(
                "the MCP server sent more than {MAX_NOTES} messages, or {MAX_NOTE_BYTES} bytes of them, before its answer and was ended"
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

    /// Counts a message that is not an answer; returns true if there are too many.
    fn is_flooded(&self, n_bytes: usize) -> bool {
        let mut state = self.state();
        state.n_notes += 1;
        state.n_note_bytes += n_bytes;
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

    /// Keeps a log message for the calls that run: a server does not say which one it is about.
    fn log(&self, params: &Value) {
        let mut logs = Vec::new();
        for waiting in self.state().waiting.values() {
            if let Some(steps) = &waiting.watch.steps {
                steps.log(params);
            }
            logs.extend(waiting.watch.log.clone());
        }
        // Not under the lock: the receiver may do anything.
        for log in logs {
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
        // Not under the lock: the receiver may do anything.
        if let (Some(progress), Some(done)) = (progress, params["progress"].as_f64()) {
            progress.report(done, params["total"].as_f64(), params["message"].as_str());
        }
    }
}

/// Returns true for the answer to a request, and for a list with one.
fn is_answer(message: &Value) -> bool {
    match message {
        Value::Array(messages) => messages.iter().any(is_answer),
        message => message.get("method").is_none() && message.get("id").is_some(),
    }
}

/// Converts an error of JSON-RPC.
fn refused(error: &Value) -> Failure {
    let code = error["code"].as_i64().unwrap_or_default();
    let kind = if code == INVALID_PARAMS {
        ErrorCode::InvalidInput
    } else {
        ErrorCode::Protocol
    };
    let text = error["message"]
        .as_str()
        .unwrap_or("an error without a message");
    let failure = Failure::new(kind, format!("the MCP server: {text}")).with("mcp_code", code);
    match error.get("data") {
        Some(data) => failure.with("data", data.clone()),
        None => failure,
    }
}
