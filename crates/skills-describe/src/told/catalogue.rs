//! All skills within a budget, and the bodies of a mode.

use disclosure_report::disclosure;
use skill_diagnostics::nearest;
use skill_loader::catalog::Catalog;
use skill_loader::fs::write_new;

use super::Settings;
use crate::Args;
use crate::Format;
use skills_cli::{ExitStatus, output::Streams};

/// Writes the part of a prompt that is about skills.
pub(super) fn answer(
    args: &Args,
    settings: &Settings,
    catalog: &Catalog,
    matches: Option<&[(String, f64)]>,
    streams: &mut Streams,
) -> anyhow::Result<ExitStatus> {
    check_pins(settings, catalog, streams)?;
    let composed = settings.describer.compose(catalog, matches);
    write!(streams.stdout, "{}", composed.text)?;
    if args.format == Format::Text {
        disclosure::prompt_summary(&composed, &mut streams.stderr)?;
    }
    for (skill, error) in &composed.failed {
        writeln!(streams.stderr, "error: {skill}: {error}")?;
    }
    if composed.report.is_over_budget() {
        let (tokens, budget) = (
            composed.tokens,
            settings.describer.listing.budget.unwrap_or_default(),
        );
        writeln!(
            streams.stderr,
            "warning: {tokens} tokens, though not a skill is listed; the budget is {budget}"
        )?;
    }
    if let Some(path) = &args.told.report {
        let report = disclosure::prompt_json(&composed, settings.describer.listing.budget);
        let report = serde_json::to_string_pretty(&report)?;
        write_new(path, format!("{report}\n").as_bytes())?;
    }
    let is_fine = composed.failed.is_empty();
    Ok(if is_fine {
        ExitStatus::Fine
    } else {
        ExitStatus::Findings
    })
}

/// A pin of a skill that is not there is most likely a slip.
fn check_pins(
    settings: &Settings,
    catalog: &Catalog,
    streams: &mut Streams,
) -> std::io::Result<()> {
    for pin in settings
        .describer
        .pins
        .iter()
        .filter(|pin| !catalog.skills.contains_key(*pin))
    {
        write!(
            streams.stderr,
            "warning: there is no skill `{}` to pin",
            pin.escape_debug()
        )?;
        let known = catalog.skills.keys().map(String::as_str);
        match nearest(pin, known) {
            Some(name) => writeln!(streams.stderr, "; did you mean `{name}`?")?,
            None => writeln!(streams.stderr)?,
        }
    }
    Ok(())
}
