//! How far a call is.

use std::time::Duration;

use tokio::time::Instant;

use super::ledger::Given;

/// Pauses after a node that is busy or not there: doubled each time, up to the second.
const PAUSE: (Duration, Duration) = (Duration::from_millis(20), Duration::from_secs(1));
/// How far it is.
pub(super) struct Standing {
    pub(super) stage: Stage,
    /// Nodes that offer the skill, and when the catalogue was asked last.
    pub(super) nodes: Vec<String>,
    pub(super) looked: Instant,
    pub(super) heard: Instant,
    pub(super) next: Instant,
    pause: Duration,
    pub(super) asked: u32,
    pub(super) accepted: bool,
}

/// Who has the call.
pub(super) enum Stage {
    /// Somebody gave its id, which may be that of a call that was made before.
    Unseen,
    /// Nobody. With a revision, a node had it that will not run it.
    Open(Option<u64>),
    Given(Given),
}

impl Standing {
    /// At the start. `is_named`: somebody gave the id of the call.
    pub(super) fn new(nodes: Vec<String>, is_named: bool) -> Self {
        let now = Instant::now();
        Self {
            stage: if is_named {
                Stage::Unseen
            } else {
                Stage::Open(None)
            },
            nodes,
            looked: now,
            heard: now,
            next: now,
            pause: PAUSE.0,
            asked: 0,
            accepted: false,
        }
    }

    /// A node lives.
    pub(super) fn heard(&mut self, silence: Duration) {
        self.heard = Instant::now();
        self.next = self.heard + silence;
        self.pause = PAUSE.0;
    }

    /// Nobody wants it now.
    pub(super) fn put_off(&mut self) {
        self.next = Instant::now() + self.pause;
        self.pause = (self.pause * 2).min(PAUSE.1);
    }

    /// Announces the call again at once.
    pub(super) fn open(&mut self, instead: u64) {
        self.stage = Stage::Open(Some(instead));
        self.accepted = false;
        self.next = Instant::now();
    }
}
