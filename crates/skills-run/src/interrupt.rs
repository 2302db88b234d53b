//! Interrupts cancel the running call before they end the tool, so that no process is left.

use std::thread;
use std::time::Duration;

use anyhow::Context as _;
use skill_executor::cancel::Cancel;
use tokio::runtime::Builder;
#[cfg(unix)]
use tokio::signal::unix::{SignalKind, signal};
#[cfg(windows)]
use tokio::signal::windows::{ctrl_break, ctrl_c};
use tokio::time::timeout;

/// The time that a call has to end; a killed child needs 0.4 s. After this time, or at a second
/// interrupt, the tool ends without waiting.
const GRACE: Duration = Duration::from_secs(3);

/// The statuses that shells report for programs that SIGINT or SIGTERM ended. On Windows, Ctrl+C
/// and Ctrl+Break have the same.
const INTERRUPTED: i32 = 130;
const TERMINATED: i32 = 143;

/// Returns a handle that SIGINT and SIGTERM cancel from now on.
///
/// # Errors
///
/// The handlers of the signals cannot be installed.
pub fn handle() -> anyhow::Result<Cancel> {
    let runtime = Builder::new_current_thread().enable_all().build();
    let runtime = runtime.context("cannot wait for interrupts")?;
    let entered = runtime.enter();
    #[cfg(unix)]
    let (mut interrupted, mut terminated) = (
        signal(SignalKind::interrupt())?,
        signal(SignalKind::terminate())?,
    );
    #[cfg(windows)]
    let (mut interrupted, mut terminated) = (ctrl_c()?, ctrl_break()?);
    drop(entered);
    let cancel = Cancel::new();
    let handle = cancel.clone();
    thread::spawn(move || {
        runtime.block_on(async {
            let mut next = async || {
                tokio::select! {
                    _ = interrupted.recv() => INTERRUPTED,
                    _ = terminated.recv() => TERMINATED,
                }
            };
            let first = next().await;
            cancel.cancel();
            leave(timeout(GRACE, next()).await.unwrap_or(first));
        });
    });
    Ok(handle)
}

/// Ends the tool with this status.
#[expect(
    clippy::exit,
    reason = "the thread of the tool waits for something else"
)]
fn leave(status: i32) -> ! {
    std::process::exit(status)
}
