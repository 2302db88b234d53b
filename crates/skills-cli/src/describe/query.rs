//! One request: what fits, how sure that is, and what is told of it.

use std::io;

use serde_json::{Value, json};
use skill_loader::catalog::Catalog;
use skill_search::{Explanation, Match, Request};

use super::batch::{rounded, short};
use skill_disclosure::Indexed;

use super::told::{self, Settings};
use super::{Args, Format};
use crate::{ExitStatus, output::Streams, usage};

/// Version of the JSON form.
const SCHEMA: u32 = 1;
/// Terms that an explanation shows to people.
const N_TERMS: usize = 12;

/// Answers one request: the ranking with reasons, or what is told of the skills that fit.
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
        usage::listed(path, text, &matches)?;
    }
    if matches!((args.format, args.explain), (Format::Text, true)) {
        people(&matches, true, streams)?;
        return Ok(ExitStatus::Fine);
    }
    let catalog = &catalog(indexed, &matches, settings);
    match args.format {
        Format::Json if !settings.has_mode() => {
            let tell = |one: &Match| told::object(settings, catalog, &one.skill, one.confidence);
            json(text, &matches, args.explain, &tell, streams)?;
        }
        _ => {
            let found = matches
                .iter()
                .map(|one| (one.skill.clone(), rounded(one.confidence)));
            let found: Vec<(String, f64)> = found.collect();
            return told::answer_matches(args, settings, catalog, &found, streams);
        }
    }
    Ok(ExitStatus::Fine)
}

/// What is needed of the skills: all of them for a mode, and otherwise those that fit.
fn catalog(indexed: Indexed, matches: &[Match], settings: &Settings) -> Catalog {
    if settings.has_mode() {
        return indexed.into_catalog();
    }
    let names: Vec<&str> = matches.iter().map(|one| &one.skill[..]).collect();
    indexed.into_catalog_of(&names)
}

fn json(
    text: &str,
    matches: &[Match],
    with_reasons: bool,
    tell: &dyn Fn(&Match) -> Value,
    streams: &mut Streams,
) -> io::Result<()> {
    let told = matches.iter().map(|one| {
        let mut res = short(one);
        res["told"] = tell(one);
        if with_reasons {
            res["explanation"] = reasons(&one.explanation);
        }
        res
    });
    let matches: Vec<Value> = told.collect();
    let all = json!({"schema": SCHEMA, "query": text, "matches": matches});
    serde_json::to_writer_pretty(&mut streams.stdout, &all)?;
    writeln!(streams.stdout)
}

fn reasons(explanation: &Explanation) -> Value {
    let terms = explanation
        .terms
        .iter()
        .map(|hit| json!({"term": hit.term, "weight": rounded(hit.weight), "fields": hit.fields}));
    let mention = explanation.mention.as_ref();
    let features = explanation.features.iter();
    json!({
        "terms": terms.collect::<Vec<_>>(),
        "trigger": explanation.trigger,
        "mention": mention.map(|mention| json!({"text": mention.text, "kind": mention.kind.word()})),
        "features": features
            .map(|(name, value)| ((*name).to_owned(), json!(rounded(*value))))
            .collect::<serde_json::Map<_, _>>(),
    })
}

fn people(matches: &[Match], with_reasons: bool, streams: &mut Streams) -> io::Result<()> {
    for one in matches {
        writeln!(streams.stdout, "{:.2}  {}", one.confidence, one.skill)?;
        if with_reasons {
            explain(one, streams)?;
        }
    }
    Ok(())
}

fn explain(one: &Match, streams: &mut Streams) -> io::Result<()> {
    let out = &mut streams.stdout;
    writeln!(
        out,
        "      related {:.2}, the one {:.2}",
        one.relatedness, one.choice
    )?;
    let explanation = &one.explanation;
    if let Some(mention) = &explanation.mention {
        writeln!(
            out,
            "      named by its {}: {}",
            mention.kind.word(),
            mention.text
        )?;
    }
    if let Some(trigger) = &explanation.trigger {
        writeln!(out, "      trigger: {trigger}")?;
    }
    for hit in explanation.terms.iter().take(N_TERMS) {
        writeln!(
            out,
            "      {:<16} {:.1}  {}",
            hit.term,
            hit.weight,
            hit.fields.join(", ")
        )?;
    }
    match explanation.terms.len().checked_sub(N_TERMS) {
        Some(n_more @ 1..) => writeln!(out, "      and {n_more} more"),
        _ => Ok(()),
    }
}
