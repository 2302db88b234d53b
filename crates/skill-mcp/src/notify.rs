//! Changes: noticing them, and telling connected agents.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use rmcp::service::SubscriptionContext;

use crate::server::Shared;

/// A look may take this part of the time between two looks.
const SHARE: u32 = 50;
/// How long a connection that does not read is waited for.
const PATIENCE: Duration = Duration::from_secs(5);

/// Looks at the directories again and again; more seldom if a look takes long.
pub(crate) async fn look_again(shared: &Arc<Shared>) {
    let mut pause = shared.settings.recheck;
    loop {
        tokio::time::sleep(pause).await;
        let shared_too = shared.clone();
        let look = tokio::task::spawn_blocking(move || {
            let start = std::time::Instant::now();
            shared_too.store.refresh();
            start.elapsed()
        });
        let took = look.await.unwrap_or_default();
        pause = shared.settings.recheck.max(took * SHARE);
    }
}

/// Tells the connections that registered, at every change.
pub(crate) async fn tell(shared: &Arc<Shared>) {
    let mut changes = shared.store.changes();
    while changes.changed().await.is_ok() {
        shared.metrics.reloads.fetch_add(1, Ordering::Relaxed);
        let skills = shared.store.catalog().skills.len();
        tracing::info!(skills, "catalogue changed");
        for peer in shared.peers() {
            tokio::spawn(async move {
                let told = async {
                    peer.notify_tool_list_changed().await?;
                    peer.notify_resource_list_changed().await?;
                    peer.notify_prompt_list_changed().await
                };
                if !matches!(tokio::time::timeout(PATIENCE, told).await, Ok(Ok(()))) {
                    tracing::debug!("an agent was not told of a change");
                }
            });
        }
    }
}

/// Tells one subscription of the newer protocol, until it ends.
pub(crate) async fn listen(shared: &Shared, subscription: SubscriptionContext) {
    let mut changes = shared.store.changes();
    let sink = subscription.sink().clone();
    loop {
        tokio::select! {
            () = subscription.cancelled() => return,
            changed = changes.changed() => if changed.is_err() { return },
        }
        // What was not subscribed to is refused by the sink.
        let _ = sink.notify_tool_list_changed().await;
        let _ = sink.notify_prompt_list_changed().await;
        let _ = sink.notify_resource_list_changed().await;
    }
}
