//! One request: the skills that fit, their confidence and their descriptions.

use disclosure_report::search;
use skill_loader::catalog::Catalog;
use skill_loader::fs::append_line;
use skill_search::usage::listed;
use skill_search::{Match, Request};

use skill_disclosure::Indexed;

use crate::args::{Args, Format};
use crate::disclosure::{self, Settings};
use skills_cli::{ExitStatus, output::Streams};

/// Answers one request: the ranking with reasons, or the descriptions of the skills that fit.
pub(super) fn answer(
    text: &str,
    args: &Args,
    settings: &Settings,
    indexed: Indexed,
    streams: &mut Streams,
) -> anyhow::Result<ExitStatus> {
    let request = Request {
        text: text.to_owned(),
        domain: args.domain.clone(),
        required_keywords: args.keywords.clone(),
        limit: args.top,
        min_confidence: args.min_confidence,
    };
    let matches = indexed.index().search(&request);
    if let Some(path) = &args.usage {
        append_line(path, &listed(text, &matches).to_string())?;
    }
    if matches!((args.format, args.explain), (Format::Text, true)) {
        search::text(&matches, true, streams.language, &mut streams.stdout)?;
        return Ok(ExitStatus::Fine);
    }
    let catalog = &catalog(indexed, &matches, settings);
    match args.format {
        Format::Json if !settings.has_mode() => {
            let describe = |one: &Match| {
                disclosure::description(settings, catalog, &one.skill, one.confidence)
            };
            let answer = search::json(text, &matches, args.explain, catalog, &describe);
            streams.write_json(&answer)?;
        }
        _ => {
            let found = search::ranked(&matches);
            return disclosure::answer_matches(args, settings, catalog, &found, streams);
        }
    }
    Ok(ExitStatus::Fine)
}

/// Returns the skills that the answer needs: all of them for a mode, otherwise those that fit.
fn catalog(indexed: Indexed, matches: &[Match], settings: &Settings) -> Catalog {
    if settings.has_mode() {
        return indexed.into_catalog();
    }
    let names: Vec<&str> = matches.iter().map(|one| &one.skill[..]).collect();
    indexed.into_catalog_of(&names)
}
