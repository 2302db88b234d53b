//! A node says that it is alive.

use std::time::Duration;

use async_nats::jetstream::kv;
use tokio::time::timeout;

use crate::Error;
use crate::protocol::{Beat, encode};

/// Beats within the time that a node may be silent.
const BEATS: u32 = 4;

/// Beats for ever. Ends when another node of the same name took the place, which is an error.
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
        // A server that is away takes the next one.
        if let Ok(Ok(Some(bytes))) = timeout(pause, nodes.get(&*node)).await
            && let Ok(found) = serde_json::from_slice::<Beat>(&bytes)
            && found.incarnation != beat.incarnation
        {
            return Err(Error::Replaced { node });
        }
        let _ = timeout(pause, put(&nodes, &node, &beat)).await;
    }
}

/// One beat.
pub(super) async fn put(nodes: &kv::Store, node: &str, beat: &Beat) -> Result<(), Error> {
    nodes
        .put(node, encode(beat).into())
        .await
        .map_err(Error::refused("say that this node is alive"))?;
    Ok(())
}
