//! The signals that end a tool.

#[cfg(unix)]
use tokio::signal::unix::{Signal as Interrupted, Signal as Terminated, SignalKind, signal};
#[cfg(windows)]
use tokio::signal::windows::{CtrlBreak as Terminated, CtrlC as Interrupted, ctrl_break, ctrl_c};

/// SIGINT and SIGTERM, or Ctrl+C and Ctrl+Break on Windows, one after another.
pub struct Signals {
    interrupted: Interrupted,
    terminated: Terminated,
}

impl Signals {
    /// Installs the handlers.
    ///
    /// # Errors
    ///
    /// The system refuses, or this is not called in a runtime.
    pub fn new() -> std::io::Result<Self> {
        #[cfg(unix)]
        let [interrupted, terminated] = [
            signal(SignalKind::interrupt())?,
            signal(SignalKind::terminate())?,
        ];
        #[cfg(windows)]
        let (interrupted, terminated) = (ctrl_c()?, ctrl_break()?);
        Ok(Self {
            interrupted,
            terminated,
        })
    }

    /// Waits for the next signal; returns the exit status that shells report for it.
    pub async fn next(&mut self) -> i32 {
        tokio::select! {
            _ = self.interrupted.recv() => 128 + 2,
            _ = self.terminated.recv() => 128 + 15,
        }
    }
}
