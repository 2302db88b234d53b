//! Exports jobs, or gets answers, judges them and stores them.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::thread;

use model_endpoints::NoAnswer;
use skill_executor::cancel::Cancel;
use skill_language::{Language, say};
use skill_loader::fs::{PathError, ReadError, read_named, write_new};
use skill_pipeline::Run;
use skill_polish::{Answer, Job, PolishLock, answers, judge};

use crate::endpoint::Endpoint;
use crate::report::{Counts, report};

/// The number of questions that are asked at a time.
const AT_A_TIME: usize = 4;
/// The maximum size of a file of answers, in bytes.
const MAX_ANSWERS: u64 = 256 << 20;

/// The file or server that jobs go to and answers come from.
#[derive(Clone, Default, Debug)]
pub struct Polishing {
    /// The file that gets the jobs; nothing else is done then.
    pub export: Option<PathBuf>,
    /// The file with answers.
    pub import: Option<PathBuf>,
    /// The model that is asked about skills without answers.
    pub endpoint: Option<Endpoint>,
}

impl Polishing {
    fn is_nothing(&self) -> bool {
        self.export.is_none() && self.import.is_none() && self.endpoint.is_none()
    }
}

/// The result of polishing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Done {
    /// The jobs were exported; there is nothing else to do.
    Exported,
    /// All answers were judged.
    Judged,
    /// Some answers could not be used at all.
    Incomplete,
}

/// The reason why polishing is not possible.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file cannot be written.
    #[error(transparent)]
    Path(#[from] PathError),
    /// A file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The output cannot be written.
    #[error(transparent)]
    Pipeline(Box<skill_pipeline::Error>),
    /// A stream cannot be written.
    #[error(transparent)]
    Stream(#[from] std::io::Error),
}

impl From<skill_pipeline::Error> for Error {
    fn from(error: skill_pipeline::Error) -> Self {
        Self::Pipeline(Box::new(error))
    }
}

/// Exports the jobs, or gets answers and stores the slots that pass the gates. `messages` gets one line for
/// each slot that was refused, and a summary.
///
/// # Errors
///
/// A file cannot be read or written.
pub fn polish(
    run: &mut Run<'_>,
    polishing: &Polishing,
    language: Language,
    messages: &mut dyn Write,
) -> Result<Done, Error> {
    if polishing.is_nothing() {
        return Ok(Done::Judged);
    }
    let mut jobs = run.polish_jobs();
    if let Some(path) = &polishing.export {
        let open = open_jobs(jobs, run.polish_lock());
        write_new(
            path,
            open.iter().map(Job::to_line).collect::<String>().as_bytes(),
        )?;
        let text = say!(
            language,
            "jobs for a model: {}, written to {}",
            open.len(),
            path.display()
        );
        writeln!(messages, "{text}")?;
        return Ok(Done::Exported);
    }
    let mut counts = Counts::default();
    if let Some(path) = &polishing.import {
        let answers = import(path, &jobs, language, &mut counts, messages)?;
        store(run, &jobs, &answers, language, &mut counts, messages)?;
    }
    if let Some(endpoint) = &polishing.endpoint {
        jobs = open_jobs(jobs, run.polish_lock());
        ask(run, endpoint, &jobs, language, &mut counts, messages)?;
    }
    writeln!(messages, "{}", counts.summary(language))?;
    Ok(if counts.unusable == 0 {
        Done::Judged
    } else {
        Done::Incomplete
    })
}

/// Returns the jobs of skills without texts, or with texts for earlier sources.
fn open_jobs(jobs: Vec<Job>, lock: &PolishLock) -> Vec<Job> {
    let is_open = |job: &Job| {
        let entry = lock.get(&job.skill);
        entry.is_none_or(|entry| !entry.is_current(&job.sources))
    };
    jobs.into_iter().filter(is_open).collect()
}

/// Reads a file of answers, and reports those that cannot be used.
fn import(
    path: &Path,
    jobs: &[Job],
    language: Language,
    counts: &mut Counts,
    messages: &mut dyn Write,
) -> Result<Vec<Answer>, Error> {
    let bytes = read_named(path, MAX_ANSWERS)?;
    let (mut res, broken) = answers(&String::from_utf8_lossy(&bytes));
    for broken in broken {
        counts.unusable += 1;
        let reason = language.say(&broken.reason);
        writeln!(
            messages,
            "error[polish]: {}:{}: {reason}",
            path.display(),
            broken.line
        )?;
    }
    res.retain(|answer| {
        let is_known = jobs.iter().any(|job| job.skill == answer.skill);
        if !is_known {
            counts.unusable += 1;
            let text = say!(
                language,
                "there is no job for a skill `{}`; export the jobs of these plugins",
                answer.skill.escape_debug()
            );
            // A closed stream is reported by the summary.
            let _ = writeln!(messages, "error[polish]: {}: {text}", path.display());
        }
        is_known
    });
    Ok(res)
}

/// Judges answers and stores what they give.
fn store(
    run: &mut Run<'_>,
    jobs: &[Job],
    answers: &[Answer],
    language: Language,
    counts: &mut Counts,
    messages: &mut dyn Write,
) -> Result<(), Error> {
    let mut lock = run.polish_lock().clone();
    for answer in answers {
        let Some(job) = jobs.iter().find(|job| job.skill == answer.skill) else {
            continue;
        };
        let verdict = judge(job, answer);
        report(&verdict, language, counts, messages)?;
        if let Some(entry) = verdict.entry {
            lock.set(&verdict.skill, entry);
        }
    }
    Ok(run.set_polish_lock(lock)?)
}

/// Asks a model, some questions at a time, and stores its answers as they come.
fn ask(
    run: &mut Run<'_>,
    endpoint: &Endpoint,
    jobs: &[Job],
    language: Language,
    counts: &mut Counts,
    messages: &mut dyn Write,
) -> Result<(), Error> {
    let cancel = Cancel::new();
    for some in jobs.chunks(AT_A_TIME) {
        let results: Vec<Result<Answer, NoAnswer>> = thread::scope(|scope| {
            let asked = some
                .iter()
                .map(|job| scope.spawn(|| endpoint.ask(job, &cancel)));
            let asked: Vec<_> = asked.collect();
            let joined = asked.into_iter().map(thread::ScopedJoinHandle::join);
            joined
                .map(|it| it.expect("asking does not panic"))
                .collect()
        });
        let mut is_over = false;
        let mut good = Vec::new();
        for (job, result) in some.iter().zip(results) {
            match result {
                Ok(answer) => good.push(answer),
                Err(error) => {
                    counts.unusable += 1;
                    is_over |= error.is_final;
                    let reason = language.say(&error.reason);
                    writeln!(messages, "error[polish]: {}: {reason}", job.skill)?;
                }
            }
        }
        store(run, jobs, &good, language, counts, messages)?;
        if is_over {
            break;
        }
    }
    Ok(())
}
