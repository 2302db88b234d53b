//! The signals that stop the server.

use tokio::signal::unix::{Signal, SignalKind, signal};

/// The signals that ask the process to end, one after another.
pub(super) struct Signals {
    terminated: Signal,
    interrupted: Signal,
}

impl Signals {
    pub(super) fn new() -> std::io::Result<Self> {
        Ok(Self {
            terminated: signal(SignalKind::terminate())?,
            interrupted: signal(SignalKind::interrupt())?,
        })
    }

    /// Completes at the next signal.
    pub(super) async fn next(&mut self) {
        tokio::select! {
            _ = self.terminated.recv() => (),
            _ = self.interrupted.recv() => (),
        }
    }
}
