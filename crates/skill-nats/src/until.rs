//! A node that serves until its process is asked to stop.

use std::sync::Arc;
use std::time::Duration;

use skill_interrupt::Signals;

use crate::error::Error;
use crate::local::LocalSkills;
use crate::node::{Node, NodeSettings};
use crate::server::Server;

/// The time that running calls have after the node was asked to stop.
const PATIENCE: Duration = Duration::from_secs(30);
/// The time that the process has to end after the node has stopped.
pub const END: Duration = Duration::from_secs(2);

/// Serves skills until a signal arrives or another node takes the name. `started` gets the number of
/// skills once they are served. The processes of the `preload` most used skills are started first.
///
/// After the first signal, running calls have 30 seconds to end; the second signal cancels them.
/// Neither waits for the NATS server, which may not answer.
///
/// # Errors
///
/// The server cannot be reached, or another node has taken the name.
pub async fn serve_until(
    mut signals: Signals,
    server: &Server,
    settings: NodeSettings,
    (skills, preload): (LocalSkills, usize),
    started: impl FnOnce(usize),
) -> Result<(), Error> {
    let skills = Arc::new(skills);
    let offers = skills.offers();
    let n_skills = offers.len();
    start_processes(&skills, preload);
    let starting = async {
        let connection = server.connect(&settings.name).await?;
        Node::start(&connection, settings, offers, skills).await
    };
    let mut node = tokio::select! {
        node = starting => node?,
        _ = signals.next() => return Ok(()),
    };
    started(n_skills);
    tokio::select! {
        _ = signals.next() => {}
        error = node.failed() => return Err(error),
    }
    stop(node, signals).await;
    Ok(())
}

/// Stops a node: gracefully, or at once after another signal.
async fn stop(node: Node, mut signals: Signals) {
    let hurry = node.hurry();
    let stopped = node.stop(PATIENCE);
    tokio::pin!(stopped);
    tokio::select! {
        () = &mut stopped => return,
        _ = signals.next() => hurry.cancel_calls(),
    }
    let _ = tokio::time::timeout(END, stopped).await;
}

/// Starts the processes of the most used skills in the background.
fn start_processes(skills: &Arc<LocalSkills>, n: usize) {
    if n == 0 {
        return;
    }
    let skills = Arc::clone(skills);
    tokio::task::spawn_blocking(move || {
        for (skill, failure) in skills.preload(n) {
            tracing::warn!(%skill, "not preloaded: {}", failure.message);
        }
    });
}
