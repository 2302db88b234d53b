//! The fates of all fields: a count of each, and the fields or plugins behind it.

use std::collections::BTreeMap;

use skill_language::say;
use skill_migrator::Fate;
use skill_pipeline::Outcome;

use super::group::name;
use super::markup::{Breakable, Html, Prose, Text};

/// The maximum number of fields that are listed for one fate.
const MAX_FIELDS: usize = 300;

/// The pointer and the fate of a field, with its plugin and the number of the plugin.
type Field<'a> = (usize, &'a Outcome, &'a str, &'a Fate);

/// Returns the order of a fate on the page: what was lost comes first.
fn weight(word: &str) -> usize {
    let order = ["dropped", "kept", "transformed", "carried"];
    order
        .iter()
        .position(|it| *it == word)
        .unwrap_or(order.len())
}

/// Adds a table of the fates, and a list behind each.
pub(super) fn add(outcomes: &[Outcome], html: &mut Html) {
    let mut all: BTreeMap<(usize, &str), Vec<Field<'_>>> = BTreeMap::new();
    for (n, outcome) in outcomes.iter().enumerate() {
        for (place, fate) in outcome.account.iter().flat_map(|it| &it.fates) {
            let key = (weight(fate.word()), fate.word());
            all.entry(key)
                .or_default()
                .push((n, outcome, &place.pointer, fate));
        }
    }
    if all.is_empty() {
        return;
    }
    html.table("Fates of all fields", &["Fate", "Fields"], |html| {
        for ((_, word), fields) in &all {
            let said = html.say(word);
            html.add(format_args!(
                r##"<tr><td><a href="#fate-{word}">{said}</a></td><td class="number">{}</td></tr>"##,
                fields.len()
            ));
        }
    });
    for ((_, word), fields) in &all {
        let noun = if fields.len() == 1 { "field" } else { "fields" };
        let title = say!(html, "{} {noun} {word}", fields.len());
        html.add(format_args!("<details><summary>{title}</summary>"));
        html.add(format_args!(r#"<ul id="fate-{word}">"#));
        match *word {
            "dropped" | "kept" => list_fields(fields, html),
            _ => list_plugins(fields, html),
        }
        html.add(format_args!("</ul></details>"));
    }
}

/// Lists the fields that no tool uses, each with its reason or its place.
fn list_fields(fields: &[Field<'_>], html: &mut Html) {
    for (n, outcome, pointer, fate) in fields.iter().take(MAX_FIELDS) {
        let (plugin, field) = (Text(name(outcome)), Breakable(pointer));
        html.add(format_args!(
            r##"<li><a href="#p{n}-fates">{plugin}</a> <code>{field}</code>"##
        ));
        match fate {
            Fate::Dropped { why } => {
                let why = html.say(why);
                html.add(format_args!(": {}</li>", Prose(&why)))
            }
            Fate::Carried { to } | Fate::Kept { to } | Fate::Transformed { to, .. } => {
                html.add(format_args!(" → <code>{}</code></li>", Breakable(to)))
            }
        };
    }
    let n_more = fields.len().saturating_sub(MAX_FIELDS);
    if n_more > 0 {
        let more = say!(html, "and {n_more} more");
        html.add(format_args!("<li>{more}</li>"));
    }
}

/// Lists the plugins, with the number of their fields.
fn list_plugins(fields: &[Field<'_>], html: &mut Html) {
    let mut counts: BTreeMap<usize, (&Outcome, usize)> = BTreeMap::new();
    for (n, outcome, ..) in fields {
        counts.entry(*n).or_insert((outcome, 0)).1 += 1;
    }
    for (n, (outcome, n_fields)) in counts {
        html.add(format_args!(
            r##"<li><a href="#p{n}-fates">{}</a>: {n_fields}</li>"##,
            Text(name(outcome))
        ));
    }
}
