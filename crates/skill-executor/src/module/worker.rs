//! One skill's process: started when it is needed, started again after a crash.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};
use skill_sandbox::{Report, Spec};

use super::launch::Launch;
use super::link::{Event, Link, LinkError, Others};
use super::wire::{Refusal, Reply};
use crate::cancel::Cancel;

/// The time limit of loading and initialising a module. The old host had none.
const LOAD_TIMEOUT: Duration = Duration::from_mins(1);

/// The time limit of `shutdown()`. The old host had none.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(10);

/// The pause before the second start after a crash; it doubles each time, up to [`MAX_PAUSE`].
const FIRST_PAUSE: Duration = Duration::from_millis(100);

/// The longest pause between two starts.
const MAX_PAUSE: Duration = Duration::from_secs(30);

/// A module and the process that it runs in, while there is one.
#[derive(Debug)]
pub struct Worker {
    launch: Launch,
    spec: Spec,
    state: Mutex<State>,
}

#[derive(Default, Debug)]
struct State {
    link: Option<Arc<Link>>,
    exports: Vec<String>,
    /// Starts since the last answer.
    failures: u32,
    not_before: Option<Instant>,
    /// Unread output of a process that has ended.
    left: Remainder,
}

/// The output of a process besides its answers.
#[derive(Clone, Default, Debug)]
pub struct Remainder {
    /// Messages of the module to the host, since the last call.
    pub events: Vec<Event>,
    /// New text on standard output.
    pub stdout: String,
    /// New text on standard error.
    pub stderr: String,
}

impl Worker {
    /// Returns a worker for a module that is not started yet. `spec` is [`Launch::spec`] with a
    /// policy.
    pub fn new(launch: Launch, spec: Spec) -> Self {
        Self {
            launch,
            spec,
            state: Mutex::default(),
        }
    }

    /// Returns what the worker starts.
    pub fn launch(&self) -> &Launch {
        &self.launch
    }

