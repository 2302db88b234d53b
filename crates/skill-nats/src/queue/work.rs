//! The worker's side: items from the queue, results into the bucket.

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

/// How often an idle worker asks whether the job is over.
const LOOK_EVERY: Duration = Duration::from_millis(200);
/// Pause after a question that the server did not answer.
const RETRY: Duration = Duration::from_millis(500);
/// Items that a worker holds for each that it does: acknowledging takes time too.
const AHEAD: usize = 4;
/// How long a worker waits for a job to be put on the server.
const WAIT_FOR_JOB: Duration = Duration::from_mins(1);
/// How often what the server did not take is sent again, with growing pauses: two minutes in all.
const TRIES: u32 = 12;

/// One item that somebody is to do.
#[derive(Debug)]
pub struct Task {
    /// What the coordinator put on the queue.
    pub payload: Vec<u8>,
    /// Where the result goes. Dropped, the item is given to another worker.
    pub result: oneshot::Sender<Vec<u8>>,
}

/// What a worker did.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Worked {
    /// Items done here.
    pub done: u64,
    /// Items that came again although somebody had done them.
    pub known: u64,
}

/// What became of one item.
enum Fate {
    Done,
    Known,
    Returned,
}

impl Queue {
    /// Takes items, at most `slots` at a time, hands them to whoever receives from the other end
    /// of `tasks`, and ends when the job has no more. `over` must be what the coordinator said.
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

    /// Whether there will be no more work. A server that does not answer may come back.
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

    /// Does one item, saying every now and then that it is under way.
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
                // Unacknowledged, it comes again and is found to be known.
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

/// The stream of items for this worker.
async fn pull(consumer: &PullConsumer, slots: usize) -> Result<pull::Stream, Error> {
    consumer
        .stream()
        .max_messages_per_batch(slots)
        .messages()
        .await
        .map_err(Error::refused("take items of the job"))
}

/// Puts a result into the bucket unless there is one. True when there was none.
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
