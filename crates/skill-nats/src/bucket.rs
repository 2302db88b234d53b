//! Key-value buckets and object stores, made if they are not there.

use std::collections::BTreeSet;
use std::time::Duration;

use async_nats::jetstream::{
    Context,
    consumer::{DeliverPolicy, ReplayPolicy, pull::OrderedConfig},
    kv,
    object_store::{self, ObjectStore},
    stream::{Config, DiscardPolicy},
};
use futures_util::StreamExt as _;

use crate::Error;

/// How long a server may take for the next entry of a bucket.
const SILENCE: Duration = Duration::from_secs(2);

/// The limits of a bucket.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// How long an entry is kept that nobody writes again.
    pub(crate) age: Duration,
    /// Largest entry, in bytes.
    pub(crate) value: i32,
    /// Largest bucket, in bytes; a full one refuses new entries.
    pub(crate) bytes: i64,
}

/// A key-value bucket.
///
/// Its stream is made by hand: the call of the client library first asks for the account, and
/// servers before 2.10 answer that in a way that it does not understand.
pub(crate) async fn key_value(
    context: &Context,
    name: &str,
    limits: Limits,
) -> Result<kv::Store, Error> {
    if let Ok(bucket) = context.get_key_value(name).await {
        return Ok(bucket);
    }
    let config = Config {
        name: format!("KV_{name}"),
        subjects: vec![format!("$KV.{name}.>")],
        max_messages_per_subject: 1,
        max_age: limits.age,
        max_message_size: limits.value,
        max_bytes: limits.bytes,
        discard: DiscardPolicy::New,
        allow_rollup: true,
        deny_delete: true,
        allow_direct: true,
        num_replicas: 1,
        ..Default::default()
    };
    // Somebody else may make it at this moment; then there is one to be had.
    let made = context.create_stream(config).await;
    match (context.get_key_value(name).await, made) {
        (Ok(bucket), _) => Ok(bucket),
        (Err(_), Err(error)) => Err(Error::refused("make a bucket (is JetStream on?)")(error)),
        (Err(error), Ok(_)) => Err(Error::refused("open a bucket")(error)),
    }
}

/// An object store.
pub(crate) async fn objects(
    context: &Context,
    name: &str,
    limits: Limits,
) -> Result<ObjectStore, Error> {
    if let Ok(store) = context.get_object_store(name).await {
        return Ok(store);
    }
    let config = object_store::Config {
        bucket: name.to_owned(),
        max_age: limits.age,
        max_bytes: limits.bytes,
        num_replicas: 1,
        ..Default::default()
    };
    let made = context.create_object_store(config).await;
    match (context.get_object_store(name).await, made) {
        (Ok(store), _) => Ok(store),
        (Err(_), Err(error)) => Err(Error::refused("make an object store")(error)),
        (Err(error), Ok(_)) => Err(Error::refused("open an object store")(error)),
    }
}

/// The keys of all entries, those deleted a moment ago included.
pub(crate) async fn keys(bucket: &kv::Store) -> Result<BTreeSet<String>, Error> {
    let action = "list the keys of a bucket";
    let found = bucket
        .stream
        .info_with_subjects(format!("{}>", bucket.prefix));
    let mut found = found.await.map_err(Error::refused(action))?;
    let mut res = BTreeSet::new();
    while let Some(key) = found.next().await {
        let (subject, _) = key.map_err(Error::refused(action))?;
        res.extend(subject.strip_prefix(&bucket.prefix).map(str::to_owned));
    }
    Ok(res)
}

/// Every entry whose key fits a pattern (`*` for one token, `>` for the rest), as it is now.
pub(crate) async fn snapshot(
    bucket: &kv::Store,
    pattern: &str,
) -> Result<Vec<(String, Vec<u8>)>, Error> {
    let action = "read a bucket";
    let consumer = bucket
        .stream
        .create_consumer(OrderedConfig {
            filter_subject: format!("{}{pattern}", bucket.prefix),
            deliver_policy: DeliverPolicy::LastPerSubject,
            replay_policy: ReplayPolicy::Instant,
            ..Default::default()
        })
        .await
        .map_err(Error::refused(action))?;
    let mut res = Vec::new();
    if consumer.cached_info().num_pending == 0 {
        return Ok(res);
    }
    let mut messages = consumer.messages().await.map_err(Error::refused(action))?;
    // Entries that are too old now are counted and never come: silence ends the wait for them.
    while let Ok(Some(message)) = tokio::time::timeout(SILENCE, messages.next()).await {
        let message = message.map_err(Error::refused(action))?;
        let headers = message.headers.as_ref();
        let is_gone = headers.is_some_and(|headers| headers.get("KV-Operation").is_some());
        if let Some(key) = message.subject.strip_prefix(&bucket.prefix)
            && !is_gone
        {
            res.push((key.to_owned(), message.payload.to_vec()));
        }
        let info = message.info().map_err(Error::refused(action))?;
        if info.pending == 0 {
            break;
        }
    }
    res.sort();
    Ok(res)
}
