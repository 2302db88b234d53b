//! Totals, and one row for each plugin.

use parity_record::{Level, Parity, Verdict};
use skill_pipeline::{Outcome, Status};

use super::group::{Group, groups, name};
use super::markup::{Breakable, Html, Prose, Text};
use super::results::Results;
use super::{fates, filter};

/// All statuses, in the order of the report.
const STATUSES: [Status; 12] = [
    Status::Created,
    Status::Updated,
    Status::Merged,
    Status::Unchanged,
    Status::Disabled,
    Status::HostPart,
    Status::Nothing,
    Status::Rejected,
    Status::Conflict,
    Status::Failed,
    Status::Stale,
    Status::Removed,
];

/// Returns the CSS class of an outcome: good, bad, or in between.
pub(super) fn class(outcome: &Outcome) -> &'static str {
    match outcome.status {
        Status::Rejected | Status::Conflict | Status::Failed => "bad",
        Status::Stale | Status::Disabled | Status::HostPart | Status::Nothing | Status::Removed => {
            "plain"
        }
        _ if outcome.needs_attention() => "warn",
        _ => "good",
    }
}

/// Adds the totals of all plugins, as links to the plugins behind them.
pub(super) fn summary(results: &Results<'_>, html: &mut Html) {
    let totals = &results.migrated.totals;
    html.add(format_args!(
        r#"<section id="summary" aria-labelledby="summary-title"><h2 id="summary-title">{}</h2><ul class="tiles">"#,
        html.say("Summary"),
    ));
    let tile = |html: &mut Html, n: usize, label: &str, target: &str| {
        let label = html.say(label);
        let content = format_args!("<strong>{n}</strong> <span>{label}</span>");
        match n {
            0 => html.add(format_args!("<li>{content}</li>")),
            _ => html.add(format_args!(
                r##"<li><a href="#{target}">{content}</a></li>"##
            )),
        };
    };
    tile(
        html,
        totals.attention,
        "cannot run yet",
        Group::Attention.id(),
    );
    tile(html, totals.runnable, "runnable", Group::Ready.id());
    if totals.hosted > 0 {
        tile(html, totals.hosted, "parts of a host, in .host", "plugins");
    }
    tile(html, totals.migrated, "migrated", "plugins");
    tile(html, totals.plugins, "plugins", "plugins");
    for status in STATUSES {
        if totals.count(status) > 0 {
            tile(html, totals.count(status), phrase(status), target(status));
        }
    }
    html.add(format_args!("</ul>"));
    fates::add(&results.migrated.outcomes, html);
    findings(results, html);
    not_searched(results, html);
    html.add(format_args!("</section>"));
}

/// Returns the status in the words of the terminal.
fn phrase(status: Status) -> &'static str {
    match status {
        Status::Disabled => "switched off",
        Status::HostPart => "parts of a host, skipped",
        Status::Nothing => "nothing to migrate",
        status => status.word(),
    }
}

/// Returns the id of the part of the page with the plugins of a status.
fn target(status: Status) -> &'static str {
    match status {
        Status::Rejected | Status::Conflict | Status::Failed => Group::Failed.id(),
        Status::Stale | Status::Removed => Group::Gone.id(),
        Status::Disabled | Status::HostPart | Status::Nothing => Group::Off.id(),
        Status::Created | Status::Updated | Status::Merged | Status::Unchanged => "plugins",
    }
}

/// Adds the kinds of findings, the most severe and most frequent first.
fn findings(results: &Results<'_>, html: &mut Html) {
    let mut kinds: Vec<_> = results.migrated.totals.findings.iter().collect();
    if kinds.is_empty() {
        return;
    }
    kinds.sort_by(|((a, _), n), ((b, _), m)| b.cmp(a).then(m.cmp(n)));
    let n_findings = kinds.iter().map(|(_, n)| **n).sum();
    html.add(format_args!(
        "<details><summary>{}{}{}</summary>",
        html.counted(n_findings, "finding", "findings"),
        html.say(" of "),
        html.counted(kinds.len(), "kind", "kinds"),
    ));
    html.table("Findings by kind", &["Severity", "Code", "Findings"], |html| {
        for ((severity, code), n) in kinds {
            html.add(format_args!(
                r#"<tr><td class="{0}">{2}</td><td><code>{1}</code></td><td class="number">{n}</td></tr>"#,
                severity.word(),
                Text(code),
                html.say(severity.word()),
            ));
        }
    });
    html.add(format_args!("</details>"));
}

