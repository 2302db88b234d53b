//! `skills-read`: the body or a resource of one skill, for agents.
//!
//! - [`Args`]: what the user typed; `settings`: what was meant.
//! - `request`: the text protocol of existing agents, documented in `docs/protocols.md`.
//! - `answer`: text, JSON or the block for prompts, by [`disclosure_report::reading`].

mod answer;
mod args;
mod request;
mod settings;

use skill_loader::catalog::{Catalog, CatalogSkill};
use skill_loader::load::{LoadError, LoadedText, codes, load_resource, load_skill_body};
use skill_search::usage::used;

pub use args::{Args, Format};

use settings::Settings;
pub use settings::read_file;
use skills_cli::{ExitStatus, output::Streams, usage};

/// Runs the tool.
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
        Ok((skill, loaded)) => {
            if let Some(path) = &settings.usage {
                usage::append(path, &used("read", &skill.name))?;
            }
            answer::loaded(skill, &loaded, &settings, streams)?;
            Ok(match loaded.findings[..] {
                [] => ExitStatus::Fine,
                _ => ExitStatus::Findings,
            })
        }
        Err(error) => {
            answer::refused(&error, &settings, streams)?;
            Ok(status(&error))
        }
    }
}

fn load<'c>(
    catalog: &'c Catalog,
    settings: &Settings,
    name: &str,
) -> Result<(&'c CatalogSkill, LoadedText), LoadError> {
    let skill = catalog.find(name)?;
    let (selection, limits) = (&settings.selection, &settings.limits);
    let loaded = match &settings.resource {
        Some(path) => load_resource(&skill.place, path, selection, limits)?,
        None => load_skill_body(&skill.place, selection, limits)?,
    };
    Ok((skill, loaded))
}

/// What the system refused could not be done; everything else is a finding.
fn status(error: &LoadError) -> ExitStatus {
    if error.code() == codes::IO {
        ExitStatus::CouldNotRun
    } else {
        ExitStatus::Findings
    }
}
