//! One migration by many machines: a coordinator puts the directories on a work queue, workers
//! take them.
//!
//! Each worker finds and names all plugins itself, so a name does not depend on who asks, and
//! writes into a directory of its own; [`skill_pipeline::merge_shards`] puts these together.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use migration_report::errors;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use skill_language::{Language, say};
use skill_loader::Digest;
use skill_pipeline::{Candidate, Outcome, Pipeline, Run, Status};
use tokio::runtime::Runtime;
use tokio::sync::mpsc;

use crate::queue::{Progress, Queue, Task};
use crate::{Error, Server};

/// The maximum size of the errors of one directory, in bytes. The worker itself reports all errors.
const MAX_ERRORS: usize = 16 << 10;

/// A migration that machines share.
#[derive(Clone, Debug)]
pub struct Job {
    /// The server of the queue.
    pub server: Server,
    /// The name on which the coordinator and its workers agree.
    pub name: String,
    /// The time for which a worker may be silent before others get its directories.
    pub ack_wait: Duration,
}

/// The answer of a worker for one directory.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DirectoryResult {
    /// The directory of the plugin.
    pub directory: String,
    /// The name of the skill, if there is one.
    pub skill: Option<String>,
    /// The word of a [`Status`].
    pub status: String,
    /// True if the skill can run; `None` if that is unknown.
    pub runnable: Option<bool>,
    /// The errors as text.
    pub errors: Vec<String>,
}

impl DirectoryResult {
    fn from_outcome(outcome: &Outcome) -> Self {
        let mut left = MAX_ERRORS;
        let errors = errors(outcome).take_while(|error| {
            left = left.saturating_sub(error.len());
            left > 0
        });
        Self {
            directory: outcome.directory.clone(),
            skill: outcome.skill.clone(),
            status: outcome.status.word().to_owned(),
            runnable: outcome.runnable,
            errors: errors.collect(),
        }
    }

    /// True if there is no skill, or none that is the plugin's, because of an error.
    pub fn is_failure(&self) -> bool {
        let failures = [Status::Rejected, Status::Conflict, Status::Failed];
        failures.iter().any(|status| status.word() == self.status)
    }
}

/// The result of a shared migration.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Shared {
    /// Number of directories.
    pub n_directories: usize,
    /// The answers, in the order of their keys.
    pub results: Vec<DirectoryResult>,
    /// Directories that no worker could do.
    pub given_up: Vec<String>,
}

impl Shared {
    /// True if every directory was done and none failed.
    pub fn is_fine(&self) -> bool {
        self.given_up.is_empty() && !self.results.iter().any(DirectoryResult::is_failure)
    }

    /// Returns the number of directories with each status.
    fn by_status(&self) -> BTreeMap<&str, usize> {
        let mut res: BTreeMap<&str, usize> = BTreeMap::new();
        for result in &self.results {
            *res.entry(&result.status).or_default() += 1;
        }
        res
    }

    /// Returns the report for programs.
    pub fn to_json(&self) -> Value {
        json!({
            "schema": 1,
            "tool": "skills-migrate",
            "mode": "enqueue",
            "summary": {
                "plugins": self.n_directories,
                "by_status": self.by_status(),
                "given_up": self.given_up,
            },
        })
    }

    /// Writes the errors of all directories for people.
    ///
    /// # Errors
    ///
    /// `out` cannot be written.
    pub fn write_errors(&self, out: &mut dyn Write, language: Language) -> io::Result<()> {
        for error in self.results.iter().flat_map(|result| &result.errors) {
            writeln!(out, "{error}\n")?;
        }
        for directory in &self.given_up {
            let error = say!(
                language,
                "error[given-up]: no worker could migrate the directory {}",
                directory.escape_debug()
            );
            writeln!(out, "{error}")?;
        }
        Ok(())
    }

    /// Writes the number of directories with each status for people.
    ///
    /// # Errors
    ///
    /// `out` cannot be written.
    pub fn write_summary(&self, out: &mut dyn Write, language: Language) -> io::Result<()> {
        let n_done = self.results.len();
        let done = say!(
            language,
            "{n_done} of {} directories done",
            self.n_directories
        );
        writeln!(out, "{done}")?;
        for (status, n) in self.by_status() {
            writeln!(out, "  {n:>5}  {}", language.say(status))?;
        }
        Ok(())
    }
}

/// Puts every directory of the pipeline on the queue and waits for the workers.
///
/// # Errors
///
/// When the server refuses, another job has the name, or an answer is not understood.
pub async fn coordinate(
    job: &Job,
    pipeline: &Pipeline,
    on_progress: impl FnMut(Progress),
) -> Result<Shared, Error> {
    let plugins = pipeline.collection().plugins.iter();
    let items: BTreeMap<String, Vec<u8>> = plugins
        .map(|found| {
            let directory = found.key.as_bytes();
            (Digest::from_content(directory).hex(), directory.to_vec())
        })
        .collect();
    let connection = job.server.connect("skills-migrate enqueue").await?;
    let queue = Queue::new(&connection, &job.name, job.ack_wait)?;
    queue.fill(&pipeline.digest(), &items).await?;
    let ended = queue.wait(on_progress).await?;
    let results = ended.results.values();
    let results = results.map(|bytes| {
        serde_json::from_slice(bytes).map_err(|error| Error::Foreign {
            what: "the result of a directory",
            problem: error.to_string(),
        })
    });
    let is_lost = |key: &&String| !ended.results.contains_key(*key);
    let lost = items.keys().filter(is_lost);
    Ok(Shared {
        n_directories: items.len(),
        results: results.collect::<Result<_, _>>()?,
        given_up: lost
            .map(|key| String::from_utf8_lossy(&items[key]).into_owned())
            .collect(),
    })
}

/// Migrates directories from the queue until there are no more. Blocks; `runtime` drives the
/// connection. Returns the outcomes by directory.
///
/// # Errors
///
/// When the server refuses, or the job is for other options or other plugins.
pub fn take_part(
    job: &Job,
    runtime: &Runtime,
    pipeline: &Pipeline,
    run: &Run<'_>,
) -> Result<Vec<Outcome>, Error> {
    let plugins = pipeline.collection().plugins.iter();
    let plugins: BTreeMap<&str, &Candidate> =
        plugins.map(|found| (found.key.as_str(), found)).collect();
    let over = pipeline.digest();
    let slots = match pipeline.options().jobs {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        n => n,
    };
    let (sender, receiver) = mpsc::channel::<Task>(slots);
    let receiver = Mutex::new(receiver);
    let outcomes = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..slots {
            scope.spawn(|| {
                while let Some(task) = next(&receiver) {
                    let outcome = migrate(run, &plugins, &task.payload);
                    let result = DirectoryResult::from_outcome(&outcome);
                    let result = serde_json::to_vec(&result).expect("strings are JSON");
                    // Nobody waits for the result of a worker that is being stopped.
                    let _ = task.result.send(result);
                    let mut outcomes = outcomes.lock().unwrap_or_else(PoisonError::into_inner);
                    outcomes.push(outcome);
                }
            });
        }
        runtime.block_on(async {
            let connection = job.server.connect("skills-migrate worker").await?;
            let queue = Queue::new(&connection, &job.name, job.ack_wait)?;
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

fn migrate(run: &Run<'_>, plugins: &BTreeMap<&str, &Candidate>, payload: &[u8]) -> Outcome {
    let directory = String::from_utf8_lossy(payload);
    match plugins.get(&*directory) {
        Some(found) => run.one(found),
        // Unreachable in practice: the digest of the job covers every directory.
        None => Outcome::unknown(&directory),
    }
}
