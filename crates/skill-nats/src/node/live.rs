//! The calls that a node has at this moment.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_nats::Subject;
use serde_json::Value;
use skill_executor::cancel::Cancel;
use tokio::sync::{mpsc, watch};

/// Messages of progress that wait to be sent; more are dropped.
const MAX_PROGRESS: usize = 64;

/// What a runner knows of the call it runs, besides the call.
#[derive(Clone, Debug)]
pub struct Running {
    cancel: Cancel,
    progress: mpsc::Sender<Value>,
}

impl Running {
    /// Whether nobody waits for the answer any more.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// The handle behind [`is_cancelled`](Self::is_cancelled), for what can be woken by it.
    pub fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// Tells the caller how far it is. Never waits: what comes faster than it can be sent is
    /// dropped.
    pub fn progress(&self, value: Value) {
        let _ = self.progress.try_send(value);
    }
}

/// One call.
#[derive(Debug)]
struct Live {
    listeners: Vec<Subject>,
    cancel: Cancel,
    cancelled: watch::Sender<bool>,
}

/// What the task of a call holds of it.
#[derive(Debug)]
pub(super) struct Handle {
    pub(super) running: Running,
    pub(super) progress: mpsc::Receiver<Value>,
    pub(super) cancelled: watch::Receiver<bool>,
}

/// All of them, by id.
#[derive(Debug, Default)]
pub(super) struct Calls {
    calls: Mutex<BTreeMap<String, Live>>,
}

impl Calls {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Live>> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a call on. `None` when it is here already; then the answer goes to `listener` too.
    pub(super) fn begin(&self, id: &str, listener: Option<&Subject>) -> Option<Handle> {
        let mut calls = self.lock();
        if let Some(live) = calls.get_mut(id) {
            live.add(listener);
            return None;
        }
        let (progress, receiver) = mpsc::channel(MAX_PROGRESS);
        let (told, cancelled) = watch::channel(false);
        let cancel = Cancel::new();
        let mut live = Live {
            listeners: Vec::new(),
            cancel: cancel.clone(),
            cancelled: told,
        };
        live.add(listener);
        calls.insert(id.to_owned(), live);
        Some(Handle {
            running: Running { cancel, progress },
            progress: receiver,
            cancelled,
        })
    }

    /// Who listens to a call now.
    pub(super) fn listeners(&self, id: &str) -> Vec<Subject> {
        let calls = self.lock();
        calls
            .get(id)
            .map_or_else(Vec::new, |live| live.listeners.clone())
    }

    /// Lets a call go.
    pub(super) fn end(&self, id: &str) -> Vec<Subject> {
        self.lock()
            .remove(id)
            .map_or_else(Vec::new, |live| live.listeners)
    }

    /// Cancels a call, if it is here.
    pub(super) fn cancel(&self, id: &str) {
        if let Some(live) = self.lock().get(id) {
            live.cancel.cancel();
            live.cancelled.send_replace(true);
        }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.lock().len()
    }
}

impl Live {
    fn add(&mut self, listener: Option<&Subject>) {
        if let Some(listener) = listener
            && !self.listeners.contains(listener)
        {
            self.listeners.push(listener.clone());
        }
    }
}

/// How long a cancelled skill may take to end before it is left to itself.
pub(super) const CANCEL_GRACE: Duration = Duration::from_secs(2);
