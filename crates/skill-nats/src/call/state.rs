//! The progress of a call, as its caller knows it.

use std::time::Duration;

use tokio::time::Instant;

use super::ledger::Given;

/// The first and the longest pause after a node that is busy or absent; it doubles each time.
const PAUSE: (Duration, Duration) = (Duration::from_millis(20), Duration::from_secs(1));

/// The state of a waiting call.
pub(super) struct CallState {
    pub(super) stage: Stage,
    /// The nodes that offer the skill, and the time of the last lookup in the catalog.
    pub(super) nodes: Vec<String>,
    pub(super) looked: Instant,
    pub(super) heard: Instant,
    pub(super) next: Instant,
    pause: Duration,
    pub(super) asked: u32,
    pub(super) accepted: bool,
}

/// The stage of a call.
pub(super) enum Stage {
    /// The id was passed, so the call may have been made before.
    Unseen,
    /// No node has the call. With a revision, a node had it that will not run it.
    Open(Option<u64>),
    Given(Given),
}

impl CallState {
    /// Creates the state at the start. `is_named` is true if the id of the call was passed.
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

    /// Records a sign of life of a node.
    pub(super) fn heard(&mut self, silence: Duration) {
        self.heard = Instant::now();
        self.next = self.heard + silence;
        self.pause = PAUSE.0;
    }

    /// Postpones the next attempt, because no node takes the call now.
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
