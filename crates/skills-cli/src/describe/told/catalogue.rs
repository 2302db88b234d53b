//! All skills within a budget, and the bodies of a mode.

use skill_diagnostics::nearest;
use skill_disclosure::listing::Item;
use skill_disclosure::{Facts, Match, ModeSettings, Prompt, compose};
use skill_loader::catalog::{Catalog, CatalogSkill};
use skill_loader::fs::write_new;
use skill_report::disclosure;

use super::{Settings, bodies};
use crate::describe::{Args, Format};
use crate::{ExitStatus, output::Streams};

/// Writes the part of a prompt that is about skills.
pub(super) fn answer(
    args: &Args,
    settings: &Settings,
    catalog: &Catalog,
    matches: Option<&[(String, f64)]>,
    streams: &mut Streams,
) -> anyhow::Result<ExitStatus> {
    check_pins(settings, catalog, streams)?;
    let composed = composed(settings, catalog, matches);
    write!(streams.stdout, "{}", composed.text)?;
    if args.format == Format::Text {
        disclosure::prompt_summary(&composed, &mut streams.stderr)?;
    }
    for (skill, error) in &composed.failed {
        writeln!(streams.stderr, "error: {skill}: {error}")?;
    }
    if composed.report.is_over_budget() {
        let (tokens, budget) = (composed.tokens, settings.listing.budget.unwrap_or_default());
        writeln!(
            streams.stderr,
            "warning: {tokens} tokens, though not a skill is listed; the budget is {budget}"
        )?;
    }
    if let Some(path) = &args.told.report {
        let report = disclosure::prompt_json(&composed, settings.listing.budget);
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

/// The prompt, by the settings.
pub(super) fn composed(
    settings: &Settings,
    catalog: &Catalog,
    matches: Option<&[(String, f64)]>,
) -> Prompt {
    let mut ordered: Vec<&CatalogSkill> = catalog.skills.values().map(AsRef::as_ref).collect();
    ordered.sort_by(|a, b| (a.source, &a.name).cmp(&(b.source, &b.name)));
    let items = ordered.iter().enumerate().map(|(precedence, skill)| {
        let facts = Facts::from_skill(skill);
        let item = Item {
            precedence,
            is_pinned: settings.pins.contains(&skill.name),
            n_uses: settings.n_uses.get(&skill.name).copied().unwrap_or(0),
            ..Item::from_facts(&facts)
        };
        (item, facts.priority)
    });
    let items: Vec<(Item, f64)> = items.collect();
    let matches = matches.map(|matches| {
        let one = |(skill, confidence): &(String, f64)| Match {
            skill: skill.clone(),
            confidence: *confidence,
        };
        matches.iter().map(one).collect::<Vec<Match>>()
    });
    let how = ModeSettings {
        mode: settings.mode,
        listing: settings.listing.clone(),
        min_confidence: settings.disclosure.thresholds.to_brief(),
        min_priority: settings.min_priority,
    };
    compose(
        &items,
        matches.as_deref(),
        &how,
        &bodies(catalog),
        &*settings.counter,
    )
}

/// A pin of a skill that is not there is most likely a slip.
fn check_pins(
    settings: &Settings,
    catalog: &Catalog,
    streams: &mut Streams,
) -> std::io::Result<()> {
    for pin in settings
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
