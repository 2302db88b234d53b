//! A running module process, and the calls that wait for its answers.

use std::collections::{BTreeMap, VecDeque};
use std::io::{self, ErrorKind};
use std::net::Shutdown;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};
use skill_sandbox::{Channel, Child, Exit, Killer, Report, Spec, WaitEvent};

use super::bundle;
use super::wire::{self, Ask, Incoming, Reply};
use crate::cancel::Cancel;
use crate::others::MAX_AT_ONCE;
use crate::policy;

/// The interval of checking an idle process, and the maximum delay of releasing it.
const TICK: Duration = Duration::from_millis(50);

/// The time to wait for answers of a process that has ended. They are in the socket already, unless
/// another process holds the other end.
const LAST_ANSWERS: Duration = Duration::from_millis(200);

/// The maximum number of events that are kept; the oldest are dropped first.
const EVENTS: usize = 256;

/// From this size on, a message may fill the socket and has to wait for the module.
const LARGE: usize = 64 << 10;

/// A running process. Dropping it kills it with its process group.
#[derive(Debug)]
pub struct Link {
    state: Arc<Mutex<LinkState>>,
    report: Report,
    writer: Arc<Mutex<Channel>>,
    killer: Killer,
    tender: Option<JoinHandle<()>>,
    next: AtomicU64,
}

/// The state that the threads of a link share.
#[derive(Default, Debug)]
struct LinkState {
    waiting: BTreeMap<u64, Sender<Arrival>>,
    events: VecDeque<Event>,
    printed: Output,
    ended: bool,
    exit: Option<Exit>,
    leaving: bool,
}

/// A message for a waiting caller.
#[derive(Debug)]
enum Arrival {
    /// The answer, after which nothing comes.
    Reply(Reply),
    /// A call of another skill, which it makes.
    Ask(Ask),
}

/// Makes a call of another skill within a time limit: its name and arguments.
pub(super) type Others<'o> = dyn Fn(&str, Value, Duration) -> Result<Value, String> + Sync + 'o;

/// Output that was not taken yet, and how much was read.
#[derive(Default, Debug)]
struct Output {
    stdout: Vec<u8>,
    stderr: Vec<u8>,
    seen: (usize, usize),
}

impl Output {
    fn take_from(&mut self, child: &Child) {
        self.take(child.stdout(), child.stderr());
    }

    /// Takes new output from all output so far.
    fn take(&mut self, stdout: &[u8], stderr: &[u8]) {
        self.stdout.extend_from_slice(&stdout[self.seen.0..]);
        self.stderr.extend_from_slice(&stderr[self.seen.1..]);
        self.seen = (stdout.len(), stderr.len());
    }
}

/// A message of the module to the host, or an incident outside of a call.
#[derive(Clone, PartialEq, Debug)]
pub struct Event {
    /// `vcp-log`, `vcp-info`, `broadcast`, `placeholder`, `empty-host-part`, `uncaught`, `initialize-failed`, `routes-failed`,
    /// `shutdown-failed`.
    pub name: String,
    /// Its content.
    pub data: Value,
}

/// The reason why there is no answer.
#[derive(Clone, Debug, thiserror::Error)]
pub enum LinkError {
    /// The process could not be started.
    #[error("cannot start the module: {0}")]
    Start(String),
    /// The sandbox would be too weak, so the process was not started.
    #[error("{0}")]
    Unconfined(String),
    /// The process ended before it answered.
    #[error("the process of the module ended ({}) before it answered", exit_words(*.0))]
    Ended(Option<Exit>),
    /// The caller cancelled the call; the process continues.
    #[error("the call was cancelled")]
    Cancelled,
    /// Nothing came in time; the module keeps its process busy.
    #[error("the module did not answer in time")]
    Silent,
    /// The request does not fit into a message.
    #[error("{0}")]
    TooLarge(String),
}

