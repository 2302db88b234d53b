//! One plugin: findings, the fate of each field, files that were not copied, and changes.

use skill_diagnostics::Diagnostic;
use skill_language::say;
use skill_migrator::Fate;
use skill_pipeline::{Account, Outcome};

use super::compare;
use super::filter;
use super::group::name;
use super::markup::{Breakable, Html, Prose, Text};
use super::overview::{class, status};
use crate::text::errors_as;

/// Adds the part of the page that is about one plugin.
pub(super) fn article(n: usize, outcome: &Outcome, html: &mut Html) {
    html.add(format_args!(
        r#"<article id="p{n}" class="{} {}" aria-labelledby="p{n}-title"><h3 id="p{n}-title">{}</h3><p>{}"#,
        class(outcome),
        filter::classes(outcome),
        Text(name(outcome)),
        status(outcome, html),
    ));
    if let Some(skill) = &outcome.skill {
        html.add(format_args!(" → <code>{}</code>", Text(skill)));
    }
    if let Some([metadata, brief, full]) = outcome.account.as_ref().and_then(|it| it.tokens) {
        let tokens = say!(
            html,
            "about {metadata} tokens as metadata, {brief} brief, {full} full"
        );
        html.add(format_args!(" · {tokens}"));
    }
    html.add(format_args!("</p>"));
    for error in errors_as(outcome, html.paint()) {
        html.add(format_args!("<pre>{}</pre>", Text(&error)));
    }
    findings(outcome, html);
    if let Some(account) = &outcome.account {
        fates(n, account, html);
        left_out(account, html);
    }
    for change in &outcome.changes {
        compare::change(change, html);
    }
    html.add(format_args!("</article>"));
}

fn details(html: &mut Html, title: &str, content: impl FnOnce(&mut Html)) {
    html.add(format_args!("<details><summary>{}</summary>", Text(title)));
    content(html);
    html.add(format_args!("</details>"));
}

fn findings(outcome: &Outcome, html: &mut Html) {
    if outcome.findings.is_empty() {
        return;
    }
    let title = html.counted(outcome.findings.len(), "finding", "findings");
    details(html, &title, |html| {
        html.add(format_args!(r#"<ul class="findings">"#));
        for finding in &outcome.findings {
            one_finding(finding, html);
        }
        html.add(format_args!("</ul>"));
    });
}

fn one_finding(finding: &Diagnostic, html: &mut Html) {
    let place = &finding.place;
    let mut places: Vec<String> = Vec::new();
    places.extend(place.file.clone());
    places.extend(place.span.as_ref().map(|span| {
        let at = span.position;
        format!("{}:{}", at.line, at.column)
    }));
    places.extend(place.pointer.clone());
    html.add(format_args!(
        r#"<li><span class="{0}">{3}</span> <code>{1}</code> {2}"#,
        finding.severity.word(),
        Text(finding.code.0),
        Prose(&html.say(&finding.message)),
        html.say(finding.severity.word()),
    ));
    if !places.is_empty() {
        html.add(format_args!(
            "<br><small>{}</small>",
            Text(&places.join(" "))
        ));
    }
    if let Some(help) = &finding.help {
        let hint = html.say("hint: ") + &html.say(help);
        html.add(format_args!("<br><small>{}</small>", Prose(&hint)));
    }
    html.add(format_args!("</li>"));
}

fn fates(n: usize, account: &Account, html: &mut Html) {
    if account.fates.is_empty() {
        return;
    }
    let fields = html.counted(account.fates.len(), "field", "fields");
    let title = say!(html, "The fate of {fields}");
    details(html, &title, |html| {
        html.add(format_args!(r#"<div id="p{n}-fates" class="fates">"#));
        html.table("Fate of each field", &["Field", "Fate", "Where and how"], |html| {
            for (place, fate) in &account.fates {
                let (to, how) = match fate {
                    Fate::Carried { to } | Fate::Kept { to } => (to.as_str(), ""),
                    Fate::Transformed { to, how } => (to.as_str(), *how),
                    Fate::Dropped { why } => ("", *why),
                };
                html.add(format_args!(
                    r#"<tr><th scope="row"><code>{}</code></th><td class="fate-{1}">{4}</td><td><code>{2}</code> {3}</td></tr>"#,
                    Breakable(&place.pointer),
                    fate.word(),
                    Breakable(to),
                    Prose(&html.say(how)),
                    html.say(fate.word()),
                ));
            }
        });
        html.add(format_args!("</div>"));
    });
}

fn left_out(account: &Account, html: &mut Html) {
    if account.left_out.is_empty() {
        return;
    }
    let files = html.counted(account.left_out.len(), "file", "files");
    let title = say!(html, "{files} not copied");
    details(html, &title, |html| {
        html.add(format_args!("<ul>"));
        for left in &account.left_out {
            html.add(format_args!(
                "<li><code>{}</code>: {}</li>",
                Text(&left.path),
                Text(&html.say(left.reason.phrase())),
            ));
        }
        html.add(format_args!("</ul>"));
    });
}
