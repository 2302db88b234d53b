//! The calls that a node has at this moment.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::Value;
use skill_executor::cancel::Cancel;
use tokio::sync::{OwnedSemaphorePermit, mpsc, watch};
use tokio::time::Instant;

use crate::protocol::Inbox;

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

/// How long a claim waits for its call.
const HOLD: Duration = Duration::from_secs(3);

/// One call.
#[derive(Debug)]
struct Live {
    listeners: Vec<Inbox>,
    cancel: Cancel,
    cancelled: watch::Sender<bool>,
}

/// What the task of a call holds of it.
#[derive(Debug)]
pub(super) struct Handle {
    pub(super) running: Running,
    pub(super) progress: mpsc::Receiver<Value>,
    pub(super) cancelled: watch::Receiver<bool>,
    /// The place that was kept free for it.
    _place: OwnedSemaphorePermit,
}

/// What becomes of a call that arrives.
#[derive(Debug)]
pub(super) enum Taken {
    /// It begins.
    Begun(Handle),
    /// It is here already; the answer goes to this listener too.
    Joined,
    /// No claim of this node has the token, or the claim is over.
    Unknown,
}

/// All calls of a node, from the announcement to the answer.
#[derive(Debug, Default)]
pub(super) struct Calls {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// Announced, waiting for a place.
    waiting: BTreeSet<Inbox>,
    /// Claimed: a place for each token, and until when.
    claimed: BTreeMap<String, (OwnedSemaphorePermit, Instant)>,
    /// Here, by token.
    live: BTreeMap<String, Live>,
}

impl Calls {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets an announced call wait. False when it waits already.
    pub(super) fn wait(&self, inbox: &Inbox) -> bool {
        self.lock().waiting.insert(inbox.clone())
    }

    /// Ends the wait of an announced call.
    pub(super) fn end_wait(&self, inbox: &Inbox) {
        self.lock().waiting.remove(inbox);
    }

    /// Claims a call: keeps a place for whoever shows the token, for [`HOLD`].
    pub(super) fn claim(&self, token: &str, place: OwnedSemaphorePermit) {
        let until = Instant::now() + HOLD;
        let mut state = self.lock();
        state.claimed.insert(token.to_owned(), (place, until));
    }

    /// Gives up claims whose calls did not come.
    pub(super) fn forget_claims(&self) {
        let now = Instant::now();
        self.lock().claimed.retain(|_, (_, until)| *until > now);
    }

    /// Takes a call on, once for each claim.
    pub(super) fn take(&self, token: &str, listener: Inbox) -> Taken {
        let mut state = self.lock();
        if let Some(live) = state.live.get_mut(token) {
            live.add(listener);
            return Taken::Joined;
        }
        let Some((place, _)) = state.claimed.remove(token) else {
            return Taken::Unknown;
        };
        let (progress, receiver) = mpsc::channel(MAX_PROGRESS);
        let (told, cancelled) = watch::channel(false);
        let cancel = Cancel::new();
        let live = Live {
            listeners: vec![listener],
            cancel: cancel.clone(),
            cancelled: told,
        };
        state.live.insert(token.to_owned(), live);
        Taken::Begun(Handle {
            running: Running { cancel, progress },
            progress: receiver,
            cancelled,
            _place: place,
        })
    }

    /// Who listens to a call now.
    pub(super) fn listeners(&self, token: &str) -> Vec<Inbox> {
        let state = self.lock();
        let live = state.live.get(token);
        live.map_or_else(Vec::new, |live| live.listeners.clone())
    }

    /// Lets a call go, and says who still listens.
    pub(super) fn end(&self, token: &str) -> Vec<Inbox> {
        let live = self.lock().live.remove(token);
        live.map_or_else(Vec::new, |live| live.listeners)
    }

    /// Cancels a call, if it is here.
    pub(super) fn cancel(&self, token: &str) {
        if let Some(live) = self.lock().live.get(token) {
            live.cancel();
        }
    }

    /// Cancels all of them.
    pub(super) fn cancel_all(&self) {
        self.lock().live.values().for_each(Live::cancel);
    }

    /// How many there are, those that wait for a place included.
    pub(super) fn len(&self) -> usize {
        let state = self.lock();
        state.waiting.len() + state.claimed.len() + state.live.len()
    }

    /// How many are here with their input, or may still come because they were claimed.
    pub(super) fn n_begun(&self) -> usize {
        let state = self.lock();
        state.claimed.len() + state.live.len()
    }
}

impl Live {
    fn add(&mut self, listener: Inbox) {
        if !self.listeners.contains(&listener) {
            self.listeners.push(listener);
        }
    }

    fn cancel(&self) {
        self.cancel.cancel();
        self.cancelled.send_replace(true);
    }
}

/// How long a cancelled skill may take to end before it is left to itself.
pub(super) const CANCEL_GRACE: Duration = Duration::from_secs(2);
