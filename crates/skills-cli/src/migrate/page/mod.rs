//! The report for people who have a browser: one page that needs nothing else.
//!
//! - `markup`: HTML as text, and the only escaping.
//! - `overview`: totals, and one row for each plugin.
//! - `plugin`: one plugin: findings, fates, what stayed behind.
//! - `compare`: what changed, side by side.
//! - `chart`: tokens as pictures; `tokens`: counted.
//! - `style.css`: all that is not structure.
//!
//! **Invariant:** pure; no script, no request, no clock, no path but those relative to IN and OUT.
//! **Invariant:** whatever comes from a plugin goes through [`markup::Text`].

mod chart;
mod compare;
mod markup;
mod overview;
mod plugin;
mod tokens;

use super::{Mode, Settings, report::Results};
use markup::Html;

pub(super) use tokens::tokens;

const STYLE: &str = include_str!("style.css");

/// Tokens of one skill: metadata, brief, full.
pub(super) type Tokens = [usize; 3];

/// A text before and after: what the side-by-side view compares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Change {
    /// Name of what is on the left; none where there was nothing.
    pub(super) before_name: Option<String>,
    /// Name of what is on the right; none where there will be nothing.
    pub(super) after_name: Option<String>,
    /// Both texts; none when one of them is no text, or too long.
    pub(super) texts: Option<(String, String)>,
    /// Whether the two are versions of one text. A manifest and what was made of it are not.
    pub(super) is_version: bool,
}

/// The whole page.
pub(super) fn render(settings: &Settings, results: &Results<'_>) -> String {
    let mode = match settings.mode {
        Mode::Write => "what was done",
        Mode::DryRun => "a dry run: what would be done",
        Mode::Check => "a check: what would be done",
    };
    let mut html = Html::default();
    html.add(format_args!(
        r##"<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Migration report</title>
<style>
{STYLE}</style>
</head>
<body>
<a class="skip" href="#plugins">Skip to the plugins</a>
<header><h1>Migration report</h1><p>skills-migrate {version}: {mode}</p></header>"##,
        version = env!("CARGO_PKG_VERSION"),
    ));
    let charts = chart::charts(results.outcomes);
    let link = if charts.is_some() {
        r##"<li><a href="#tokens">Tokens</a></li>"##
    } else {
        ""
    };
    html.add(format_args!(
        r##"<nav aria-label="Sections"><ul><li><a href="#summary">Summary</a></li>{link}<li><a href="#plugins">Plugins</a></li></ul></nav>
<main>"##
    ));
    overview::summary(results, &mut html);
    if let Some(charts) = charts {
        html.add(format_args!("{charts}"));
    }
    overview::plugins(results, &mut html);
    for (n, outcome) in results.outcomes.iter().enumerate() {
        plugin::article(n, outcome, &mut html);
    }
    html.add(format_args!("</main>\n</body>\n</html>"));
    html.finish()
}
