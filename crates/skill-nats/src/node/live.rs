//! The current calls of a node.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::Value;
use skill_executor::cancel::Cancel;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, watch};
use tokio::time::Instant;

use crate::protocol::Inbox;

/// The maximum number of queued progress messages; more are dropped.
const MAX_PROGRESS: usize = 64;

/// The state of a running call: its cancellation and its progress.
#[derive(Clone, Debug)]
pub struct Running {
    cancel: Cancel,
    progress: mpsc::Sender<Value>,
}

impl Running {
    /// Returns true if the call is cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// Returns the handle of the cancellation, for waiting on it.
    pub fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// Reports progress to the caller. Never waits: progress that comes faster than it can be sent is
    /// dropped.
    pub fn progress(&self, value: Value) {
        let _ = self.progress.try_send(value);
    }
}

/// The time for which a claim waits for its call.
const HOLD: Duration = Duration::from_secs(3);

/// One call.
#[derive(Debug)]
struct Live {
    listeners: Vec<Inbox>,
    cancel: Cancel,
    cancelled: watch::Sender<bool>,
}

/// The state of a call that its task owns.
#[derive(Debug)]
pub(super) struct Handle {
    pub(super) running: Running,
    pub(super) progress: mpsc::Receiver<Value>,
    pub(super) cancelled: watch::Receiver<bool>,
    /// The place that was reserved for it.
    _place: OwnedSemaphorePermit,
}

/// The outcome for a call that arrives.
#[derive(Debug)]
pub(super) enum Taken {
    /// The call starts.
    Begun(Handle),
    /// The call is running already; the answer goes to this listener too.
    Joined,
    /// No claim of this node has the token, or the claim has expired.
    Unknown,
}

/// All calls of a node, from the announcement to the answer.
#[derive(Debug)]
pub(super) struct Calls {
    state: Mutex<State>,
    share: Share,
}

/// The part of a node that one owner may occupy before its calls start. Announcements that are never
/// followed by a call do not block other owners.
#[derive(Clone, Copy, Debug)]
pub(super) struct Share {
    /// The number of announced calls that wait.
    waiting: usize,
    /// The number of places that are reserved for claimed calls.
    claimed: usize,
}

impl Share {
    /// Returns a half of the queue, and a quarter of the places, of which each slot has two.
    pub(super) fn of(slots: usize, queue: usize) -> Self {
        Self {
            waiting: (slots + queue).div_ceil(2),
            claimed: slots.div_ceil(2).max(1),
        }
    }
}

/// A place for a call that was claimed, and the owner's right to have it.
#[derive(Debug)]
pub(super) struct Claim {
    pub(super) place: OwnedSemaphorePermit,
    pub(super) _right: OwnedSemaphorePermit,
}

#[derive(Debug, Default)]
struct State {
    /// Announced, waiting for a place.
    waiting: BTreeSet<Inbox>,
    /// The number of waiting calls by owner.
    n_waiting: BTreeMap<String, usize>,
    /// The claims by token, with the time at which they expire.
    claimed: BTreeMap<String, (Claim, Instant)>,
    /// The rights to a claim, by owner.
    rights: BTreeMap<String, Arc<Semaphore>>,
    /// The calls that have arrived, by token.
    live: BTreeMap<String, Live>,
}

/// The outcome for a call that is announced.
#[derive(Debug)]
pub(super) enum Wait {
    /// The call waits for one of these rights and then for a place.
    Begun(Arc<Semaphore>),
    /// The call waits already.
    Already,
    /// Too many calls of its owner wait.
    TooMany,
}

