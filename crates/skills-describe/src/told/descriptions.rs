//! Some skills, each in its phase.

use disclosure_report::disclosure::{self, ScoredDescription};
use skill_loader::catalog::Catalog;

use super::{Chosen, Settings};
use crate::Args;
use crate::Format;
use crate::print;
use skills_cli::{ExitStatus, output::Streams};

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
        match settings.describer.describe(catalog, skill, *confidence) {
            Ok(description) => all.push(ScoredDescription {
                description,
                confidence: *confidence,
            }),
            Err(error) => failures.push(error.to_string()),
        }
    }
    match args.format {
        Format::Json => {
            let thresholds = settings.describer.disclosure.thresholds;
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
