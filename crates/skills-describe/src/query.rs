//! One request: the skills that fit, their confidence and their descriptions.

use disclosure_report::search;
use model_endpoints::find;
use skill_loader::fs::append_line;
use skill_search::usage::listed;
use skill_search::{Match, Request};

use skill_disclosure::Indexed;

use crate::args::{Args, Format};
use crate::disclosure::{self, Settings};
use crate::index;
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
    let server = args
        .embeddings_url
        .as_deref()
        .zip(args.embeddings_model.as_deref());
    let (matches, failed) = find(server, index::cache(&args.index), &indexed, &request);
    if let Some(failed) = failed {
        streams.remark(&format!("the embeddings are not used: {failed}"))?;
    }
    if let Some(path) = &args.usage {
        append_line(path, &listed(text, &matches).to_string())?;
    }
    if matches!((args.format, args.explain), (Format::Text, true)) {
        search::text(&matches, true, streams.language, &mut streams.stdout)?;
        return Ok(ExitStatus::Fine);
    }
    let names: Vec<&str> = matches.iter().map(|one| &one.skill[..]).collect();
    let catalog = &if settings.has_mode() {
        indexed.into_catalog()
    } else {
        indexed.into_catalog_of(&names)
    };
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
