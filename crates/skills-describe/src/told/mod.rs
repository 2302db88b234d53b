//! What is told of skills: the catalogue, descriptions in phases, prompts of older hosts.
//!
//! - [`TellArgs`]: what the user typed; `settings`: what was meant, with `skills.toml`.
//! - `catalogue`, `descriptions`, `prompt`: the three kinds of answers.
//! - `stats`: what it costs.

mod args;
mod catalogue;
mod descriptions;
mod prompt;
mod settings;
mod stats;

use disclosure_report::disclosure::description_json;
use disclosure_report::search::rounded;
use serde_json::{Value, json};
use skill_disclosure::LocalBodies;
use skill_loader::catalog::Catalog;
use skill_loader::load::Limits;

pub(super) use args::TellArgs;
pub(super) use settings::Settings;

use super::Args;
use skills_cli::{ExitStatus, output::Streams};

/// A skill and how sure it is that it is wanted, if somebody looked.
pub(super) type Chosen = (String, Option<f64>);

/// Answers what is no search.
pub(super) fn answer(
    args: &Args,
    settings: &Settings,
    catalog: &Catalog,
    streams: &mut Streams,
) -> anyhow::Result<ExitStatus> {
    let told = &args.told;
    if told.stats || told.chart.is_some() {
        return stats::answer(args, settings, catalog, streams);
    }
    if let Some(path) = &told.render {
        return prompt::answer(path, args, settings, catalog, streams);
    }
    if told.chosen.is_empty() && !settings.has_phase() {
        return catalogue::answer(args, settings, catalog, None, streams);
    }
    let names = if told.chosen.is_empty() {
        catalog.skills.keys().cloned().collect()
    } else {
        told.chosen.clone()
    };
    let chosen: Vec<Chosen> = names
        .into_iter()
        .map(|name| (name, told.confidence))
        .collect();
    descriptions::answer(args, settings, catalog, &chosen, streams)
}

/// Answers a search, the best match first: each in the phase of its confidence, or all skills in
/// a mode that was asked for.
pub(super) fn answer_matches(
    args: &Args,
    settings: &Settings,
    catalog: &Catalog,
    matches: &[(String, f64)],
    streams: &mut Streams,
) -> anyhow::Result<ExitStatus> {
    if settings.has_mode() {
        return catalogue::answer(args, settings, catalog, Some(matches), streams);
    }
    let matches = matches.iter().cloned();
    let chosen: Vec<Chosen> = matches
        .map(|(skill, confidence)| (skill, Some(confidence)))
        .collect();
    descriptions::answer(args, settings, catalog, &chosen, streams)
}

/// What is told of a skill in the phase of its confidence, for programs.
pub(super) fn object(
    settings: &Settings,
    catalog: &Catalog,
    skill: &str,
    confidence: f32,
) -> Value {
    let confidence = Some(rounded(confidence));
    match settings.describer.describe(catalog, skill, confidence) {
        Ok(description) => description_json(&description),
        Err(error) => json!({"error": error.to_string()}),
    }
}

/// The bodies of all skills, whole.
fn bodies(catalog: &Catalog) -> LocalBodies<'_> {
    LocalBodies::new(&catalog.skills, Limits::default())
}
