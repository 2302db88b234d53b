//! Key-value buckets, which are created if they do not exist.

use std::collections::BTreeSet;
use std::error::Error as StdError;
use std::time::Duration;

use async_nats::jetstream::{
    Context, ErrorCode,
    context::{GetStreamError, GetStreamErrorKind},
    kv,
    stream::{Config, DiscardPolicy},
};
use futures_util::StreamExt as _;

use crate::Error;
use crate::ask::ask;

/// The action in the error for a bucket that cannot be opened.
const OPEN: &str = "open a bucket (is JetStream on?)";
/// The number of entries that are requested at the same time.
const AT_A_TIME: usize = 64;

/// The limits of a bucket.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// The time after which an entry expires unless it is written again.
    pub(crate) age: Duration,
    /// The maximum size of an entry, in bytes.
    pub(crate) value: i32,
    /// The maximum size of the bucket, in bytes; a full one refuses new entries.
    pub(crate) bytes: i64,
}

/// Opens a key-value bucket, and creates it if it does not exist.
///
/// The stream is created directly, because the client library requests the account first and does
/// not understand the answer of servers before 2.10.
pub(crate) async fn key_value(
    context: &Context,
    name: &str,
    limits: Limits,
) -> Result<kv::Store, Error> {
    if let Some(bucket) = find(context, name).await? {
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
    let made = ask("make a bucket", || context.create_stream(config.clone())).await;
    made_or_found(made, find(context, name).await)
}

/// Opens a bucket. Returns `None` if it does not exist.
pub(crate) async fn find(context: &Context, name: &str) -> Result<Option<kv::Store>, Error> {
    ask(OPEN, || async {
        if_there(context.get_key_value(name).await)
    })
    .await
}

/// Returns the bucket that was found, which another client may have created at the same moment.
fn made_or_found<M, T>(
    made: Result<M, Error>,
    found: Result<Option<T>, Error>,
) -> Result<T, Error> {
    match (found?, made) {
        (Some(found), _) => Ok(found),
        (None, Err(error)) => Err(error),
        (None, Ok(_)) => Err(Error::refused(OPEN)("it is gone again")),
    }
}

/// Converts the error for a stream that does not exist to `None`.
fn if_there<T, E: StdError + 'static>(found: Result<T, E>) -> Result<Option<T>, E> {
    match found {
        Err(error) if is_absence(&error) => Ok(None),
        found => found.map(Some),
    }
}

/// Returns true if an error, or one of its sources, says that there is no such stream.
fn is_absence(error: &(dyn StdError + 'static)) -> bool {
    let mut below = Some(error);
    while let Some(error) = below {
        if let Some(error) = error.downcast_ref::<GetStreamError>() {
            return matches!(error.kind(), GetStreamErrorKind::JetStream(error)
                if error.error_code() == ErrorCode::STREAM_NOT_FOUND);
        }
        below = error.source();
    }
    false
}

/// Returns the value of a key, if there is one.
pub(crate) async fn get(
    bucket: &kv::Store,
    key: &str,
    action: &'static str,
) -> Result<Option<Vec<u8>>, Error> {
    let bytes = ask(action, || bucket.get(key)).await?;
    Ok(bytes.map(Vec::from))
}

/// Returns the keys of all entries, including recently deleted ones.
pub(crate) async fn keys(bucket: &kv::Store) -> Result<BTreeSet<String>, Error> {
    keys_like(bucket, ">").await
}

/// Returns the keys that match a pattern (`*` for one token, `>` for the rest), including recently
/// deleted ones.
pub(crate) async fn keys_like(
    bucket: &kv::Store,
    pattern: &str,
) -> Result<BTreeSet<String>, Error> {
    let action = "list the keys of a bucket";
    let subjects = format!("{}{pattern}", bucket.prefix);
    let list = || bucket.stream.info_with_subjects(&subjects);
    let mut found = ask(action, list).await?;
    let mut res = BTreeSet::new();
    while let Some(key) = found.next().await {
        let (subject, _) = key.map_err(Error::refused(action))?;
        res.extend(subject.strip_prefix(&bucket.prefix).map(str::to_owned));
    }
    Ok(res)
}

/// Returns the current entries whose keys match a pattern. Each is read by its key, because that
/// needs no permission to create consumers, which can make the server publish on any subject.
pub(crate) async fn snapshot(
    bucket: &kv::Store,
    pattern: &str,
) -> Result<Vec<(String, Vec<u8>)>, Error> {
    let keys = keys_like(bucket, pattern).await?;
    let entries = futures_util::stream::iter(keys).map(async |key| {
        let value = get(bucket, &key, "read a bucket").await?;
        Ok::<_, Error>(value.map(|value| (key, value)))
    });
    let mut entries = std::pin::pin!(entries.buffered(AT_A_TIME));
    let mut res = Vec::new();
    while let Some(entry) = entries.next().await {
        res.extend(entry?);
    }
    Ok(res)
}
