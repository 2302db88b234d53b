//! Some skills, each in its phase.

use skill_disclosure::{Description, Facts, Phase, describe, facts_with_sections};
use skill_loader::catalog::Catalog;
use skill_report::disclosure::{self, Described};

use super::{Chosen, Settings, bodies};
use crate::describe::{Args, Format, print};
use crate::{ExitStatus, output::Streams};

/// Describes the chosen skills in their order. One that is not there, or whose body cannot be
/// read, is reported, and the others are described.
pub(super) fn answer(
    args: &Args,
    settings: &Settings,
    catalog: &Catalog,
    chosen: &[Chosen],
    streams: &mut Streams,
) -> anyhow::Result<ExitStatus> {
    let mut all = Vec::new();
    let mut failures = Vec::new();
    for (skill, confidence) in chosen {
        match tell(settings, catalog, skill, *confidence) {
            Ok(description) => all.push(Described {
                description,
                confidence: *confidence,
            }),
            Err(message) => failures.push(message),
        }
    }
    match args.format {
        Format::Json => {
            let thresholds = settings.disclosure.thresholds;
            print(&disclosure::json(&all, &failures, thresholds), streams)?;
        }
        Format::Xml => disclosure::xml(&all, &mut streams.stdout)?,
        Format::Markdown => disclosure::markdown(&all, &mut streams.stdout)?,
        Format::Text => disclosure::text(&all, &mut streams.stdout)?,
    }
    for failure in &failures {
        writeln!(streams.stderr, "error: {failure}")?;
    }
    let is_fine = failures.is_empty();
    Ok(if is_fine {
        ExitStatus::Fine
    } else {
        ExitStatus::Findings
    })
}

/// Describes one skill, or says why not.
pub(super) fn tell(
    settings: &Settings,
    catalog: &Catalog,
    skill: &str,
    confidence: Option<f64>,
) -> Result<Description, String> {
    let found = catalog.find(skill).map_err(|error| match error.help() {
        Some(help) => format!("{error}; {help}"),
        None => error.to_string(),
    })?;
    let bodies = bodies(catalog);
    let phase = settings.phase(skill, confidence);
    let facts = match phase {
        Phase::Brief => facts_with_sections(found, &bodies),
        _ => Facts::from_skill(found),
    };
    let counter = &*settings.counter;
    describe(&facts, phase, &settings.budgets, &bodies, counter).map_err(|error| error.to_string())
}
