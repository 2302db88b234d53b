//! Descriptions of skills: lists, descriptions in phases, prompts of older hosts.
//!
//! - `args`: the arguments; [`Settings`]: the arguments and `skills.toml`.
//! - `listing`, `descriptions`, `prompt`: the three kinds of answers.
//! - `stats`: the cost of each phase.

pub(super) mod args;
mod descriptions;
mod listing;
mod prompt;
mod settings;
mod stats;

use disclosure_report::disclosure::{client_json, client_listing, client_text, description_json};
use disclosure_report::search::rounded;
use serde_json::{Value, json};
use skill_loader::catalog::Catalog;

pub(super) use settings::Settings;

use crate::args::{Args, Format};
use descriptions::Selection;
use skills_cli::{ExitStatus, output::Streams};

/// Answers everything but a search.
pub(super) fn answer(
    args: &Args,
    settings: &Settings,
    catalog: &Catalog,
    streams: &mut Streams,
) -> anyhow::Result<ExitStatus> {
    let options = &args.disclosure;
    if options.stats || options.chart.is_some() {
        return stats::answer(args, settings, catalog, streams);
    }
    if let Some(client) = options.client {
        let home = args.index.roots.nodes.caches.home.as_deref();
        let list = client_listing(catalog, client, options.context, home);
        match args.format {
            Format::Json => streams.write_json(&client_json(&list))?,
            _ => client_text(&list, streams.language, &mut streams.stdout)?,
        }
        return Ok(ExitStatus::Fine);
    }
    if let Some(path) = &options.render {
        return prompt::answer(path, args, settings, catalog, streams);
    }
    if options.skills.is_empty() && !settings.has_phase() {
        return listing::answer(args, settings, catalog, None, streams);
    }
    let names = if options.skills.is_empty() {
        catalog.skills.keys().cloned().collect()
    } else {
        options.skills.clone()
    };
    let names = names.into_iter();
    let selection: Vec<Selection> = names.map(|name| (name, options.confidence)).collect();
    descriptions::answer(args, settings, catalog, &selection, streams)
}

/// Answers a search, the best match first: each skill in the phase of its confidence, or all skills
/// if the user chose a mode.
pub(super) fn answer_matches(
    args: &Args,
    settings: &Settings,
    catalog: &Catalog,
    matches: &[(String, f64)],
    streams: &mut Streams,
) -> anyhow::Result<ExitStatus> {
    if settings.has_mode() {
        return listing::answer(args, settings, catalog, Some(matches), streams);
    }
    let all = matches.iter().cloned();
    let selection: Vec<Selection> = all.map(|(skill, found)| (skill, Some(found))).collect();
    descriptions::answer(args, settings, catalog, &selection, streams)
}

/// Returns the description of a skill in the phase of its confidence, for programs.
pub(super) fn description(
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