    /// Returns how the running process is confined.
    pub fn confinement(&self) -> Option<Report> {
        let state = self.state();
        state.link.as_ref().map(|link| link.confinement().clone())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The functions that the module exports, of those that the host knows. Starts it.
    pub fn exports(&self) -> Result<Vec<String>, WorkerError> {
        self.link(LOAD_TIMEOUT, &Cancel::new())?;
        Ok(self.state().exports.clone())
    }

    /// Starts the module if it does not run.
    pub fn load(&self, patience: Duration, cancel: &Cancel) -> Result<(), WorkerError> {
        self.link(patience, cancel).map(drop)
    }

    /// Asks the module something, within `timeout` from the moment that it is loaded. One that does
    /// not answer in time is killed: it keeps its process busy, so nobody else would get an answer.
    pub fn ask(
        &self,
        request: Map<String, Value>,
        timeout: Duration,
    ) -> Result<Reply, WorkerError> {
        self.ask_unless(request, timeout, &Cancel::new())
    }

    /// Does the same until the call is cancelled: then the module is notified, and its process
    /// continues.
    pub fn ask_unless(
        &self,
        request: Map<String, Value>,
        timeout: Duration,
        cancel: &Cancel,
    ) -> Result<Reply, WorkerError> {
        self.ask_with(request, timeout, cancel, None)
    }

    /// Does the same, and makes the calls of other skills that the module asks for meanwhile.
    pub fn ask_with(
        &self,
        request: Map<String, Value>,
        timeout: Duration,
        cancel: &Cancel,
        others: Option<&Others<'_>>,
    ) -> Result<Reply, WorkerError> {
        let link = self.link(timeout, cancel)?;
        let res = link.ask_with(request, timeout, cancel, others);
        let mut state = self.state();
        match &res {
            Ok(_) => {
                state.failures = 0;
                state.not_before = None;
            }
            Err(LinkError::Ended(_) | LinkError::Silent) => state.drop_link(&link),
            Err(
                LinkError::Start(_)
                | LinkError::Unconfined(_)
                | LinkError::Cancelled
                | LinkError::TooLarge(_),
            ) => {}
        }
        res.map_err(WorkerError::Link)
    }

    /// The running process; started if there is none, after a pause when it has crashed.
    fn link(&self, patience: Duration, cancel: &Cancel) -> Result<Arc<Link>, WorkerError> {
        let mut state = self.state();
        if let Some(link) = state.link.clone() {
            if link.is_running() {
                return Ok(link);
            }
            state.drop_link(&link);
        }
        if let Some(pause) = state
            .not_before
            .map(|at| at.saturating_duration_since(Instant::now()))
        {
            if pause > patience {
                return Err(WorkerError::Pause(pause));
            }
            cancel.sleep(pause);
            if cancel.is_cancelled() {
                return Err(WorkerError::Link(LinkError::Cancelled));
            }
        }
        let started = Link::start(&self.spec)
            .map_err(WorkerError::Link)
            .and_then(|link| {
                let link = Arc::new(link);
                let loaded = load(&link, &self.launch, cancel);
                Ok((loaded.inspect_err(|_| state.keep(&link))?, link))
            });
        match started {
            Ok((exports, link)) => {
                state.exports = exports;
                state.link = Some(Arc::clone(&link));
                Ok(link)
            }
            Err(failed @ WorkerError::Link(LinkError::Cancelled)) => Err(failed),
            Err(failed) => {
                state.failed();
                Err(failed)
            }
        }
    }

    /// Takes the messages of the module and its output.
    pub fn take_remainder(&self) -> Remainder {
        let mut state = self.state();
        if let Some(link) = state.link.clone() {
            state.keep(&link);
        }
        std::mem::take(&mut state.left)
    }

    /// Shuts the process down: `shutdown()` is awaited, then it is killed. A process that does not
    /// run is not started for that.
    pub fn shutdown(&self) {
        let Some(link) = self.state().link.take() else {
            return;
        };
        let request = Map::from_iter([("op".to_owned(), json!("shutdown"))]);
        // One that fails is killed below.
        let _ = link.ask(request, SHUTDOWN_TIMEOUT, &Cancel::new());
        // Calls that still run see the end of the process when the last of them lets it go.
        match Arc::try_unwrap(link) {
            Ok(mut link) => {
                link.end();
                self.state().keep(&link);
            }
            Err(link) => self.state().keep(&link),
        }
    }

    /// Lets the process continue without us, at most for `linger`.
    pub fn leave(&self, linger: Duration) {
        let link = self.state().link.take();
        if let Some(link) = link.and_then(Arc::into_inner) {
            link.leave(linger);
        }
    }
}

impl State {
    fn keep(&mut self, link: &Link) {
        self.left.events.extend(link.take_events());
        let (stdout, stderr) = link.take_printed();
        self.left.stdout.push_str(&stdout);
        self.left.stderr.push_str(&stderr);
    }

    /// Another caller may have replaced the link already.
    fn drop_link(&mut self, link: &Arc<Link>) {
        if self.link.as_ref().is_some_and(|own| Arc::ptr_eq(own, link)) {
            link.kill();
            self.keep(link);
            self.link = None;
            self.failed();
        }
    }

    fn failed(&mut self) {
        if self.failures > 0 {
            let pause = FIRST_PAUSE.saturating_mul(1 << (self.failures - 1).min(16));
            self.not_before = Some(Instant::now() + pause.min(MAX_PAUSE));
        }
        self.failures = self.failures.saturating_add(1);
    }
}

fn load(link: &Link, launch: &Launch, cancel: &Cancel) -> Result<Vec<String>, WorkerError> {
    let reply = link
        .ask(launch.request(), LOAD_TIMEOUT, cancel)
        .map_err(WorkerError::Link)?;
    let exports = reply.outcome.map_err(WorkerError::Load)?;
    let exports = exports
        .as_ref()
        .and_then(Value::as_array)
        .into_iter()
        .flatten();
    Ok(exports
        .filter_map(Value::as_str)
        .map(str::to_owned)
        .collect())
}

/// The reason why a module did not answer.
#[derive(Clone, Debug, thiserror::Error)]
pub enum WorkerError {
    /// It could not be loaded.
    #[error("{}", .0.message)]
    Load(Refusal),
    /// Its process could not be started, ended, or kept silent.
    #[error(transparent)]
    Link(LinkError),
    /// It has crashed again and again, and is not started before this time is over.
    #[error("the module has crashed repeatedly; it is started again in {} ms", .0.as_millis())]
    Pause(Duration),
}
