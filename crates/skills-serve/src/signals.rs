//! The signals that stop the server.

#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind, signal};
#[cfg(windows)]
use tokio::signal::windows::{CtrlBreak, CtrlC, ctrl_break, ctrl_c};

/// The signals that ask the process to end, one after another.
#[cfg(unix)]
pub(super) struct Signals {
    terminated: Signal,
    interrupted: Signal,
}

/// The events of the console that ask the process to end, one after another.
#[cfg(windows)]
pub(super) struct Signals {
    terminated: CtrlBreak,
    interrupted: CtrlC,
}

impl Signals {
    #[cfg(unix)]
    pub(super) fn new() -> std::io::Result<Self> {
        Ok(Self {
            terminated: signal(SignalKind::terminate())?,
            interrupted: signal(SignalKind::interrupt())?,
        })
    }

    #[cfg(windows)]
    pub(super) fn new() -> std::io::Result<Self> {
        Ok(Self {
            terminated: ctrl_break()?,
            interrupted: ctrl_c()?,
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
