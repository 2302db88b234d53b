//! What each phase costs, against giving every body at once.

use disclosure_report::disclosure;
use skill_disclosure::costs;
use skill_loader::catalog::{Catalog, CatalogSkill};
use skill_loader::fs::write_new;
use skill_tokens::TokenCounter as _;
use skill_tokens_exact::ExactO200k;

use super::{Settings, bodies};
use crate::Args;
use crate::Format;
use crate::print;
use skills_cli::{ExitStatus, output::Streams};

/// Counts, prints and draws.
pub(super) fn answer(
    args: &Args,
    settings: &Settings,
    catalog: &Catalog,
    streams: &mut Streams,
) -> anyhow::Result<ExitStatus> {
    let exact = ExactO200k::new();
    let told = &args.told;
    let is_chosen =
        |skill: &&CatalogSkill| told.chosen.is_empty() || told.chosen.contains(&skill.name);
    let skills = catalog.skills.values().map(AsRef::as_ref).filter(is_chosen);
    let describer = &settings.describer;
    let (budgets, counter) = (&describer.budgets, &*describer.counter);
    let (costs, failures) = costs(skills, &bodies(catalog), budgets, counter, &exact);
    if told.stats {
        match args.format {
            Format::Json => print(&disclosure::costs_json(&costs, exact.name()), streams)?,
            _ => disclosure::costs_text(&costs, &mut streams.stdout)?,
        }
    }
    if let Some(path) = &told.chart {
        write_new(path, disclosure::chart(&costs).as_bytes())?;
    }
    for failure in &failures {
        writeln!(streams.stderr, "error: {failure}")?;
    }
    Ok(if failures.is_empty() {
        ExitStatus::Fine
    } else {
        ExitStatus::Findings
    })
}
