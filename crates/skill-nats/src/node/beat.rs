//! The heartbeat of a node.

use std::time::Duration;

use async_nats::jetstream::kv;
use tokio::time::timeout;

use crate::Error;
use crate::protocol::{Beat, encode};

/// The number of heartbeats within the grace period.
const BEATS: u32 = 4;

/// Sends heartbeats without end. Returns an error if another node has taken the name.
pub(super) async fn beat(
    nodes: kv::Store,
    node: String,
    beat: Beat,
    grace: Duration,
) -> Result<(), Error> {
    let pause = grace / BEATS;
    let mut interval = tokio::time::interval(pause);
    let mut tick = async move || interval.tick().await;
    loop {
        tick().await;
        // If the server is absent now, the next heartbeat follows.
        if let Ok(Ok(Some(bytes))) = timeout(pause, nodes.get(&*node)).await
            && let Ok(found) = serde_json::from_slice::<Beat>(&bytes)
            && found.incarnation != beat.incarnation
        {
            return Err(Error::Replaced { node });
        }
        let _ = timeout(pause, put(&nodes, &node, &beat)).await;
    }
}

/// Sends one heartbeat.
pub(super) async fn put(nodes: &kv::Store, node: &str, beat: &Beat) -> Result<(), Error> {
    nodes
        .put(node, encode(beat).into())
        .await
        .map_err(Error::refused("say that this node is alive"))?;
    Ok(())
}
