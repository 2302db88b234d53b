//! The worker: takes items from the queue and writes results to the bucket.

use std::time::Duration;

use async_nats::jetstream::{
    AckKind, Message,
    consumer::{PullConsumer, pull},
    kv::{self, CreateErrorKind},
    stream::Stream,
};
use futures_util::{StreamExt as _, stream::FuturesUnordered};
use tokio::sync::{mpsc, oneshot};

use super::{Queue, State, is_idle, record, workers};
use crate::ask::ask;
use crate::{Error, bucket};

/// The interval at which an idle worker checks whether the job has ended.
const LOOK_EVERY: Duration = Duration::from_millis(200);
/// The pause after a request that the server did not answer.
const RETRY: Duration = Duration::from_millis(500);
/// The number of items that a worker holds for each slot, because acknowledging takes time too.
const AHEAD: usize = 4;
/// The time for which a worker waits until the job is on the server.
const WAIT_FOR_JOB: Duration = Duration::from_mins(1);
/// The maximum number of attempts for a request, with growing pauses: two minutes in all.
const TRIES: u32 = 12;

/// An item to do.
#[derive(Debug)]
pub struct Task {
    /// The bytes that the coordinator put on the queue.
    pub payload: Vec<u8>,
    /// The channel for the result. If it is dropped, another worker gets the item.
    pub result: oneshot::Sender<Vec<u8>>,
}

/// The counts of a worker.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Worked {
    /// The number of items done here.
    pub done: u64,
    /// The number of items that were delivered although they were done.
    pub known: u64,
}

/// The outcome of one item.
enum Fate {
    Done,
    Known,
    Returned,
}

impl Queue {
    /// Takes items, at most `slots` at a time, sends them through `tasks`, and returns when the job
    /// has no more. `over` must be the digest of the coordinator.
    ///
    /// # Errors
    ///
    /// If there is no such job, its digest differs, or the server refuses.
    pub async fn work(
        &self,
        over: &str,
        slots: usize,
        tasks: mpsc::Sender<Task>,
    ) -> Result<Worked, Error> {
        let (stream, bucket) = self.find(over).await?;
        let consumer = workers(&stream, "take part in the job").await?;
        let mut messages = pull(&consumer, slots).await?;
        let mut worked = Worked::default();
        let mut under_way = FuturesUnordered::new();
        let mut look = tokio::time::interval(LOOK_EVERY);
        loop {
            tokio::select! {
                Some(fate) = under_way.next() => {
                    worked.count(&fate);
                    look.reset();
                }
                message = messages.next(), if under_way.len() < slots * AHEAD => match message {
                    Some(Ok(message)) => under_way.push(self.one(message, &bucket, &tasks)),
                    // The server went away, or the client library lost patience with it.
                    Some(Err(_)) => tokio::time::sleep(RETRY).await,
                    None => messages = pull(&consumer, slots).await?,
                },
                _ = look.tick(), if under_way.is_empty() => {
                    if self.is_over(&stream, &bucket).await? {
                        return Ok(worked);
                    }
                }
            }
        }
    }

    /// The job, waited for. A server that does not answer may be about to begin.
    async fn find(&self, over: &str) -> Result<(Stream, kv::Store), Error> {
        let start = tokio::time::Instant::now();
        let mut last = None;
        while start.elapsed() < WAIT_FOR_JOB {
            match self.look(over).await {
                Ok(Some(found)) => return Ok(found),
                Ok(None) => last = None,
                Err(error @ Error::Refused { .. }) => last = Some(error),
                Err(error) => return Err(error),
            }
            tokio::time::sleep(RETRY).await;
        }
        Err(last.unwrap_or_else(|| Error::NoJob {
            job: self.job.clone(),
            waited_s: WAIT_FOR_JOB.as_secs(),
        }))
    }

