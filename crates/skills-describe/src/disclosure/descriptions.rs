//! Descriptions of some skills, each in its phase.

use disclosure_report::disclosure::{self, ScoredDescription};
use skill_loader::catalog::Catalog;

use super::settings::Settings;
use crate::args::{Args, Format};
use skills_cli::{ExitStatus, output::Streams};

/// The name of a skill to describe, and the confidence of the search that found it.
pub(super) type Selection = (String, Option<f64>);

/// Describes skills in their order. A skill that does not exist or cannot be read is reported, and
/// the others are described.
pub(super) fn answer(
    args: &Args,
    settings: &Settings,
    catalog: &Catalog,
    selection: &[Selection],
    streams: &mut Streams,
) -> anyhow::Result<ExitStatus> {
    let mut all = Vec::new();
    let mut failures = Vec::new();
    for (skill, confidence) in selection {
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
            streams.write_json(&disclosure::json(&all, &failures, thresholds))?;
        }
        Format::Xml => disclosure::xml(&all, &mut streams.stdout)?,
        Format::Markdown => disclosure::markdown(&all, &mut streams.stdout)?,
        Format::Text => disclosure::text(&all, streams.language, &mut streams.stdout)?,
    }
    for failure in &failures {
        streams.remark(&format!("error: {failure}"))?;
    }
    Ok(ExitStatus::fine_if(failures.is_empty()))
}
