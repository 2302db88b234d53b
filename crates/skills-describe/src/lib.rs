//! `skills-describe`: what an agent is told about skills, and which of them fit a request.
//!
//! - [`Args`]: what the user typed.
//! - `index`: skills into an index, or that of an earlier run.
//! - `query`: one request; `batch`: many.
//! - `calibrate`: what recorded use says of the confidence.
//! - `told`: what is told of skills: the catalogue, and descriptions in phases.

mod args;
mod batch;
mod calibrate;
mod index;
mod query;
mod told;
mod usage;

use args::Task;
pub use args::{Args, Format};

use anyhow::Context as _;
use serde_json::Value;
use skill_search::Model;

use skills_cli::{ExitStatus, named, output::Streams};

/// Largest file of coefficients, in bytes.
const MAX_MODEL: u64 = 1 << 20;

/// Runs the tool.
#[expect(
    clippy::needless_pass_by_value,
    reason = "the signature that every tool has"
)]
pub fn run(args: Args, streams: &mut Streams) -> anyhow::Result<ExitStatus> {
    if let Some(Task::Calibrate(args)) = &args.task {
        return calibrate::run(args, streams);
    }
    let settings = told::Settings::resolve(&args)?;
    if args.batch.is_none() && args.query.is_none() {
        let catalog = index::catalog(&args, streams)?;
        return told::answer(&args, &settings, &catalog, streams);
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
        let text = String::from_utf8(named::read(path, MAX_MODEL)?)?;
        indexed.set_model(Model::parse(&text).with_context(|| path.display().to_string())?);
    }
    if let Some(path) = &args.batch {
        batch::answer(path, args.top, indexed.index(), streams)?;
        return Ok(ExitStatus::Fine);
    }
    let text = args.query.as_deref().unwrap_or_default();
    query::answer(text, &args, &settings, indexed, streams)
}

/// Writes one object for programs.
fn print(value: &Value, streams: &mut Streams) -> anyhow::Result<()> {
    serde_json::to_writer_pretty(&mut streams.stdout, value)?;
    Ok(writeln!(streams.stdout)?)
}