fn not_searched(results: &Results<'_>, html: &mut Html) {
    if results.migrated.not_searched.is_empty() {
        return;
    }
    let title = html.say("Not searched");
    html.add(format_args!("<h3>{title}</h3><ul>"));
    for finding in &results.migrated.not_searched {
        html.add(format_args!(
            r#"<li><span class="{0}">{3}</span> <code>{1}</code>: {2}</li>"#,
            finding.severity.word(),
            Text(finding.place.file.as_deref().unwrap_or_default()),
            Prose(&html.say(&finding.message)),
            html.say(finding.severity.word()),
        ));
    }
    html.add(format_args!("</ul>"));
}

/// Adds a table with a row for each plugin and a link to its part of the page, in groups.
///
/// If any skill was compared with its plugin, a column has the recorded results.
pub(super) fn plugins(results: &Results<'_>, html: &mut Html) {
    let outcomes = &results.migrated.outcomes;
    html.add(format_args!(
        r#"<section id="plugins" aria-labelledby="plugins-title"><h2 id="plugins-title">{}</h2>"#,
        html.say("Plugins"),
    ));
    filter::controls(outcomes, html);
    let mut heads = vec!["Plugin", "Skill", "Outcome", "Findings"];
    if !results.parity.is_empty() {
        heads.push("Compared with the plugin");
    }
    html.table("Outcome of each plugin", &heads, |html| {
        for (at, (group, members)) in groups(outcomes).into_iter().enumerate() {
            if at > 0 {
                html.add(format_args!("</tbody><tbody>"));
            }
            let title = format!("{} ({})", html.say(group.title()), members.len());
            html.group_row(group.id(), &title, heads.len());
            for (n, outcome) in members {
                row(results, n, outcome, html);
            }
        }
    });
    html.add(format_args!("</section>"));
}

fn row(results: &Results<'_>, n: usize, outcome: &Outcome, html: &mut Html) {
    html.add(format_args!(
        r##"<tr class="{}"><th scope="row"><a href="#p{n}">{}</a></th><td>{}</td><td>{}</td><td class="number" data-label="{}">{}</td>{}</tr>"##,
        filter::classes(outcome),
        Breakable(name(outcome)),
        Text(outcome.skill.as_deref().unwrap_or("–")),
        status(outcome, html),
        html.say("Findings"),
        outcome.findings.len(),
        parity(results, outcome, html),
    ));
}

/// Returns the recorded comparison of a skill as a cell; empty if there is no record at all.
fn parity(results: &Results<'_>, outcome: &Outcome, html: &Html) -> String {
    if results.parity.is_empty() {
        return String::new();
    }
    let known = outcome
        .skill
        .as_ref()
        .and_then(|name| results.parity.get(name));
    let (class, word) = match known {
        None => ("plain", "never verified"),
        Some(parity) if parity.is_verified() => ("good", "verified"),
        Some(parity) if parity.verdict == Verdict::NotRun => ("plain", "not run"),
        Some(parity) if !parity.is_current => ("warn", "verified before it changed"),
        Some(parity) if parity.verdict == Verdict::Differs => ("bad", "differs"),
        Some(parity) => ("warn", parity.verdict.word()),
    };
    let level = known.map(Parity::level).filter(|level| {
        outcome.runnable == Some(true) && matches!(level, Level::Loads | Level::Runs)
    });
    let level = level.map(|level| format!(" ({})", level.word()));
    let reason = known.and_then(|parity| parity.reason.as_deref());
    let colon = html.say(": ");
    let reason = reason.map(|text| format!("{colon}{}", Text(&html.say(text))));
    let word = html.say(word);
    format!(
        r#"<td><span class="{class}">{word}</span>{}{}</td>"#,
        level.unwrap_or_default(),
        reason.unwrap_or_default()
    )
}

/// Returns the outcome in a word, with the reason unless the outcome is good.
pub(super) fn status(outcome: &Outcome, html: &Html) -> String {
    let word = html.say(phrase(outcome.status));
    let class = class(outcome);
    let reason = match class {
        "good" => None,
        _ => outcome.first_reason(),
    };
    let runs = if outcome.needs_attention() {
        html.say(", ") + &html.say("cannot run yet")
    } else {
        String::new()
    };
    let colon = html.say(": ");
    let reason = reason.map(|text| format!("{colon}{}", Prose(&html.say(text))));
    format!(
        r#"<span class="{class}">{word}{runs}</span>{}"#,
        reason.unwrap_or_default()
    )
}
