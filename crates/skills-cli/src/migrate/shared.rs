//! One migration by many machines: a coordinator puts the directories on a work queue, workers
//! take them.
//!
//! Each worker finds and names all plugins itself, so a name does not depend on who asks, and
//! writes into a directory of its own; `merge-shards` puts these together.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use skill_loader::Digest;
use skill_nats::queue::{Ended, Queue, Task};
use skill_pipeline::{Found, Outcome, Pipeline, Run, Status};
use skill_report::migration::{errors, not_searched};
use tokio::sync::mpsc;

use super::args::{Format, Settings};
use crate::{ExitStatus, nats, output::Streams};

/// What a worker answers for one directory.
#[derive(Debug, Serialize, Deserialize)]
struct Answer {
    directory: String,
    skill: Option<String>,
    status: String,
    runnable: Option<bool>,
    /// Errors as a person reads them.
    errors: Vec<String>,
}

/// Longest text of the errors of one directory, in bytes; the worker says all of them itself.
const MAX_ERRORS: usize = 16 << 10;

/// The coordinator: every directory onto the queue, then the results.
pub(super) fn enqueue(settings: &Settings, streams: &mut Streams) -> anyhow::Result<ExitStatus> {
    let pipeline = Pipeline::search(settings.migrate.clone())?;
    let status = distribute(settings, &pipeline, streams)?;
    let collection = pipeline.collection();
    let view = settings.view(streams);
    not_searched(view, &collection.not_searched, &mut streams.stderr)?;
    Ok(if collection.is_blind() {
        ExitStatus::Findings
    } else {
        status
    })
}

fn distribute(
    settings: &Settings,
    pipeline: &Pipeline,
    streams: &mut Streams,
) -> anyhow::Result<ExitStatus> {
    let collection = pipeline.collection();
    let items: BTreeMap<String, Vec<u8>> = collection
        .plugins
        .iter()
        .map(|found| {
            let directory = found.directory.as_bytes();
            (Digest::from_content(directory).hex(), directory.to_vec())
        })
        .collect();
    let over = pipeline.digest();
    let machines = &settings.machines;
    let mut last = None;
    let ended = nats::runtime()?.block_on(async {
        let connection = machines.server().connect("skills-migrate enqueue").await?;
        let queue = Queue::new(&connection, &machines.job, machines.ack_wait)?;
        queue.fill(&over, &items).await?;
        queue
            .wait(|progress| {
                if settings.show.verbosity >= 0 && last != Some(progress) {
                    let _ = writeln!(
                        streams.stderr,
                        "{} of {} directories",
                        progress.done, progress.total
                    );
                    last = Some(progress);
                }
            })
            .await
    })?;
    let directories: BTreeMap<&str, &str> = items
        .iter()
        .filter_map(|(key, directory)| Some((key.as_str(), std::str::from_utf8(directory).ok()?)))
        .collect();
    report(settings, &directories, &ended, streams)
}

fn report(
    settings: &Settings,
    directories: &BTreeMap<&str, &str>,
    ended: &Ended,
    streams: &mut Streams,
) -> anyhow::Result<ExitStatus> {
    let answers = ended
        .results
        .values()
        .map(|bytes| serde_json::from_slice(bytes))
        .collect::<Result<Vec<Answer>, _>>()?;
    let mut by_status: BTreeMap<&str, usize> = BTreeMap::new();
    for answer in &answers {
        *by_status.entry(&answer.status).or_default() += 1;
        for error in &answer.errors {
            writeln!(streams.stderr, "{error}\n")?;
        }
    }
    let lost: Vec<&str> = directories
        .iter()
        .filter(|(key, _)| !ended.results.contains_key(**key))
        .map(|(_, directory)| *directory)
        .collect();
    for directory in &lost {
        writeln!(
            streams.stderr,
            "error[given-up]: no worker could do the directory {}",
            directory.escape_debug()
        )?;
    }
    if settings.show.format == Format::Json {
        let report = serde_json::json!({
            "schema": 1,
            "tool": "skills-migrate",
            "mode": "enqueue",
            "summary": {
                "plugins": directories.len(),
                "by_status": by_status,
                "given_up": lost,
            },
        });
        writeln!(streams.stdout, "{report:#}")?;
    } else if settings.show.verbosity >= 0 {
        writeln!(
            streams.stdout,
            "{} of {} directories done",
            answers.len(),
            directories.len()
        )?;
        for (status, n) in &by_status {
            writeln!(streams.stdout, "  {n:>5}  {status}")?;
        }
    }
    let is_failure = |answer: &Answer| {
        [Status::Rejected, Status::Conflict, Status::Failed]
            .iter()
            .any(|status| status.word() == answer.status)
    };
    Ok(if lost.is_empty() && !answers.iter().any(is_failure) {
        ExitStatus::Fine
    } else {
        ExitStatus::Findings
    })
}

/// The worker: directories from the queue until there are no more.
pub(super) fn take_part(
    settings: &Settings,
    pipeline: &Pipeline,
    run: &Run<'_>,
) -> anyhow::Result<Vec<Outcome>> {
    let machines = &settings.machines;
    let plugins: BTreeMap<&str, &Found> = pipeline
        .collection()
        .plugins
        .iter()
        .map(|found| (found.directory.as_str(), found))
        .collect();
    let over = pipeline.digest();
    let slots = match settings.migrate.jobs {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        n => n,
    };
    let (sender, receiver) = mpsc::channel::<Task>(slots);
    let receiver = Mutex::new(receiver);
    let outcomes = Mutex::new(Vec::new());
    let runtime = nats::runtime()?;
    std::thread::scope(|scope| {
        for _ in 0..slots {
            scope.spawn(|| {
                while let Some(task) = next(&receiver) {
                    let outcome = one(run, &plugins, &task.payload);
                    // A worker that is told to stop has nobody to answer to.
                    let _ = task.result.send(answer(&outcome));
                    let mut outcomes = outcomes.lock().unwrap_or_else(PoisonError::into_inner);
                    outcomes.push(outcome);
                }
            });
        }
        runtime.block_on(async {
            let connection = machines.server().connect("skills-migrate worker").await?;
            let queue = Queue::new(&connection, &machines.job, machines.ack_wait)?;
            queue.work(&over, slots, sender).await
        })
    })?;
    let mut res = outcomes
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    res.sort_by(|a, b| a.directory.cmp(&b.directory));
    Ok(res)
}

fn next(receiver: &Mutex<mpsc::Receiver<Task>>) -> Option<Task> {
    receiver
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .blocking_recv()
}

fn one(run: &Run<'_>, plugins: &BTreeMap<&str, &Found>, payload: &[u8]) -> Outcome {
    let directory = String::from_utf8_lossy(payload);
    match plugins.get(&*directory) {
        Some(found) => run.one(found),
        // Not to be met: the digest of the job covers every directory.
        None => Outcome::unknown(&directory),
    }
}

fn answer(outcome: &Outcome) -> Vec<u8> {
    let mut left = MAX_ERRORS;
    let errors = errors(outcome).take_while(|error| {
        left = left.saturating_sub(error.len());
        left > 0
    });
    let answer = Answer {
        directory: outcome.directory.clone(),
        skill: outcome.skill.clone(),
        status: outcome.status.word().to_owned(),
        runnable: outcome.runnable,
        errors: errors.collect(),
    };
    serde_json::to_vec(&answer).expect("strings")
}
