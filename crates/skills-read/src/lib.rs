//! `skills-read`: the instructions or a resource of one skill, for agents.
//!
//! - [`Args`]: the arguments; `settings`: their meaning; `load`: the text that they select.
//! - `request`: the text protocol of existing agents, documented in `docs/protocols.md`.
//! - `answer`: text, JSON or the block for prompts, by [`disclosure_report::reading`].

mod answer;
mod args;
mod load;
mod request;
mod settings;

use skill_loader::catalog::Catalog;
use skill_loader::fs::append_line;
use skill_search::usage::used;

pub use args::{Args, Format};

use load::{load, status};
use settings::Settings;
use skills_cli::{ExitStatus, output::Streams};

/// Runs the tool.
///
/// # Errors
///
/// The work is not possible: a directory or a file cannot be read.
pub fn run(args: Args, streams: &mut Streams) -> anyhow::Result<ExitStatus> {
    let settings = Settings::resolve(args, streams)?;
    let catalog = Catalog::read(&settings.catalog);
    if let Some(request) = &settings.request {
        return request::answer(request, &catalog, &settings, streams);
    }
    if settings.list {
        answer::list(&catalog, &settings, streams)?;
        return Ok(ExitStatus::Fine);
    }
    match load(&catalog, &settings, &settings.skill) {
        Ok((skill, loaded, required)) => {
            if let Some(path) = &settings.usage {
                append_line(path, &used("read", &skill.name).to_string())?;
            }
            answer::loaded(skill, &loaded, &required, &settings, streams)?;
            Ok(match loaded.findings[..] {
                [] => ExitStatus::Fine,
                _ => ExitStatus::Findings,
            })
        }
        Err(error) => {
            answer::error(&error, &settings, streams)?;
            Ok(status(&error))
        }
    }
}
