//! Cancels running calls: [`Cancel`].
//!
//! Code that waits registers an action that ends the wait ([`Cancel::on_cancel`]), so that nothing
//! polls: a child is killed through its pipe, a module is notified, a request is abandoned. Source:
//! `docs/design/legacy-host.md` §1.6 (the signal of a call) and §1.7 (`cancel_tool`).

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::time::Duration;

type Hook = Box<dyn FnOnce() + Send>;

/// A handle that cancels a call from another thread; its clones are the same handle.
///
/// ```
/// use skill_executor::cancel::Cancel;
///
/// let cancel = Cancel::new();
/// let other = cancel.clone();
/// std::thread::spawn(move || other.cancel()).join().unwrap();
/// assert!(cancel.is_cancelled());
/// ```
#[derive(Clone, Default)]
pub struct Cancel(Arc<Mutex<Inner>>);

#[derive(Default)]
struct Inner {
    is_cancelled: bool,
    next: u64,
    hooks: BTreeMap<u64, Hook>,
}

impl Cancel {
    /// Returns a handle that was not used yet.
    pub fn new() -> Self {
        Self::default()
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Cancels the call. Further calls of this function do nothing.
    pub fn cancel(&self) {
        let hooks = {
            let mut inner = self.inner();
            inner.is_cancelled = true;
            std::mem::take(&mut inner.hooks)
        };
        // Not under the lock: a hook may access the handle.
        for hook in hooks.into_values() {
            hook();
        }
    }

    /// Returns true if the call was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.inner().is_cancelled
    }

    /// Runs `hook` when the call is cancelled, immediately if it was already, and never after the
    /// guard is dropped. It must not block: the cancelling thread runs it.
    pub fn on_cancel(&self, hook: impl FnOnce() + Send + 'static) -> Watch {
        let mut inner = self.inner();
        if inner.is_cancelled {
            drop(inner);
            hook();
            return Watch(self.clone(), None);
        }
        let id = inner.next;
        inner.next += 1;
        inner.hooks.insert(id, Box::new(hook));
        Watch(self.clone(), Some(id))
    }

    /// Waits for `time`, or until the call is cancelled.
    pub fn sleep(&self, time: Duration) {
        let (sender, receiver) = mpsc::channel::<()>();
        let _watch = self.on_cancel(move || drop(sender));
        // Any of three things ends the wait: time, a cancellation now, or an earlier one.
        let _ = receiver.recv_timeout(time);
    }
}

/// The guard of a hook: while it exists, [`Cancel::on_cancel`] runs the hook on cancellation.
#[must_use = "once this is dropped, a cancellation no longer runs the hook"]
pub struct Watch(Cancel, Option<u64>);

impl Drop for Watch {
    fn drop(&mut self) {
        if let Some(id) = self.1 {
            self.0.inner().hooks.remove(&id);
        }
    }
}

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Watch")
    }
}

impl fmt::Debug for Cancel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_cancelled = self.is_cancelled();
        f.debug_tuple("Cancel").field(&is_cancelled).finish()
    }
}

/// The same handle.
impl PartialEq for Cancel {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    /// Checks how often a hook ran that was registered before, between or after.
    #[track_caller]
    fn check(expected: u32, scenario: impl FnOnce(&Cancel, Hook)) {
        let count = Arc::new(AtomicU32::new(0));
        let counted = Arc::clone(&count);
        let hook = move || {
            counted.fetch_add(1, Ordering::SeqCst);
        };
        scenario(&Cancel::new(), Box::new(hook));
        assert_eq!(count.load(Ordering::SeqCst), expected);
    }

    #[test]
    fn a_hook_runs_once_while_its_guard_lives() {
        check(1, |cancel, hook| {
            let _watch = cancel.on_cancel(hook);
            cancel.clone().cancel();
            cancel.cancel();
        });
        check(1, |cancel, hook| {
            cancel.cancel();
            let _watch = cancel.on_cancel(hook);
        });
        check(0, |cancel, hook| {
            drop(cancel.on_cancel(hook));
            cancel.cancel();
        });
    }

    #[test]
    fn a_sleeper_wakes_when_the_call_is_given_up() {
        let cancel = Cancel::new();
        let other = cancel.clone();
        let sleeper = std::thread::spawn(move || other.sleep(Duration::MAX));
        cancel.cancel();
        sleeper.join().expect("it sleeps without panicking");
        assert!(cancel.is_cancelled());
    }
}
