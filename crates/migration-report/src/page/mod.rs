//! The report as a page for browsers that needs no other file.
//!
//! - `markup`: HTML as text, and all escaping.
//! - `overview`: totals, and one row for each plugin; `fates`: the fates of all fields.
//! - `group`: plugins by what they need from the reader; `filter`: filters without a script.
//! - `plugin`: one plugin: findings, fates, files that were not copied.
//! - `compare`: changes, side by side.
//! - `chart`: charts of tokens; `clients`: a chart of what agents list of the skills.
//! - `results`: the input of a page.
//! - `style.css`: the appearance.
//!
//! **Invariant:** pure; no script, no request, no clock, and only paths relative to IN and OUT.
//! **Invariant:** every text from a plugin is wrapped in [`markup::Text`].

mod chart;
mod clients;
mod compare;
mod fates;
mod filter;
mod group;
mod markup;
mod overview;
mod plugin;
mod results;

use std::collections::BTreeMap;

use parity_record::Parity;
use skill_language::Language;
use skill_pipeline::{Migrated, Mode};

use markup::Html;
use results::Results;

const STYLE: &str = include_str!("style.css");

/// Returns the whole page. `parity` has the recorded comparison of each skill with its plugin.
pub fn render(
    mode: Mode,
    migrated: &Migrated,
    parity: &BTreeMap<String, Parity>,
    language: Language,
) -> String {
    let results = &Results { migrated, parity };
    let mode = match mode {
        Mode::Write => "what was done",
        Mode::DryRun => "a dry run: what would be done",
        Mode::Check => "a check: what would be done",
    };
    let mut html = Html::new(language);
    html.add(format_args!(
        r##"<!DOCTYPE html>
<html lang="{lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title>
<style>
{STYLE}{rules}</style>
</head>
<body>
<a class="skip" href="#plugins">{skip}</a>
<header><h1>{title}</h1><p>skills-migrate {version}{colon}{mode}</p></header>"##,
        lang = language.tag(),
        title = language.say("Migration report"),
        skip = language.say("Skip to the plugins"),
        colon = language.say(": "),
        mode = language.say(mode),
        version = env!("CARGO_PKG_VERSION"),
        rules = filter::rules(&migrated.outcomes),
    ));
    let charts = chart::charts(&migrated.outcomes, language);
    let listed = clients::chart(&migrated.outcomes, language);
    let link = |id: &str, title: &str| {
        let title = language.say(title);
        format!(r##"<li><a href="#{id}">{title}</a></li>"##)
    };
    let to_charts = charts.as_ref().map(|_| link("tokens", "Tokens"));
    let to_clients = listed.as_ref().map(|_| link("clients", "Agents"));
    html.add(format_args!(
        r#"<nav aria-label="{}"><ul>{}{}{}{}</ul></nav>
<main>"#,
        language.say("Sections"),
        link("summary", "Summary"),
        link("plugins", "Plugins"),
        to_charts.unwrap_or_default(),
        to_clients.unwrap_or_default(),
    ));
    overview::summary(results, &mut html);
    overview::plugins(results, &mut html);
    let groups = group::groups(&migrated.outcomes);
    for (n, outcome) in groups.into_iter().flat_map(|(_, members)| members) {
        plugin::article(n, outcome, &mut html);
    }
    for section in [charts, listed].into_iter().flatten() {
        html.add(format_args!("{section}"));
    }
    html.add(format_args!("</main>\n</body>\n</html>"));
    html.finish()
}
