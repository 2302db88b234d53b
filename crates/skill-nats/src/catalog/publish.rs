//! The entries of one node.

use std::collections::BTreeSet;

use async_nats::jetstream::kv;
use serde_json::Value;
use skill_model::DESCRIPTION_MAX;

use super::union::Entry;
use crate::ask::ask;
use crate::node::Offer;
use crate::protocol::{KEEP_CATALOG, MAX_ENTRY, encode};
use crate::version::PROTOCOL;
use crate::{Error, bucket};

/// The number of times that an entry is written before it expires.
const RENEWALS: u32 = 3;
/// The maximum length of a description in an entry, in bytes: a valid one in UTF-8 is never cut.
const MAX_DESCRIPTION: usize = 4 * DESCRIPTION_MAX;

/// Writes an entry for every skill and removes older entries of the node.
pub(crate) async fn publish(bucket: &kv::Store, node: &str, offers: &[Offer]) -> Result<(), Error> {
    let action = "list the skills in the catalog";
    let mut gone: BTreeSet<String> = bucket::keys_like(bucket, &format!("*.{node}")).await?;
    for offer in offers {
        let key = format!("{}.{node}", offer.skill);
        gone.remove(&key);
        let entry = entry(offer);
        ask(action, || bucket.put(&key, entry.clone().into())).await?;
    }
    for key in gone {
        ask(action, || bucket.purge(&key)).await?;
    }
    Ok(())
}

/// Writes the entries again without end, so that they do not expire.
pub(crate) async fn renew(bucket: &kv::Store, node: &str, offers: &[Offer]) -> Result<(), Error> {
    loop {
        tokio::time::sleep(KEEP_CATALOG / RENEWALS).await;
        // Two more attempts follow before the entries expire.
        let _ = publish(bucket, node, offers).await;
    }
}

/// Removes all entries of a node.
pub(crate) async fn withdraw(bucket: &kv::Store, node: &str) -> Result<(), Error> {
    publish(bucket, node, &[]).await
}

/// Returns the bytes of an entry within its limit. Metadata that is too large is left out.
fn entry(offer: &Offer) -> Vec<u8> {
    let mut end = offer.description.len().min(MAX_DESCRIPTION);
    while !offer.description.is_char_boundary(end) {
        end -= 1;
    }
    let mut entry = Entry {
        skill: offer.skill.clone(),
        digest: offer.digest.clone(),
        version: offer.version.clone(),
        description: offer.description[..end].to_owned(),
        idempotent: offer.idempotent,
        metadata: offer.metadata.clone(),
        protocol: PROTOCOL,
    };
    let bytes = encode(&entry);
    if bytes.len() <= MAX_ENTRY {
        return bytes;
    }
    entry.metadata = Value::Null;
    encode(&entry)
}