    /// The job, if it is there and under way.
    async fn look(&self, over: &str) -> Result<Option<(Stream, kv::Store)>, Error> {
        let Some(bucket) = bucket::find(&self.context, &self.bucket_name()).await? else {
            return Ok(None);
        };
        match record(&bucket).await? {
            Some(record) if record.state == State::Ended => Ok(None),
            Some(record) if record.over != over => Err(Error::OtherCollection {
                job: self.job.clone(),
            }),
            Some(_) => {
                let name = self.stream_name();
                let stream = ask("find the job", || self.context.get_stream(&name)).await?;
                Ok(Some((stream, bucket)))
            }
            None => Ok(None),
        }
    }

    /// Returns true if there will be no more work. A server that does not answer may come back.
    async fn is_over(&self, stream: &Stream, bucket: &kv::Store) -> Result<bool, Error> {
        let mut last = Ok(false);
        for _ in 0..TRIES {
            last = match record(bucket).await {
                Ok(Some(record)) if record.state == State::Filling => Ok(false),
                Ok(Some(record)) if record.state == State::Filled => is_idle(stream).await,
                Ok(_) => Ok(true),
                Err(error) => Err(error),
            };
            if last.is_ok() {
                return last;
            }
            tokio::time::sleep(RETRY).await;
        }
        last
    }

    /// Does one item, and reports regularly that it is in progress.
    async fn one(&self, message: Message, bucket: &kv::Store, tasks: &mpsc::Sender<Task>) -> Fate {
        let prefix = self.subject("");
        let key = message.subject.strip_prefix(&prefix).unwrap_or_default();
        let is_again = message.info().is_ok_and(|info| info.delivered > 1);
        if is_again
            && matches!(
                bucket::get(bucket, key, "look for a result").await,
                Ok(Some(_))
            )
        {
            let _ = message.double_ack().await;
            return Fate::Known;
        }
        let (sender, mut result) = oneshot::channel();
        let task = Task {
            payload: message.payload.to_vec(),
            result: sender,
        };
        if tasks.send(task).await.is_err() {
            let _ = message.ack_with(AckKind::Nak(None)).await;
            return Fate::Returned;
        }
        let mut beat = tokio::time::interval(self.ack_wait / 3);
        let result = loop {
            tokio::select! {
                result = &mut result => break result,
                _ = beat.tick() => {
                    let _ = message.ack_with(AckKind::Progress).await;
                }
            }
        };
        let Ok(result) = result else {
            let _ = message.ack_with(AckKind::Nak(None)).await;
            return Fate::Returned;
        };
        match store(bucket, key, result).await {
            Ok(is_first) => {
                // Without the acknowledgement, it is delivered again and is then known.
                let _ = message.double_ack().await;
                if is_first { Fate::Done } else { Fate::Known }
            }
            Err(_) => Fate::Returned,
        }
    }
}

impl Worked {
    fn count(&mut self, fate: &Fate) {
        match fate {
            Fate::Done => self.done += 1,
            Fate::Known => self.known += 1,
            Fate::Returned => {}
        }
    }
}

/// Returns the stream of items for this worker.
async fn pull(consumer: &PullConsumer, slots: usize) -> Result<pull::Stream, Error> {
    consumer
        .stream()
        .max_messages_per_batch(slots)
        .messages()
        .await
        .map_err(Error::refused("take items of the job"))
}

/// Stores a result unless there is one. Returns true if there was none.
async fn store(bucket: &kv::Store, key: &str, result: Vec<u8>) -> Result<bool, Error> {
    let mut pause = Duration::from_millis(50);
    let mut tries = 0;
    loop {
        match bucket.create(key, result.clone().into()).await {
            Ok(_) => return Ok(true),
            Err(error) if error.kind() == CreateErrorKind::AlreadyExists => return Ok(false),
            Err(error) if tries >= TRIES => return Err(Error::refused("store a result")(error)),
            Err(_) => {
                tokio::time::sleep(pause).await;
                pause = (pause * 2).min(Duration::from_secs(20));
                tries += 1;
            }
        }
    }
}
