//! The check whether a server still answers after a call was given up. One that does a single thing at a time
//! and hangs in it lets all later calls wait.

use std::sync::mpsc::Receiver;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use skill_sandbox::Killer;

use super::inbox::{Answer, Inbox};
use crate::envelope::{ErrorCode, Failure};

/// The time that a server has to answer another request.
const PATIENCE: Duration = Duration::from_secs(2);

/// The number of checks that are running.
#[derive(Clone, Default, Debug)]
pub(super) struct Doubts(Arc<(Mutex<usize>, Condvar)>);

impl Doubts {
    fn running(&self) -> MutexGuard<'_, usize> {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until no check is running, but not longer than this.
    pub(super) fn settle(&self, left: Duration) {
        let running = self.running();
        // Whether it was long enough is found by the request that follows.
        let _ = self.0.1.wait_timeout_while(running, left, |n| *n > 0);
    }

    /// Ends the server if it does not answer a request soon. One that has earlier requests may be about to
    /// do what they ask.
    pub(super) fn check(
        &self,
        inbox: Inbox,
        (id, answer): (u64, Receiver<Answer>),
        killer: Killer,
    ) {
        *self.running() += 1;
        let doubts = self.clone();
        thread::spawn(move || {
            if answer.recv_timeout(PATIENCE).is_err() {
                if !inbox.has_before(id) {
                    let message =
                        "the MCP server was ended: it did not react after a call was given up";
                    inbox.end(&Failure::new(ErrorCode::Unavailable, message));
                    killer.kill();
                }
                inbox.forget(id);
            }
            *doubts.running() -= 1;
            doubts.0.1.notify_all();
        });
    }
}