impl Calls {
    pub(super) fn new(share: Share) -> Self {
        Self {
            state: Mutex::default(),
            share,
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets an announced call wait, for the right of its owner to a claim first.
    pub(super) fn wait(&self, inbox: &Inbox) -> Wait {
        let mut state = self.lock();
        let state = &mut *state;
        if state.waiting.contains(inbox) {
            return Wait::Already;
        }
        let n_waiting = state.n_waiting.entry(inbox.owner.clone()).or_default();
        if *n_waiting >= self.share.waiting {
            return Wait::TooMany;
        }
        *n_waiting += 1;
        state.waiting.insert(inbox.clone());
        let rights = state.rights.entry(inbox.owner.clone());
        let rights = rights.or_insert_with(|| Arc::new(Semaphore::new(self.share.claimed)));
        Wait::Begun(Arc::clone(rights))
    }

    /// Ends the wait of an announced call.
    pub(super) fn end_wait(&self, inbox: &Inbox) {
        let mut state = self.lock();
        if !state.waiting.remove(inbox) {
            return;
        }
        if let Some(n_waiting) = state.n_waiting.get_mut(&inbox.owner) {
            *n_waiting -= 1;
            if *n_waiting == 0 {
                state.n_waiting.remove(&inbox.owner);
            }
        }
    }

    /// Claims a call: keeps a place for whoever shows the token, for [`HOLD`].
    pub(super) fn claim(&self, token: &str, claim: Claim) {
        let until = Instant::now() + HOLD;
        let mut state = self.lock();
        state.claimed.insert(token.to_owned(), (claim, until));
    }

    /// Gives up claims whose calls did not come.
    pub(super) fn forget_claims(&self) {
        let now = Instant::now();
        let mut state = self.lock();
        state.claimed.retain(|_, (_, until)| *until > now);
        // Nobody waits for a right of theirs, or has one.
        state.rights.retain(|_, rights| {
            Arc::strong_count(rights) > 1 || rights.available_permits() < self.share.claimed
        });
    }

    /// Takes a call on, once for each claim.
    pub(super) fn take(&self, token: &str, listener: Inbox) -> Taken {
        let mut state = self.lock();
        if let Some(live) = state.live.get_mut(token) {
            live.add(listener);
            return Taken::Joined;
        }
        let Some((Claim { place, .. }, _)) = state.claimed.remove(token) else {
            return Taken::Unknown;
        };
        let (progress, receiver) = mpsc::channel(MAX_PROGRESS);
        let (cancel_sender, cancelled) = watch::channel(false);
        let cancel = Cancel::new();
        let live = Live {
            listeners: vec![listener],
            cancel: cancel.clone(),
            cancelled: cancel_sender,
        };
        state.live.insert(token.to_owned(), live);
        Taken::Begun(Handle {
            running: Running { cancel, progress },
            progress: receiver,
            cancelled,
            _place: place,
        })
    }

    /// Returns the current listeners of a call.
    pub(super) fn listeners(&self, token: &str) -> Vec<Inbox> {
        let state = self.lock();
        let live = state.live.get(token);
        live.map_or_else(Vec::new, |live| live.listeners.clone())
    }

    /// Removes a call and returns its listeners.
    pub(super) fn end(&self, token: &str) -> Vec<Inbox> {
        let live = self.lock().live.remove(token);
        live.map_or_else(Vec::new, |live| live.listeners)
    }

    /// Cancels a call, if it is running.
    pub(super) fn cancel(&self, token: &str) {
        if let Some(live) = self.lock().live.get(token) {
            live.cancel();
        }
    }

    /// Cancels all calls.
    pub(super) fn cancel_all(&self) {
        self.lock().live.values().for_each(Live::cancel);
    }

    /// Returns the number of calls, including those that wait for a place.
    pub(super) fn len(&self) -> usize {
        let state = self.lock();
        state.waiting.len() + state.claimed.len() + state.live.len()
    }

    /// Returns the number of calls that have arrived or were claimed.
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

/// The time for which a cancelled skill may continue before its answer is ignored.
pub(super) const CANCEL_GRACE: Duration = Duration::from_secs(2);

#[cfg(test)]
mod tests {
    use super::*;

    fn inbox(owner: &str, name: &str) -> Inbox {
        Inbox::of_tokens(&format!("{owner}.{name}")).unwrap()
    }

    /// A caller that announces calls and sends none has a part of the node, and others the rest.
    #[test]
    fn announcements_of_one_owner_do_not_fill_a_node() {
        let (slots, queue) = (4, 16);
        let places = Arc::new(Semaphore::new(2 * slots));
        let calls = Calls::new(Share::of(slots, queue));
        let announce = |owner: &str, name: &str| {
            let inbox = inbox(owner, name);
            let Wait::Begun(rights) = calls.wait(&inbox) else {
                return false;
            };
            let Ok(right) = rights.try_acquire_owned() else {
                return true;
            };
            if let Ok(place) = Arc::clone(&places).try_acquire_owned() {
                calls.end_wait(&inbox);
                calls.claim(
                    &format!("{owner}-{name}"),
                    Claim {
                        place,
                        _right: right,
                    },
                );
            }
            true
        };
        let waits = (0..100).filter(|n| announce("hostile", &n.to_string()));
        assert_eq!(waits.count(), 2 + 10);
        assert_eq!(places.available_permits(), 6);
        assert!(announce("other", "1"));
        assert_eq!(places.available_permits(), 5);
        assert!(!announce("hostile", "again"));
        // A call that comes frees the right; its place it keeps.
        let taken = calls.take("hostile-0", inbox("hostile", "0"));
        assert!(matches!(taken, Taken::Begun(_)));
        calls.end_wait(&inbox("hostile", "2"));
        assert!(announce("hostile", "again"));
        assert_eq!(places.available_permits(), 4);
    }
}
