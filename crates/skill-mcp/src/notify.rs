//! Notices changes and notifies connected agents.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rmcp::service::SubscriptionContext;

use crate::names::ToolSet;
use crate::offer::Offer;
use crate::session::Session;
use crate::shared::Shared;

/// The part of the time that rereading the directories may take.
const SHARE: u32 = 50;
/// The longest time to wait for a connection that does not read.
const MAX_WAIT: Duration = Duration::from_secs(5);

/// Rereads the directories repeatedly; less often if that takes long.
pub(crate) async fn refresh_repeatedly(shared: &Arc<Shared>) {
    let mut pause = shared.settings.recheck;
    loop {
        tokio::time::sleep(pause).await;
        let shared_too = shared.clone();
        let refreshed = tokio::task::spawn_blocking(move || {
            let start = std::time::Instant::now();
            shared_too.store.refresh();
            start.elapsed()
        });
        let took = refreshed.await.unwrap_or_default();
        pause = shared.settings.recheck.max(took * SHARE);
    }
}

/// Notifies the registered connections of every change.
pub(crate) async fn announce(shared: &Arc<Shared>) {
    let mut changes = shared.store.changes();
    while changes.changed().await.is_ok() {
        shared.metrics.reloads.fetch_add(1, Ordering::Relaxed);
        let catalog = shared.store.catalog();
        shared.log_findings(&catalog);
        tracing::info!(skills = catalog.skills.len(), "catalog changed");
        for peer in shared.peers() {
            tokio::spawn(async move {
                let notified = async {
                    peer.notify_tool_list_changed().await?;
                    peer.notify_resource_list_changed().await?;
                    peer.notify_prompt_list_changed().await
                };
                if !matches!(tokio::time::timeout(MAX_WAIT, notified).await, Ok(Ok(()))) {
                    tracing::debug!("an agent could not be notified of a change");
                }
            });
        }
    }
}

/// Returns the number of commands that a session lists because it has received their skills.
pub(crate) fn commands_of(shared: &Shared, session: &Mutex<Session>, offer: &Offer) -> usize {
    if shared.settings.tools != ToolSet::Meta || offer.commands.is_empty() {
        return 0;
    }
    let session = session.lock().unwrap_or_else(PoisonError::into_inner);
    offer.n_commands(&session.names())
}

/// Notifies the agent of a session that it lists other tools.
pub(crate) fn tools_changed(session: &Mutex<Session>) {
    let session = session.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(peer) = session.peer.clone() else {
        return;
    };
    tokio::spawn(async move {
        let notified = peer.notify_tool_list_changed();
        if !matches!(tokio::time::timeout(MAX_WAIT, notified).await, Ok(Ok(()))) {
            tracing::debug!("an agent could not be notified of its tools");
        }
    });
}

/// Notifies one subscription of the newer protocol until it ends.
pub(crate) async fn listen(shared: &Shared, subscription: SubscriptionContext) {
    let mut changes = shared.store.changes();
    let sink = subscription.sink().clone();
    loop {
        tokio::select! {
            () = subscription.cancelled() => return,
            changed = changes.changed() => if changed.is_err() { return },
        }
        // The sink drops notifications that were not subscribed to.
        let _ = sink.notify_tool_list_changed().await;
        let _ = sink.notify_prompt_list_changed().await;
        let _ = sink.notify_resource_list_changed().await;
    }
}
