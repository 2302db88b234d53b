//! Starts calls: each on a thread of its own, a bounded number at the same time.

use std::sync::Arc;

use skill_executor::cancel::Cancel;
use skill_executor::{Log, Progress};

use super::direct::{Reply, direct};
use super::{Chosen, Runner, Task};

/// Cancels a call when it is dropped: the task of a request is dropped with its connection.
#[derive(Default)]
struct CancelOnDrop(Cancel);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// The circumstances of a call: approval, progress, log, kind of answer.
#[derive(Default, Debug)]
pub(crate) struct CallContext {
    /// The digest of what a person allowed.
    pub(crate) approved: Option<String>,
    /// Receives the progress.
    pub(crate) progress: Option<Progress>,
    /// Receives the log of the server behind the skill.
    pub(crate) log: Option<Log>,
    /// True if the answer is that of the server behind the skill, without our own members.
    pub(crate) is_direct: bool,
}

/// Runs a task as soon as a slot is free, and returns its result. The call is cancelled when
/// `cancelled` completes, or when the future is dropped.
///
/// # Errors
///
/// The reason why there is no result.
pub(crate) async fn start(
    runner: Arc<Runner>,
    chosen: Chosen,
    task: Task,
    context: CallContext,
    cancelled: impl Future<Output = ()>,
) -> Result<Reply, &'static str> {
    let Ok(slot) = runner.slots.clone().acquire_owned().await else {
        return Err("the server is stopping");
    };
    let cancel_on_drop = CancelOnDrop::default();
    let watched = cancel_on_drop.0.clone();
    let mut running = tokio::task::spawn_blocking(move || {
        // Kept until the program has ended: the slots limit programs, not the requests that wait.
        let _slot = slot;
        let envelope = runner.run(&chosen, &task, &context, &watched);
        if context.is_direct {
            direct(&runner, &envelope)
        } else {
            Ok(runner.result(&envelope))
        }
    });
    let done = tokio::select! {
        done = &mut running => done,
        () = cancelled => {
            cancel_on_drop.0.cancel();
            running.await
        }
    };
    done.map_err(|_| "the call failed")
}
