//! Interrupts cancel the running call before they end the tool, so that no process is left.

use std::thread;
use std::time::Duration;

use anyhow::Context as _;
use skill_executor::cancel::Cancel;
use tokio::runtime::Builder;
use tokio::time::timeout;

use crate::signals::Signals;

/// The time that a call has to end; a killed child needs 0.4 s. After this time, or at a second
/// interrupt, the tool ends without waiting.
const GRACE: Duration = Duration::from_secs(3);

/// Returns a handle that SIGINT and SIGTERM cancel from now on.
///
/// # Errors
///
/// The handlers of the signals cannot be installed.
pub fn handle() -> anyhow::Result<Cancel> {
    let runtime = Builder::new_current_thread().enable_all().build();
    let runtime = runtime.context("cannot wait for interrupts")?;
    let entered = runtime.enter();
    let mut signals = Signals::new()?;
    drop(entered);
    let cancel = Cancel::new();
    let handle = cancel.clone();
    thread::spawn(move || {
        runtime.block_on(async {
            let first = signals.next().await;
            cancel.cancel();
            leave(timeout(GRACE, signals.next()).await.unwrap_or(first));
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
