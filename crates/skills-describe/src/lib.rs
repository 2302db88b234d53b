//! `skills-describe`: descriptions of skills for an agent, and the skills that fit a request.
//!
//! - [`Args`]: the arguments.
//! - `index`: the index of the skills, or that of an earlier run.
//! - `query`: one request; `batch`: many.
//! - `calibrate`: compares the confidence with recorded use; `test`: with tests of requests.
//! - `disclosure`: lists of skills, and descriptions in phases.

mod args;
mod batch;
mod calibrate;
mod disclosure;
mod index;
mod query;
mod test;

use args::Task;
pub use args::{Args, Format};

use skills_cli::{ExitStatus, output::Streams};

/// Runs the tool.
///
/// # Errors
///
/// The work is not possible: a directory or a file cannot be read, or a setting is invalid.
#[expect(
    clippy::needless_pass_by_value,
    reason = "the signature that every tool has"
)]
pub fn run(args: Args, streams: &mut Streams) -> anyhow::Result<ExitStatus> {
    match &args.task {
        Some(Task::Calibrate(args)) => return calibrate::run(args, streams),
        Some(Task::Test(args)) => return test::run(args, streams),
        None => {}
    }
    let settings = disclosure::Settings::resolve(&args)?;
    if args.batch.is_none() && args.query.is_none() {
        let catalog = index::catalog(&args.skills, &args.index, streams)?;
        return disclosure::answer(&args, &settings, &catalog, streams);
    }
    if let Some(text) = &args.query {
        let is_blank = text.trim().is_empty();
        anyhow::ensure!(
            !is_blank,
            "--query is empty; expected the text of a request"
        );
    }
    let indexed = index::load(&args.skills, &args.index, streams)?;
    if let Some(path) = &args.batch {
        batch::answer(path, args.top, indexed.index(), streams)?;
        return Ok(ExitStatus::Fine);
    }
    let text = args.query.as_deref().unwrap_or_default();
    query::answer(text, &args, &settings, indexed, streams)
}
