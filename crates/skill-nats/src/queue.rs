//! A work queue that several machines share: each item is done once, even if a worker dies.
//!
//! The items are on a JetStream work queue and are taken with acknowledgement. A worker reports that
//! it is alive while it works; otherwise the server gives its items to another worker. The result of
//! an item is in a key-value bucket before the item is acknowledged, so an item that is delivered
//! again is not done again.
//!
//! ```text
//! stream  SKILLS_JOB_<job>     subject skills.job.<job>.<key>, work queue, consumer `workers`
//! bucket  skills-job-<job>     `job`: its items and state; <key>: the result of an item
//! ```
//!
//! **Invariant:** an item leaves the queue only when its result is in the bucket.

mod fill;
mod work;

use std::time::Duration;

use async_nats::jetstream::{
    self, Context,
    consumer::{AckPolicy, PullConsumer, pull},
    kv,
    stream::{RetentionPolicy, Stream},
};
use serde::{Deserialize, Serialize};

pub use fill::{Ended, Progress};
pub use work::{Task, Worked};

use crate::Error;
use crate::ask::ask;
use crate::bucket::{self, Limits};
use crate::error::check_name;
use crate::server::Connection;

/// The time for which a finished job and its results are kept.
const KEEP: Duration = Duration::from_hours(7 * 24);
/// The maximum number of deliveries of an item, because an item may crash every worker that takes
/// it.
const MAX_DELIVER: i64 = 5;
/// The maximum size of the result of one item, in bytes.
const MAX_RESULT: i32 = 512 << 10;
/// The durable consumer that all workers share.
const CONSUMER: &str = "workers";
/// The key of [`Record`].
const RECORD: &str = "job";

/// A job on the server.
#[derive(Clone, Debug)]
pub struct Queue {
    context: Context,
    job: String,
    /// The time for which a worker may be silent before its items are given to another.
    ack_wait: Duration,
}

/// The items of a job, and its state.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Record {
    /// The digest of the items and of the settings.
    over: String,
    state: State,
    /// The number of items.
    total: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum State {
    /// Items are being put on the queue.
    Filling,
    /// All items are on the queue.
    Filled,
    /// All results were collected.
    Ended,
}

impl Queue {
    /// Creates the handle of a job. Nothing is requested from the server yet.
    ///
    /// # Errors
    ///
    /// If the name is not valid.
    pub fn new(connection: &Connection, job: &str, ack_wait: Duration) -> Result<Self, Error> {
        check_name("name of a job", job)?;
        Ok(Self {
            context: jetstream::new(connection.client.clone()),
            job: job.to_owned(),
            ack_wait,
        })
    }

    fn stream_name(&self) -> String {
        format!("SKILLS_JOB_{}", self.job)
    }

    fn bucket_name(&self) -> String {
        format!("skills-job-{}", self.job)
    }

    fn subject(&self, key: &str) -> String {
        format!("skills.job.{}.{key}", self.job)
    }

    async fn create(&self) -> Result<(Stream, kv::Store), Error> {
        let action = "create the job on the server (is JetStream on?)";
        let stream = ask(action, || {
            self.context
                .get_or_create_stream(jetstream::stream::Config {
                    name: self.stream_name(),
                    subjects: vec![self.subject("*")],
                    retention: RetentionPolicy::WorkQueue,
                    max_age: KEEP,
                    ..Default::default()
                })
        })
        .await?;
        let workers = pull::Config {
            durable_name: Some(CONSUMER.to_owned()),
            ack_policy: AckPolicy::Explicit,
            ack_wait: self.ack_wait,
            max_deliver: MAX_DELIVER,
            max_ack_pending: 100_000,
            ..Default::default()
        };
        ask(action, || {
            stream.get_or_create_consumer(CONSUMER, workers.clone())
        })
        .await?;
        let limits = Limits {
            age: KEEP,
            value: MAX_RESULT,
            bytes: -1,
        };
        let bucket = bucket::key_value(&self.context, &self.bucket_name(), limits).await?;
        Ok((stream, bucket))
    }

    async fn delete(&self) {
        // Either may be absent.
        let _ = self.context.delete_stream(self.stream_name()).await;
        let _ = self.context.delete_key_value(self.bucket_name()).await;
    }
}

async fn record(bucket: &kv::Store) -> Result<Option<Record>, Error> {
    let Some(bytes) = bucket::get(bucket, RECORD, "read the job").await? else {
        return Ok(None);
    };
    let record = serde_json::from_slice(&bytes).map_err(|error| Error::Foreign {
        what: "the job",
        problem: error.to_string(),
    })?;
    Ok(Some(record))
}

async fn put_record(bucket: &kv::Store, record: &Record) -> Result<(), Error> {
    let bytes = serde_json::to_vec(record).expect("strings and numbers");
    ask("write the job", || bucket.put(RECORD, bytes.clone().into())).await?;
    Ok(())
}

/// Returns the consumer that all workers share, with its current state.
async fn workers(stream: &Stream, action: &'static str) -> Result<PullConsumer, Error> {
    ask(action, || stream.get_consumer(CONSUMER)).await
}

/// Returns true if no item waits and no worker has one.
async fn is_idle(stream: &Stream) -> Result<bool, Error> {
    let consumer = workers(stream, "ask how far the job is").await?;
    let info = consumer.cached_info();
    Ok(info.num_pending == 0 && info.num_ack_pending == 0)
}
