//! Two texts side by side.
//!
//! Versions of one file are compared line by line, with three lines around each change. A new skill
//! has no earlier version; its SKILL.md is shown next to the manifest that it was made from.

use similar::{DiffOp, TextDiff};
use skill_pipeline::Change;

use skill_language::say;

use super::markup::{Html, Text};

/// The number of unchanged lines around a change.
const CONTEXT: usize = 3;
/// The maximum number of lines that are shown of one file; the others are counted.
const MAX_LINES: usize = 400;

/// Adds the view of one file, collapsed.
pub(super) fn change(change: &Change, html: &mut Html) {
    let before = change.before_name.as_deref();
    let after = change.after_name.as_deref();
    let title = match (before, after) {
        (Some(before), Some(after)) if before == after => say!(html, "{after}: what changed"),
        (Some(before), Some(after)) => format!("{before}{}{after}", html.say(" and ")),
        (None, after) => say!(html, "{}: new", after.unwrap_or_default()),
        (Some(before), None) => say!(html, "{before}: removed"),
    };
    html.add(format_args!("<details><summary>{}</summary>", Text(&title)));
    match &change.texts {
        None => {
            let reason = html.say("This file is not text, or it is too long to be shown.");
            html.add(format_args!("<p>{reason}</p>"));
        }
        Some((old, new)) if change.is_version => diff(&title, old, new, html),
        Some((old, new)) => {
            html.add(format_args!(r#"<div class="beside">"#));
            for (name, text) in [(before, old), (after, new)] {
                column(name.unwrap_or_default(), text, html);
            }
            html.add(format_args!("</div>"));
        }
    }
    html.add(format_args!("</details>"));
}

fn column(name: &str, text: &str, html: &mut Html) {
    let shown: Vec<&str> = text.lines().take(MAX_LINES).collect();
    html.add(format_args!(
        "<figure><figcaption>{}</figcaption><pre>{}</pre>",
        Text(name),
        Text(&shown.join("\n")),
    ));
    cut(text.lines().count() - shown.len(), html);
    html.add(format_args!("</figure>"));
}

fn cut(n_lines: usize, html: &mut Html) {
    if n_lines > 0 {
        let lines = html.counted(n_lines, "more line not shown", "more lines not shown");
        html.add(format_args!("<p>{lines}</p>"));
    }
}

fn diff(title: &str, old: &str, new: &str, html: &mut Html) {
    let diff = TextDiff::from_lines(old, new);
    let mut rows = Vec::new();
    for group in diff.grouped_ops(CONTEXT) {
        if !rows.is_empty() {
            rows.push(Row::Gap);
        }
        for op in &group {
            add_rows(op, &mut rows);
        }
    }
    let heads = ["Line", "Before", "Line", "After"];
    html.add(format_args!(r#"<div class="diff">"#));
    html.table(title, &heads, |html| {
        for row in rows.iter().take(MAX_LINES) {
            row.write(&diff, html);
        }
    });
    html.add(format_args!("</div>"));
    cut(rows.len().saturating_sub(MAX_LINES), html);
}

/// A row of the view, with line numbers from 0 on both sides.
enum Row {
    Gap,
    Same(usize, usize),
    Changed(Option<usize>, Option<usize>),
}

fn add_rows(op: &DiffOp, acc: &mut Vec<Row>) {
    let (old, new) = (op.old_range(), op.new_range());
    if matches!(op, DiffOp::Equal { .. }) {
        acc.extend(old.zip(new).map(|(old, new)| Row::Same(old, new)));
        return;
    }
    for at in 0..old.len().max(new.len()) {
        let line = |range: &std::ops::Range<usize>| range.clone().nth(at);
        acc.push(Row::Changed(line(&old), line(&new)));
    }
}

impl Row {
    fn write(&self, diff: &TextDiff<'_, '_, str>, html: &mut Html) {
        let (old, new, is_changed) = match *self {
            Self::Gap => {
                let text = html.say("unchanged lines");
                html.add(format_args!(
                    r#"<tr class="gap"><td colspan="4">{text}</td></tr>"#
                ));
                return;
            }
            Self::Same(old, new) => (Some(old), Some(new), false),
            Self::Changed(old, new) => (old, new, true),
        };
        let old = old.map(|at| (at, diff.old_slice(at).unwrap_or_default()));
        let new = new.map(|at| (at, diff.new_slice(at).unwrap_or_default()));
        let [old_class, new_class] = if is_changed { ["del", "ins"] } else { ["", ""] };
        html.add(format_args!("<tr>"));
        cell(old, old_class, html);
        cell(new, new_class, html);
        html.add(format_args!("</tr>"));
    }
}

fn cell(line: Option<(usize, &str)>, class: &str, html: &mut Html) {
    match line {
        Some((at, text)) => {
            let text = Text(text.trim_end_matches('\n'));
            match class {
                "" => html.add(format_args!(
                    r#"<td class="line">{}</td><td>{text}</td>"#,
                    at + 1
                )),
                _ => html.add(format_args!(
                    r#"<td class="line">{}</td><td class="{class}"><{class}>{text}</{class}></td>"#,
                    at + 1
                )),
            };
        }
        None => {
            html.add(format_args!(
                r#"<td class="line"></td><td class="none"></td>"#
            ));
        }
    }
}
