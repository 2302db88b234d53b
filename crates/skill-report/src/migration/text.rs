//! The report for people: diffs, findings, a table, a summary.

use std::io::{self, Write};

use skill_diagnostics::{Diagnostic, Severity};
use skill_pipeline::{Migrated, Mode, Outcome, Status, Totals};

use crate::{Paint, excerpt, printable};

/// The number of plugins up to which each one has a row. In larger collections only plugins that need
/// attention have one, unless -v is used.
const MAX_ROWS: usize = 120;

/// Settings of the text format.
#[derive(Clone, Copy, Debug)]
pub struct View {
    /// The mode of the migration.
    pub mode: Mode,
    /// −1 for quiet, 0 for normal, 1 and 2 for more.
    pub verbosity: i8,
    /// The colours.
    pub paint: Paint,
}

/// Writes diffs, table and summary to `out`, and findings to `err`.
pub fn write(
    view: View,
    migrated: &Migrated,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<()> {
    diffs(&migrated.outcomes, view.paint, out)?;
    not_searched(view, &migrated.not_searched, err)?;
    findings(view, &migrated.outcomes, err)?;
    if view.verbosity < 0 {
        return Ok(());
    }
    table(view, &migrated.outcomes, out)?;
    summary(view, migrated, out)
}

/// Writes the directories that were not searched for plugins.
pub fn not_searched(view: View, findings: &[Diagnostic], err: &mut dyn Write) -> io::Result<()> {
    for finding in findings
        .iter()
        .filter(|finding| view.verbosity >= 0 || finding.severity == Severity::Error)
    {
        writeln!(err, "{}\n", excerpt(finding, None, view.paint))?;
    }
    Ok(())
}

fn diffs(outcomes: &[Outcome], paint: Paint, out: &mut dyn Write) -> io::Result<()> {
    for line in outcomes.iter().flat_map(|outcome| outcome.diff.lines()) {
        let line = &printable(line);
        let line = match line.as_bytes().first() {
            Some(b'+') if line.starts_with("+++") => paint.strong(line),
            Some(b'-') if line.starts_with("---") => paint.strong(line),
            Some(b'+') => paint.good(line),
            Some(b'-') => paint.error(line),
            Some(b'@') => paint.faint(line),
            _ => line.to_owned(),
        };
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// Returns the errors that prevented a skill, each with an excerpt of the manifest if it refers to a
/// place there.
pub fn errors(outcome: &Outcome) -> impl Iterator<Item = String> {
    outcome.errors.iter().map(|finding| {
        let is_of_manifest = finding
            .place
            .file
            .as_deref()
            .is_some_and(|file| file.ends_with(".json") || file.ends_with(".block"));
        let source = outcome.manifest.as_deref();
        let source = source.filter(|_| is_of_manifest && finding.code.0 != "secret-found");
        excerpt(finding, source, Paint::NONE)
    })
}

/// Writes errors always, warnings with -v and notes with -vv.
fn findings(view: View, outcomes: &[Outcome], err: &mut dyn Write) -> io::Result<()> {
    for outcome in outcomes {
        for error in errors(outcome) {
            writeln!(err, "{error}\n")?;
        }
        let least = match view.verbosity {
            ..=0 => continue,
            1 => Severity::Warning,
            _ => Severity::Note,
        };
        let shown = outcome.findings.iter().filter(|finding| {
            finding.severity >= least
                && (finding.severity < Severity::Error || outcome.errors.is_empty())
        });
        for finding in shown {
            let mut finding = finding.clone();
            finding
                .place
                .file
                .get_or_insert_with(|| outcome.directory.clone());
            writeln!(err, "{}\n", excerpt(&finding, None, view.paint))?;
        }
    }
    Ok(())
}

fn table(view: View, outcomes: &[Outcome], out: &mut dyn Write) -> io::Result<()> {
    let View { mode, paint, .. } = view;
    let all = view.verbosity > 0 || outcomes.len() <= MAX_ROWS;
    let is_worth_a_row = |outcome: &&Outcome| {
        let is_plain = outcome.status.is_migrated() && !outcome.needs_attention()
            || outcome.status == Status::Disabled;
        all || !is_plain
    };
    let rows: Vec<&Outcome> = outcomes.iter().filter(is_worth_a_row).collect();
    if rows.is_empty() {
        return Ok(());
    }
    let cells: Vec<[String; 2]> = rows
        .iter()
        .map(|outcome| {
            [
                source_cell(outcome),
                outcome.skill.clone().unwrap_or_else(|| "–".to_owned()),
            ]
        })
        .collect();
    let widths = [0, 1].map(|at| {
        cells
            .iter()
            .map(|cell| width(&cell[at]))
            .max()
            .unwrap_or(0)
            .clamp(6, MAX_CELL)
    });
    writeln!(
        out,
        "{}",
        paint.strong(format!(
            "{}  {}  STATUS",
            pad("PLUGIN", widths[0]),
            pad("SKILL", widths[1])
        ))
    )?;
    for (outcome, [plugin, skill]) in rows.iter().zip(&cells) {
        let status = status_cell(mode, outcome, paint);
        writeln!(
            out,
            "{}  {}  {status}",
            pad(plugin, widths[0]),
            pad(skill, widths[1])
        )?;
    }
    writeln!(out)
}

/// The maximum width of a cell, in columns; longer texts are cut.
const MAX_CELL: usize = 40;

fn source_cell(outcome: &Outcome) -> String {
    let name = if outcome.directory.is_empty() {
        outcome.plugin.as_deref().unwrap_or(".")
    } else {
        &outcome.directory
    };
    name.escape_debug().to_string()
}

fn status_cell(mode: Mode, outcome: &Outcome, paint: Paint) -> String {
    let word = match (outcome.status, mode) {
        (Status::Created, Mode::DryRun | Mode::Check) => "would be created",
        (Status::Updated, Mode::DryRun | Mode::Check) => "would be updated",
        (Status::Merged, Mode::DryRun | Mode::Check) => "would be merged",
        (Status::Removed, Mode::DryRun | Mode::Check) => "would be removed",
        (status, _) => status.word(),
    };
    let reason = outcome.first_reason().unwrap_or_default();
    match outcome.status {
        Status::Rejected | Status::Conflict | Status::Failed => {
            format!("{}: {}", paint.error(word), one_line(reason))
        }
        _ if outcome.needs_attention() => {
            let reason = if reason.is_empty() {
                "see the skill"
            } else {
                reason
            };
            format!(
                "{}, {}: {}",
                word,
                paint.warning("cannot run yet"),
                one_line(reason)
            )
        }
        Status::Stale => format!("{}: {}", paint.warning(word), one_line(reason)),
        Status::Disabled => paint.faint("switched off, skipped"),
        Status::Created | Status::Updated | Status::Merged => paint.good(word),
        Status::Unchanged | Status::Removed => word.to_owned(),
    }
}

fn one_line(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let cut: String = text.chars().take(100).collect();
    if cut.len() < text.len() {
        format!("{cut}…")
    } else {
        text
    }
}

/// Returns the number of terminal columns of a text: wide characters take two.
fn width(text: &str) -> usize {
    text.chars().map(|c| if matches!(c, '\u{1100}'..='\u{115F}' | '\u{2E80}'..='\u{A4CF}' | '\u{AC00}'..='\u{D7A3}' | '\u{F900}'..='\u{FAFF}' | '\u{FF00}'..='\u{FF60}' | '\u{1F300}'..='\u{1FAFF}' | '\u{20000}'..='\u{3FFFD}') { 2 } else { 1 }).sum()
}

fn pad(text: &str, columns: usize) -> String {
    let mut res = String::new();
    let mut used = 0;
    let too_wide = width(text) > columns;
    for c in text.chars() {
        let w = width(c.encode_utf8(&mut [0; 4]));
        if used + w + usize::from(too_wide) > columns {
            break;
        }
        res.push(c);
        used += w;
    }
    if too_wide {
        res.push('…');
        used += 1;
    }
    res + &" ".repeat(columns.saturating_sub(used))
}

fn summary(view: View, migrated: &Migrated, out: &mut dyn Write) -> io::Result<()> {
    let View { mode, paint, .. } = view;
    let Migrated {
        totals, changed, ..
    } = migrated;
    let verb = if mode.writes() {
        "migrated"
    } else {
        "would be migrated"
    };
    writeln!(
        out,
        "{}",
        paint.strong(format!(
            "{} of {} plugins {verb}",
            totals.migrated, totals.plugins
        ))
    )?;
    let mut line = |n: usize, text: &str| {
        if n > 0 {
            writeln!(out, "  {n:>5}  {text}")
        } else {
            Ok(())
        }
    };
    line(totals.runnable, "runnable")?;
    line(totals.attention, "cannot run yet and need attention")?;
    line(
        totals.count(Status::Disabled),
        "switched off and skipped (--include-disabled migrates them)",
    )?;
    line(totals.count(Status::Rejected), "rejected")?;
    line(
        totals.count(Status::Conflict),
        "in conflict with existing files",
    )?;
    line(totals.count(Status::Merged), "merged with edits by hand")?;
    line(totals.count(Status::Failed), "failed")?;
    line(
        totals.count(Status::Stale),
        "stale: the plugin is gone (--prune removes them)",
    )?;
    line(totals.count(Status::Removed), "removed")?;
    let changes = [Status::Created, Status::Updated, Status::Unchanged];
    let changes: Vec<String> = changes
        .iter()
        .map(|status| format!("{} {}", totals.count(*status), status.word()))
        .collect();
    writeln!(out, "  skills: {}", changes.join(", "))?;
    warnings(view, totals, out)?;
    if mode.writes() && !changed {
        writeln!(out, "nothing had to be written")?;
    }
    Ok(())
}

/// Writes the number of warnings of each kind, unless they are shown one by one.
fn warnings(view: View, totals: &Totals, out: &mut dyn Write) -> io::Result<()> {
    let mut kinds: Vec<(usize, &str)> = totals
        .findings
        .iter()
        .filter(|((severity, _), _)| *severity == Severity::Warning)
        .map(|((_, code), n)| (*n, *code))
        .collect();
    if kinds.is_empty() || view.verbosity > 0 {
        return Ok(());
    }
    kinds.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
    let n_warnings: usize = kinds.iter().map(|(n, _)| n).sum();
    let kinds: Vec<String> = kinds
        .iter()
        .map(|(n, code)| format!("{n} {code}"))
        .collect();
    writeln!(
        out,
        "  warnings: {n_warnings} (-v shows them): {}",
        kinds.join(", ")
    )
}
