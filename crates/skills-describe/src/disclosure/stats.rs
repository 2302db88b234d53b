//! The cost of each phase, compared with giving the instructions of all skills at once.

use disclosure_report::disclosure;
use skill_disclosure::{LocalBodies, costs};
use skill_loader::catalog::{Catalog, CatalogSkill};
use skill_loader::fs::write_new;
use skill_loader::load::Limits;
use skill_tokens::TokenCounter as _;
use skill_tokens_exact::ExactO200k;

use super::settings::Settings;
use crate::args::{Args, Format};
use skills_cli::{ExitStatus, output::Streams};

/// Counts tokens, prints the table and draws the chart.
pub(super) fn answer(
    args: &Args,
    settings: &Settings,
    catalog: &Catalog,
    streams: &mut Streams,
) -> anyhow::Result<ExitStatus> {
    let exact = ExactO200k::new();
    let options = &args.disclosure;
    let is_chosen =
        |skill: &&CatalogSkill| options.skills.is_empty() || options.skills.contains(&skill.name);
    let skills = catalog.skills.values().map(AsRef::as_ref).filter(is_chosen);
    let bodies = LocalBodies::new(catalog, Limits::default());
    let describer = &settings.describer;
    let (budgets, counter) = (&describer.budgets, &*describer.counter);
    let (costs, failures) = costs(skills, &bodies, budgets, counter, &exact);
    if options.stats {
        match args.format {
            Format::Json => streams.write_json(&disclosure::costs_json(&costs, exact.name()))?,
            _ => disclosure::costs_text(&costs, streams.language, &mut streams.stdout)?,
        }
    }
    if let Some(path) = &options.chart {
        write_new(path, disclosure::chart(&costs).as_bytes())?;
    }
    for failure in &failures {
        streams.remark(&format!("error: {failure}"))?;
    }
    Ok(ExitStatus::fine_if(failures.is_empty()))
}
