//! All skills within a budget, and the instructions of a mode.

use disclosure_report::disclosure;
use skill_loader::catalog::Catalog;
use skill_loader::fs::write_new;

use super::settings::Settings;
use crate::args::{Args, Format};
use skills_cli::{ExitStatus, output::Streams};

/// Writes the part of a prompt that is about skills.
pub(super) fn answer(
    args: &Args,
    settings: &Settings,
    catalog: &Catalog,
    matches: Option<&[(String, f64)]>,
    streams: &mut Streams,
) -> anyhow::Result<ExitStatus> {
    let budget = settings.describer.listing.budget;
    let language = streams.language;
    let pins = &settings.describer.pins;
    disclosure::unknown_pins(pins, catalog, language, &mut streams.stderr)?;
    let composed = settings.describer.compose(catalog, matches);
    write!(streams.stdout, "{}", composed.text)?;
    if args.format == Format::Text {
        disclosure::prompt_summary(&composed, language, &mut streams.stderr)?;
    }
    disclosure::prompt_problems(&composed, budget, language, &mut streams.stderr)?;
    if let Some(path) = &args.disclosure.report {
        let report = disclosure::prompt_json(&composed, budget);
        let report = serde_json::to_string_pretty(&report)?;
        write_new(path, format!("{report}\n").as_bytes())?;
    }
    Ok(ExitStatus::fine_if(composed.failed.is_empty()))
}
