//! The catalog as text for a model, and the instructions of the server.

use skill_disclosure::listing::{self, Item};
use skill_disclosure::{Facts, LocalBodies, Mode, ModeSettings, compose};
use skill_loader::catalog::{Catalog, CatalogSkill};
use skill_tokens::Estimator;

use crate::names::ToolKind;
use crate::settings::Settings;

/// The token budget of a catalog without bodies: 8,000 characters, like the default of common
/// clients.
const CATALOG_TOKENS: usize = 2_000;
/// The token budget of a catalog with bodies.
const BODIES_TOKENS: usize = 20_000;

/// Returns the instructions of the server, with the catalog.
pub(crate) fn instructions(settings: &Settings, skills: &Catalog, counter: &Estimator) -> String {
    format!(
        "{}\n\n{}",
        greeting(settings),
        catalog(settings, skills, counter)
    )
}

/// Returns the instructions without the catalog, so that it need not be read.
pub(crate) fn greeting(settings: &Settings) -> String {
    let [search, read] =
        [ToolKind::SearchSkills, ToolKind::ReadSkill].map(|kind| settings.names.name(kind));
    format!(
        "This server provides skills: instructions for tasks. Find one with {search}, and read it with {read} before you do what it describes."
    )
}

/// Returns the catalog within its budget, with the bodies that the mode includes.
pub(crate) fn catalog(settings: &Settings, catalog: &Catalog, counter: &Estimator) -> String {
    let item = |skill: &CatalogSkill| {
        let metadata = skill.metadata.as_deref();
        let priority = metadata.map_or(0.0, |it| it.triggers.priority);
        let mut item = Item::from_facts(&Facts::from_skill(skill));
        // What cannot be run comes last, and loses its description first.
        let cannot_run = metadata.is_some_and(|it| !(it.enabled && it.runnable));
        item.precedence = usize::from(cannot_run);
        (item, priority)
    };
    let items: Vec<(Item, f64)> = catalog.skills.values().map(|skill| item(skill)).collect();
    let budget = match settings.mode {
        Mode::Progressive => CATALOG_TOKENS,
        Mode::Eager | Mode::Hybrid => BODIES_TOKENS,
    };
    let mode_settings = ModeSettings {
        mode: settings.mode,
        listing: listing::Settings {
            budget: Some(budget),
            read_tool: Some(settings.names.name(ToolKind::ReadSkill).to_owned()),
            search_tool: Some(settings.names.name(ToolKind::SearchSkills).to_owned()),
            ..listing::Settings::default()
        },
        ..ModeSettings::default()
    };
    let bodies = LocalBodies::new(catalog, settings.limits.clone());
    let composed = compose(&items, None, &mode_settings, &bodies, counter);
    for skill in &composed.report.omitted {
        tracing::debug!(skill, "left out of the catalog, whose budget is used up");
    }
    composed.text
}
