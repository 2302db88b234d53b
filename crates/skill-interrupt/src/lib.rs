//! Signals that cancel the calls of skills.
//!
//! - [`handle`]: cancels a call at SIGINT or SIGTERM before the program ends, so that no process is left.
//! - [`Signals`]: these signals, for programs that end in their own way.
//!
//! **Invariant:** a second signal always ends the program.

mod signals;

use std::thread;
use std::time::Duration;

use skill_executor::cancel::Cancel;
use tokio::runtime::Builder;
use tokio::time::timeout;

pub use signals::Signals;

/// The time that a call has to end; a killed child needs 0.4 s. After this time, or at a second
/// interrupt, the program ends without waiting.
const GRACE: Duration = Duration::from_secs(3);

/// Returns a handle that SIGINT and SIGTERM cancel from now on.
///
/// # Errors
///
/// The handlers of the signals cannot be installed.
pub fn handle() -> std::io::Result<Cancel> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
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

/// Ends the program with this status.
#[expect(clippy::exit, reason = "the main thread waits for something else")]
fn leave(status: i32) -> ! {
    std::process::exit(status)
}