fn exit_words(exit: Option<Exit>) -> String {
    match exit {
        Some(Exit::Code(code)) => format!("code {code}"),
        Some(Exit::Signal(signal)) => format!("signal {signal}"),
        None => "not known how".to_owned(),
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Link {
    /// Starts a process that speaks over [`Spec::channel`] and gives it the bridge.
    pub fn start(spec: &Spec) -> Result<Self, LinkError> {
        let start = |error: &dyn std::fmt::Display| LinkError::Start(error.to_string());
        let mut child = skill_sandbox::spawn(spec).map_err(|error| {
            let too_low = policy::too_low(&error);
            too_low.map_or_else(
                || start(&error),
                |denied| LinkError::Unconfined(denied.message),
            )
        })?;
        let report = child.confinement().clone();
        let channel = child
            .take_channel()
            .ok_or_else(|| start(&"it has no channel"))?;
        let mut writer = channel.try_clone().map_err(|error| start(&error))?;
        // A process that has ended already is seen by the first request.
        let _ = wire::write_frame(&mut writer, bundle::program().as_bytes());
        let state = Arc::new(Mutex::new(LinkState::default()));
        let writer = Arc::new(Mutex::new(writer));
        let killer = child.killer();
        let reader = {
            let (state, killer) = (Arc::clone(&state), killer.clone());
            let (channel, writer) = (channel.try_clone(), Arc::clone(&writer));
            let channel = channel.map_err(|error| start(&error))?;
            thread::spawn(move || read(channel, &state, &killer, &writer))
        };
        let tender = {
            let state = Arc::clone(&state);
            thread::spawn(move || tend(child, &channel, &reader, &state))
        };
        Ok(Self {
            state,
            report,
            writer,
            killer,
            tender: Some(tender),
            next: AtomicU64::new(1),
        })
    }

    /// Returns how the process is confined.
    pub fn confinement(&self) -> &Report {
        &self.report
    }

    /// Sends a request and waits for its answer or for a cancellation. Any number of threads may
    /// call this at once.
    pub fn ask(
        &self,
        request: Map<String, Value>,
        timeout: Duration,
        cancel: &Cancel,
    ) -> Result<Reply, LinkError> {
        self.ask_with(request, timeout, cancel, None)
    }

    /// Does the same, and makes the calls of other skills that the module asks for meanwhile.
    pub fn ask_with(
        &self,
        mut request: Map<String, Value>,
        timeout: Duration,
        cancel: &Cancel,
        others: Option<&Others<'_>>,
    ) -> Result<Reply, LinkError> {
        let deadline = Instant::now() + timeout;
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        request.insert("id".to_owned(), id.into());
        let (sender, receiver) = channel();
        {
            let mut state = lock(&self.state);
            if state.ended {
                return Err(LinkError::Ended(state.exit));
            }
            state.waiting.insert(id, sender);
        }
        let state = Arc::clone(&self.state);
        // The channel of the answer closes, as it does when the process ends.
        let _watch = cancel.on_cancel(move || drop(lock(&state).waiting.remove(&id)));
        let sent = self.send(&Value::Object(request), timeout);
        if let Err(error) = sent
            && !matches!(error, LinkError::Ended(_))
        {
            lock(&self.state).waiting.remove(&id);
            return Err(error);
        }
        let left = || deadline.saturating_duration_since(Instant::now());
        let n_running = AtomicUsize::new(0);
        let n_running = &n_running;
        thread::scope(|scope| {
            loop {
                match receiver.recv_timeout(left()) {
                    Ok(Arrival::Reply(reply)) => return Ok(reply),
                    Ok(Arrival::Ask(ask)) => {
                        let is_free = n_running.fetch_add(1, Ordering::Relaxed) < MAX_AT_ONCE;
                        let others = others.filter(|_| is_free);
                        scope.spawn(move || {
                            self.answer(ask, others, left());
                            n_running.fetch_sub(1, Ordering::Relaxed);
                        });
                    }
                    Err(RecvTimeoutError::Disconnected) if cancel.is_cancelled() => {
                        self.give_up(id);
                        return Err(LinkError::Cancelled);
                    }
                    Err(RecvTimeoutError::Disconnected) => {
                        return Err(LinkError::Ended(lock(&self.state).exit));
                    }
                    Err(RecvTimeoutError::Timeout) => {
                        lock(&self.state).waiting.remove(&id);
                        return Err(LinkError::Silent);
                    }
                }
            }
        })
    }

    /// Makes a call of another skill and tells the module what came of it.
    fn answer(&self, ask: Ask, others: Option<&Others<'_>>, limit: Duration) {
        let result = match others {
            Some(others) => others(&ask.name, ask.args, limit),
            None => Err(no_others(&ask.name)),
        };
        // A module that has ended meanwhile needs no answer.
        let _ = self.send(&answer_of(ask.id, result), limit.max(TICK));
    }

    /// Notifies the module that nobody waits: the signal of the call is aborted.
    fn give_up(&self, id: u64) {
        // The result does not matter, because nobody waits.
        let _ = self.send(&json!({"cancel": id}), TICK);
    }

    fn send(&self, message: &Value, timeout: Duration) -> Result<(), LinkError> {
        let body = message.to_string();
        let mut writer = lock(&self.writer);
        if body.len() >= LARGE {
            let limit = timeout.max(Duration::from_millis(1));
            // Refused only for a limit of zero.
            let _ = writer.set_write_timeout(Some(limit));
        }
        wire::write_frame(&mut *writer, body.as_bytes()).map_err(|error| match error.kind() {
            ErrorKind::InvalidInput => LinkError::TooLarge(error.to_string()),
            ErrorKind::WouldBlock | ErrorKind::TimedOut => {
                // Half a message was sent: nothing after it would be understood.
                self.killer.kill();
                LinkError::Silent
            }
            _ => LinkError::Ended(None),
        })
    }

    /// Returns true if the process is running.
    pub fn is_running(&self) -> bool {
        !lock(&self.state).ended
    }

    /// Takes the events that have come so far.
    pub fn take_events(&self) -> Vec<Event> {
        lock(&self.state).events.drain(..).collect()
    }

    /// Takes what the module has printed since the last time, on standard output and standard
    /// error. Of a whole life, only as much is kept as the limits of the [`Spec`] say.
    pub fn take_printed(&self) -> (String, String) {
        let mut state = lock(&self.state);
        let text =
            |bytes: &mut Vec<u8>| String::from_utf8_lossy(&std::mem::take(bytes)).into_owned();
        let printed = &mut state.printed;
        (text(&mut printed.stdout), text(&mut printed.stderr))
    }

    /// Kills the process and its group.
    pub fn kill(&self) {
        self.killer.kill();
    }

    /// Kills the process and waits for its end; then all that it printed can be taken.
    pub fn end(&mut self) {
        self.killer.kill();
        self.join();
    }

    /// Lets the process continue without us, like unfinished work of a module in the old host:
    /// until it has nothing to do, at most for `linger`.
    pub fn leave(mut self, linger: Duration) {
        lock(&self.state).leaving = true;
        let linger = u64::try_from(linger.as_millis()).unwrap_or(u64::MAX);
        if self.send(&json!({"detach": linger}), TICK).is_err() {
            self.killer.kill();
        }
        self.join();
    }

    fn join(&mut self) {
        if let Some(tender) = self.tender.take() {
            // A panic there is a bug of ours, and has been reported by its thread.
            let _ = tender.join();
        }
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        if self.tender.is_some() {
            self.killer.kill();
            self.join();
        }
    }
}

fn no_others(name: &str) -> String {
    format!(
        "\"{name}\" is not called: skills are called during a tool call or a conversation, at most {MAX_AT_ONCE} at once"
    )
}

fn answer_of(id: u64, result: Result<Value, String>) -> Value {
    match result {
        Ok(value) => json!({"answer": id, "value": value}),
        Err(error) => json!({"answer": id, "error": error}),
    }
}

/// Hands a call of another skill to the caller whose request it is a part of, or to any that waits.
fn hand_over(ask: Ask, state: &Mutex<LinkState>, writer: &Mutex<Channel>) {
    let sender = {
        let state = lock(state);
        let own = ask.during.and_then(|id| state.waiting.get(&id));
        own.or_else(|| state.waiting.values().next()).cloned()
    };
    let id = ask.id;
    let refused = no_others(&ask.name);
    let is_taken = sender.is_some_and(|sender| sender.send(Arrival::Ask(ask)).is_ok());
    if !is_taken {
        let body = answer_of(id, Err(refused)).to_string();
        // A broken channel is found by the next read.
        let _ = wire::write_frame(&mut *lock(writer), body.as_bytes());
    }
}

/// Takes messages until the channel ends. A channel that ends before the process is a broken one.
fn read(mut channel: Channel, state: &Mutex<LinkState>, killer: &Killer, writer: &Mutex<Channel>) {
    let broken = loop {
        match next_message(&mut channel) {
            Ok(Some(Incoming::Reply(id, reply))) => {
                if let Some(sender) = lock(state).waiting.remove(&id) {
                    // A cancelled caller does not receive the answer.
                    let _ = sender.send(Arrival::Reply(reply));
                }
            }
            Ok(Some(Incoming::Ask(ask))) => hand_over(ask, state, writer),
            Ok(Some(Incoming::Event(name, data))) => {
                let mut state = lock(state);
                if state.events.len() == EVENTS {
                    state.events.pop_front();
                }
                state.events.push_back(Event { name, data });
            }
            Ok(None) => break !lock(state).leaving,
            Err(_) => break true,
        }
    };
    if broken {
        killer.kill();
    }
}

fn next_message(channel: &mut Channel) -> io::Result<Option<Incoming>> {
    let Some(body) = wire::read_frame(channel)? else {
        return Ok(None);
    };
    let message = wire::incoming(&body);
    message
        .map(Some)
        .map_err(|what| io::Error::new(ErrorKind::InvalidData, what))
}

/// Reads what the process prints, and notifies all callers when it ends.
fn tend(mut child: Child, channel: &Channel, reader: &JoinHandle<()>, state: &Mutex<LinkState>) {
    loop {
        let wake = child.wait(Some(Instant::now() + TICK));
        let mut state = lock(state);
        state.printed.take_from(&child);
        match wake {
            Ok(WaitEvent::Exited) | Err(_) => break,
            Ok(WaitEvent::Output | WaitEvent::Until) if state.leaving => {
                drop(state);
                child.leave();
                return;
            }
            Ok(WaitEvent::Output | WaitEvent::Until) => {}
        }
    }
    let patience = Instant::now() + LAST_ANSWERS;
    while !reader.is_finished() && Instant::now() < patience {
        thread::sleep(Duration::from_millis(1));
    }
    // Ends a reader whose channel somebody else holds.
    let _ = channel.shutdown(Shutdown::Both);
    let outcome = child.finish().ok();
    let mut state = lock(state);
    if let Some(outcome) = &outcome {
        state.printed.take(&outcome.stdout, &outcome.stderr);
    }
    state.exit = outcome.map(|outcome| outcome.exit);
    state.ended = true;
    state.waiting.clear();
}
