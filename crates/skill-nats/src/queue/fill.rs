//! The coordinator: puts items on the queue and reads results from the bucket.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::future::IntoFuture as _;
use std::time::Duration;

use async_nats::jetstream::{
    context::PublishAckFuture, kv, message::PublishMessage, stream::Stream,
};
use futures_util::StreamExt as _;

use super::{Queue, RECORD, Record, State, is_idle, put_record, record};
use crate::Error;
use crate::ask::ask;

/// The maximum number of messages that wait for their acknowledgement.
const IN_FLIGHT: usize = 512;
/// The interval at which the coordinator checks the progress of the job.
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// The maximum number of given-up items that are named.
const MAX_NAMED: usize = 1000;

/// The progress of a job.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// The number of items whose result is known.
    pub done: u64,
    /// The number of all items.
    pub total: u64,
}

/// The result of a job.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Ended {
    /// The result of each item, by its key.
    pub results: BTreeMap<String, Vec<u8>>,
    /// The keys of items that no worker could do, at most 1,000.
    pub given_up: BTreeSet<String>,
}

impl Queue {
    /// Puts all items on the queue. A job of the same name that ended is replaced; one that was
    /// left half filled over the same items is continued, and what has a result is not put there
    /// again.
    pub async fn fill(&self, over: &str, items: &BTreeMap<String, Vec<u8>>) -> Result<(), Error> {
        let (mut stream, mut bucket) = self.create().await?;
        match record(&bucket).await? {
            Some(old) if old.state == State::Ended => {
                self.delete().await;
                (stream, bucket) = self.create().await?;
            }
            Some(old) if old.over != over => {
                return Err(Error::OtherCollection {
                    job: self.job.clone(),
                });
            }
            _ => {}
        }
        drop(stream);
        let mut record = Record {
            over: over.to_owned(),
            state: State::Filling,
            total: items.len() as u64,
        };
        put_record(&bucket, &record).await?;
        let done: BTreeSet<String> = keys(&bucket).await?;
        let left = items.iter().filter(|(key, _)| !done.contains(*key));
        let mut in_flight = VecDeque::new();
        for (key, payload) in left {
            if in_flight.len() >= IN_FLIGHT {
                confirm(&mut in_flight).await?;
            }
            let message = PublishMessage::build()
                .message_id(key)
                .payload(payload.clone().into());
            let ack = self
                .context
                .send_publish(self.subject(key), message)
                .await
                .map_err(Error::refused("put an item on the queue"))?;
            in_flight.push_back(ack);
        }
        while !in_flight.is_empty() {
            confirm(&mut in_flight).await?;
        }
        record.state = State::Filled;
        put_record(&bucket, &record).await
    }

    /// Waits until every item has a result or was given up, collects the results and marks the job
    /// as ended.
    pub async fn wait(&self, mut on_progress: impl FnMut(Progress)) -> Result<Ended, Error> {
        let (stream, bucket) = self.create().await?;
        let Some(mut record) = record(&bucket).await? else {
            return Err(Error::NoJob {
                job: self.job.clone(),
                waited_s: 0,
            });
        };
        loop {
            let info = ask("ask how far the job is", || stream.get_info()).await?;
            on_progress(Progress {
                done: record.total.saturating_sub(info.state.messages),
                total: record.total,
            });
            if info.state.messages == 0 || is_idle(&stream).await? {
                break;
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
        let given_up = self.left_over(&stream).await?;
        let results = results(&bucket).await?;
        record.state = State::Ended;
        put_record(&bucket, &record).await?;
        Ok(Ended { results, given_up })
    }

    /// The keys of what is still on the queue.
    async fn left_over(&self, stream: &Stream) -> Result<BTreeSet<String>, Error> {
        let all = self.subject("*");
        let info = ask("list what was given up", || stream.info_with_subjects(&all)).await?;
        let prefix = self.subject("");
        let keys = info.filter_map(|found| {
            let key = found
                .ok()
                .and_then(|(subject, _)| Some(subject.strip_prefix(&prefix)?.to_owned()));
            std::future::ready(key)
        });
        Ok(keys.take(MAX_NAMED).collect().await)
    }
}

async fn confirm(in_flight: &mut VecDeque<PublishAckFuture>) -> Result<(), Error> {
    if let Some(ack) = in_flight.pop_front() {
        ack.into_future()
            .await
            .map_err(Error::refused("put an item on the queue"))?;
    }
    Ok(())
}

async fn keys(bucket: &kv::Store) -> Result<BTreeSet<String>, Error> {
    let action = "list the results";
    let mut keys = ask(action, || bucket.keys()).await?;
    let mut res = BTreeSet::new();
    while let Some(key) = keys.next().await {
        res.insert(key.map_err(Error::refused(action))?);
    }
    res.remove(RECORD);
    Ok(res)
}

async fn results(bucket: &kv::Store) -> Result<BTreeMap<String, Vec<u8>>, Error> {
    let action = "collect the results";
    let mut res = BTreeMap::new();
    let mut entries = ask(action, || bucket.watch_with_history(">")).await?;
    while let Some(entry) = entries.next().await {
        let entry = entry.map_err(Error::refused(action))?;
        let is_last = entry.delta == 0;
        if entry.key != RECORD {
            res.insert(entry.key, entry.value.to_vec());
        }
        if is_last {
            break;
        }
    }
    Ok(res)
}
