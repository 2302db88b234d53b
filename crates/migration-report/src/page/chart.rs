//! Charts of tokens: inline SVG, with the numbers in a table below.

use skill_language::{Language, say};
use skill_pipeline::Outcome;
use skill_tokens::DEVIATION_PERCENT;

use super::markup::{Html, Text};

/// The names of the phases, in the order of [`skill_pipeline::Tokens`].
const PHASES: [&str; 3] = ["metadata", "brief", "full"];
/// The maximum number of skills in the second chart.
const MAX_BARS: usize = 60;

/// One skill and its tokens.
type Row<'a> = (&'a str, [usize; 3]);

/// Returns the section; `None` if no tokens were counted.
pub(super) fn charts(outcomes: &[Outcome], language: Language) -> Option<String> {
    let counted = outcomes.iter().filter_map(|outcome| {
        let tokens = outcome.account.as_ref()?.tokens?;
        Some((outcome.skill.as_deref()?, tokens))
    });
    let mut rows: Vec<Row<'_>> = counted.collect();
    if rows.is_empty() {
        return None;
    }
    rows.sort_by(|a, b| b.1[2].cmp(&a.1[2]).then(a.0.cmp(b.0)));
    let mut html = Html::new(language);
    html.add(format_args!(
        r#"<section id="tokens" aria-labelledby="tokens-title"><h2 id="tokens-title">{}</h2>
<p>{}</p>"#,
        language.say("Tokens"),
        say!(language, "The texts that an agent reads: all skills listed as metadata, described briefly, or loaded in full. The numbers are estimates; tokenizers differ by about {DEVIATION_PERCENT} %."),
    ));
    draw_sums(&rows, &mut html);
    draw_each(&rows, &mut html);
    numbers(&rows, &mut html);
    html.add(format_args!("</section>"));
    Some(html.finish())
}

/// Returns `value` scaled from `max` to `width`, with one decimal place, without floating point.
fn scaled(value: usize, max: usize, width: usize) -> String {
    let tenths = (value * width * 10).checked_div(max).unwrap_or(0);
    format!("{}.{}", tenths / 10, tenths % 10)
}

/// Draws the sums of all skills, a bar for each phase.
fn draw_sums(rows: &[Row<'_>], html: &mut Html) {
    let sums = [0, 1, 2].map(|phase| rows.iter().map(|(_, tokens)| tokens[phase]).sum::<usize>());
    let max = sums.iter().copied().max().unwrap_or(0);
    html.add(format_args!(
        r#"<figure><figcaption id="sums-title">{title}</figcaption>
<svg viewBox="0 0 640 132" role="img" aria-labelledby="sums-title">"#,
        title = say!(html, "All {} skills together", rows.len()),
    ));
    for (at, (phase, sum)) in PHASES.iter().zip(sums).enumerate() {
        let y = 8 + at * 42;
        let width = scaled(sum, max, 440);
        html.add(format_args!(
            r#"<text x="84" y="{text_y}" text-anchor="end">{label}</text><rect class="bar bar-{phase}" x="92" y="{y}" width="{width}" height="28" rx="3"/><text x="{label_x}" y="{text_y}" class="value">{sum}</text>"#,
            label = html.say(phase),
            text_y = y + 19,
            label_x = format_args!("{}", 98 + sum * 440 / max.max(1)),
        ));
    }
    html.add(format_args!("</svg></figure>"));
}

/// Draws a column for each skill, the longest first.
fn draw_each(rows: &[Row<'_>], html: &mut Html) {
    let shown = &rows[..rows.len().min(MAX_BARS)];
    let max = shown.first().map_or(0, |(_, tokens)| tokens[2]);
    let width = 600 / shown.len().max(1);
    let title = if shown.len() < rows.len() {
        say!(html, "The {} longest of {} skills", shown.len(), rows.len())
    } else {
        html.say("Each skill, the longest first")
    };
    let explained = html.say("the whole column in full, its lower part described briefly");
    let colon = html.say(": ");
    html.add(format_args!(
        r#"<figure><figcaption id="each-title">{title}{colon}{explained}</figcaption>
<svg viewBox="0 0 660 190" role="img" aria-labelledby="each-title"><line x1="44" y1="170" x2="650" y2="170" class="axis"/><text x="40" y="20" text-anchor="end">{max}</text><text x="40" y="174" text-anchor="end">0</text>"#
    ));
    for (at, (name, [_, brief, full])) in shown.iter().enumerate() {
        let x = 48 + at * width;
        let bar = width.saturating_sub(2).clamp(1, 40);
        for (class, value) in [("full", full), ("brief", brief)] {
            let height = value * 155 / max.max(1);
            html.add(format_args!(
                r#"<rect class="bar bar-{class}" x="{x}" y="{y}" width="{bar}" height="{height}"><title>{name}: {value} ({phase})</title></rect>"#,
                phase = html.say(class),
                y = 170 - height,
                name = Text(name),
            ));
        }
    }
    html.add(format_args!("</svg></figure>"));
}

fn numbers(rows: &[Row<'_>], html: &mut Html) {
    let title = html.say("The numbers");
    html.add(format_args!("<details><summary>{title}</summary>"));
    html.table("Tokens of each skill", &["Skill", "Metadata", "Brief", "Full"], |html| {
        for (name, [metadata, brief, full]) in rows {
            html.add(format_args!(
                r#"<tr><th scope="row">{}</th><td class="number">{metadata}</td><td class="number">{brief}</td><td class="number">{full}</td></tr>"#,
                Text(name)
            ));
        }
    });
    html.add(format_args!("</details>"));
}
