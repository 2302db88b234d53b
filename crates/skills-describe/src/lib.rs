//! `skills-describe`: descriptions of skills for an agent, and the skills that fit a request.
//!
//! - [`Args`]: the arguments.
//! - `index`: the index of the skills, or that of an earlier run.
//! - `query`: one request; `batch`: many.
//! - `calibrate`: compares the confidence with recorded use.
//! - `disclosure`: lists of skills, and descriptions in phases.

mod args;
mod batch;
mod calibrate;
mod disclosure;
mod index;
mod query;

use args::Task;
pub use args::{Args, Format};

use anyhow::Context as _;
use skill_search::Model;

use skills_cli::{ExitStatus, input, output::Streams};

/// The maximum size of a file of coefficients, in bytes.
const MAX_MODEL: u64 = 1 << 20;

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
    if let Some(Task::Calibrate(args)) = &args.task {
        return calibrate::run(args, streams);
    }
    let settings = disclosure::Settings::resolve(&args)?;
    if args.batch.is_none() && args.query.is_none() {
        let catalog = index::catalog(&args, streams)?;
        return disclosure::answer(&args, &settings, &catalog, streams);
    }
    if args.batch.is_none()
        && args
            .query
            .as_deref()
            .is_some_and(|text| text.trim().is_empty())
    {
        anyhow::bail!("--query is empty; expected the text of a request");
    }
    let mut indexed = index::load(&args, streams)?;
    if let Some(path) = &args.model {
        let text = input::text(path, MAX_MODEL)?;
        indexed.set_model(Model::parse(&text).with_context(|| path.display().to_string())?);
    }
    if let Some(path) = &args.batch {
        batch::answer(path, args.top, indexed.index(), streams)?;
        return Ok(ExitStatus::Fine);
    }
    let text = args.query.as_deref().unwrap_or_default();
    query::answer(text, &args, &settings, indexed, streams)
}
