//! The report for people: diffs, findings, a table, a summary.

use std::io::{self, Write};

use skill_diagnostics::{Diagnostic, Severity};
use skill_pipeline::{Migrated, Outcome, Status, Totals};

use skill_language::say;
use skill_report::{Paint, excerpt, printable};
use skill_settings::text::import as import_text;

use crate::repeated::Repeated;
use crate::table;
use crate::view::View;

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
    if migrated.outcomes.is_empty() && migrated.totals.plugins == 0 {
        return Ok(());
    }
    table::write(view, &migrated.outcomes, out)?;
    summary(view, migrated, out)?;
    match &migrated.settings {
        Some(import) => write!(out, "{}", import_text(import, view.paint.language)),
        None => Ok(()),
    }
}

/// The most findings of one kind about the input as a whole, or about one plugin, that are written out; of more, the
/// first is, with the places of a few others. A marketplace can name hundreds of plugins that are elsewhere.
const MAX_OF_KIND: usize = 3;
/// The most errors that are.
const MAX_ERRORS: usize = 20;
/// The most places in the line about the others.
const MAX_PLACES: usize = 4;

/// Writes the findings about the input as a whole, such as directories that were not searched for plugins.
pub fn not_searched(view: View, findings: &[Diagnostic], err: &mut dyn Write) -> io::Result<()> {
    let shown = findings
        .iter()
        .filter(|finding| view.verbosity >= 0 || finding.severity == Severity::Error);
    let shown = shown.map(|finding| (finding, None));
    by_kind(view, shown, err)
}

/// Writes findings by their kinds: of many of one kind the first, and the places of others. Each comes with
/// a note, if there is one.
fn by_kind<'f>(
    view: View,
    findings: impl Iterator<Item = (&'f Diagnostic, Option<String>)>,
    err: &mut dyn Write,
) -> io::Result<()> {
    let mut kinds: Vec<Vec<(&Diagnostic, Option<String>)>> = Vec::new();
    for (finding, note) in findings {
        let is_same = |kind: &&mut Vec<(&Diagnostic, Option<String>)>| {
            kind[0].0.code == finding.code && kind[0].0.severity == finding.severity
        };
        match kinds.iter_mut().find(is_same) {
            Some(kind) => kind.push((finding, note)),
            None => kinds.push(vec![(finding, note)]),
        }
    }
    for kind in kinds {
        let (kind, notes): (Vec<&Diagnostic>, Vec<Option<String>>) = kind.into_iter().unzip();
        let n_whole = n_whole(&kind);
        for ((at, finding), note) in kind[..n_whole].iter().enumerate().zip(notes) {
            let mut text = excerpt(finding, None, view.paint);
            let is_last = at + 1 == n_whole && kind.len() > n_whole;
            let more = is_last.then(|| more_of_kind(view, &kind, n_whole));
            for note in note.into_iter().chain(more) {
                text = format!("{}\n = {}: {note}", text.trim_end(), view.paint.say("note"));
            }
            writeln!(err, "{text}\n")?;
        }
    }
    Ok(())
}

/// Returns the number of findings of a kind that are written out.
fn n_whole(kind: &[&Diagnostic]) -> usize {
    let is_error = kind[0].severity == Severity::Error;
    let n_most = if is_error { MAX_ERRORS } else { MAX_OF_KIND };
    match kind.len() {
        n if n <= n_most => n,
        _ if is_error => n_most,
        _ => 1,
    }
}

/// Returns the note about the findings of a kind behind those that are written out.
fn more_of_kind(view: View, kind: &[&Diagnostic], n_whole: usize) -> String {
    let n_more = kind.len() - n_whole;
    let places = places(kind, n_whole);
    if places.is_empty() {
        say!(
            view.paint,
            "{n_more} more findings of this kind; --report FILE lists all of them"
        )
    } else {
        say!(
            view.paint,
            "{n_more} more findings of this kind: {places}; --report FILE lists all of them"
        )
    }
}

/// Returns the first places of findings of one kind behind those that are written out: their files or, if all
/// are in one, what their messages name. Empty if neither is known.
fn places(findings: &[&Diagnostic], n_whole: usize) -> String {
    let files = findings.iter().map(|it| it.place.file.as_deref());
    let files: Vec<&str> = files.map(Option::unwrap_or_default).collect();
    let is_one = files.iter().all(|file| *file == files[0]);
    let named = findings.iter().map(|it| {
        let mut parts = it.message.split('`');
        parts.nth(1).unwrap_or_default()
    });
    let all: Vec<&str> = if is_one { named.collect() } else { files };
    let all = &all[n_whole..];
    let first = all.iter().filter(|place| !place.is_empty());
    let first: Vec<String> = first
        .take(MAX_PLACES)
        .map(|place| format!("`{}`", printable(place)))
        .collect();
    if first.is_empty() {
        return String::new();
    }
    let end = if all.len() > first.len() { ", …" } else { "" };
    first.join(", ") + end
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
    errors_as(outcome, Paint::NONE)
}

/// Does what [`errors`] does, with this look.
pub(crate) fn errors_as(outcome: &Outcome, paint: Paint) -> impl Iterator<Item = String> {
    outcome.errors.iter().map(move |finding| {
        let is_of_manifest = finding
            .place
            .file
            .as_deref()
            .is_some_and(|file| file.ends_with(".json") || file.ends_with(".block"));
        let source = outcome.manifest.as_deref();
        let source = source.filter(|_| is_of_manifest && finding.code.0 != "secret-found");
        excerpt(finding, source, paint)
    })
}

/// Writes errors always, warnings with -v and notes with -vv. What several parts of a package share is
/// written once.
fn findings(view: View, outcomes: &[Outcome], err: &mut dyn Write) -> io::Result<()> {
    let all = outcomes.iter().flat_map(|outcome| {
        let findings = outcome.findings.iter();
        findings.map(|finding| (outcome.directory.as_str(), finding))
    });
    let mut repeated = Repeated::count(all);
    for outcome in outcomes {
        for error in errors_as(outcome, view.paint.without_colors()) {
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
        let mut own = Vec::new();
        for finding in shown {
            let Some(n_more) = repeated.take(&outcome.directory, finding) else {
                continue;
            };
            let mut finding = finding.clone();
            finding
                .place
                .file
                .get_or_insert_with(|| outcome.directory.clone());
            let note = (n_more > 0).then(|| {
                say!(
                    view.paint,
                    "the same in {n_more} more parts of the package; --format json names them"
                )
            });
            own.push((finding, note));
        }
        let own = own.iter().map(|(finding, note)| (finding, note.clone()));
        by_kind(view, own, err)?;
    }
    Ok(())
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
        paint.strong(say!(
            paint,
            "{} of {} plugins {verb}",
            totals.migrated,
            totals.plugins
        ))
    )?;
    let mut line = |n: usize, text: &str| {
        if n > 0 {
            writeln!(out, "  {n:>5}  {}", paint.say(text))
        } else {
            Ok(())
        }
    };
    line(totals.runnable, "runnable")?;
    line(totals.attention, "cannot run yet and need attention")?;
    line(
        totals.hosted,
        "parts of a host, which agents cannot use, in .host (--hosted keep puts them among the skills)",
    )?;
    line(
        totals.count(Status::HostPart),
        "parts of a host, which agents cannot use, not migrated (--hosted separate keeps them apart)",
    )?;
    line(
        totals.count(Status::Nothing),
        "nothing to migrate: only hooks, language servers or other parts of a host (-v lists them)",
    )?;
    line(
        totals.count(Status::Disabled),
        "switched off and skipped (--include-disabled migrates them)",
    )?;
    line(totals.count(Status::Rejected), "rejected")?;
    line(
        totals.count(Status::Conflict),
        "in conflict with existing files",
    )?;
    let merged = if mode.writes() {
        "merged with edits by hand"
    } else {
        "would be merged with edits by hand"
    };
    line(totals.count(Status::Merged), merged)?;
    line(totals.count(Status::Failed), "failed")?;
    line(
        totals.count(Status::Stale),
        "stale: the plugin is gone (--prune removes them)",
    )?;
    let removed = if mode.writes() {
        "removed"
    } else {
        "would be removed"
    };
    line(totals.count(Status::Removed), removed)?;
    let changes = [Status::Created, Status::Updated, Status::Unchanged];
    let [created, updated, unchanged] = changes.map(|status| totals.count(status));
    let skills = if mode.writes() {
        say!(
            paint,
            "skills: {created} created, {updated} updated, {unchanged} unchanged"
        )
    } else {
        say!(
            paint,
            "skills: {created} to create, {updated} to update, {unchanged} unchanged"
        )
    };
    writeln!(out, "  {skills}")?;
    warnings(view, totals, out)?;
    if mode.writes() && !changed {
        writeln!(out, "{}", paint.say("nothing had to be written"))?;
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
    let text = say!(
        view.paint,
        "warnings: {n_warnings} (-v shows them): {}",
        kinds.join(", ")
    );
    writeln!(out, "  {text}")
}

#[cfg(test)]
mod tests {
    use skill_diagnostics::Code;

    use super::*;
    use skill_pipeline::Mode;

    fn shown(findings: &[Diagnostic]) -> String {
        let view = View {
            mode: Mode::default(),
            verbosity: 0,
            paint: Paint::NONE,
            width: None,
        };
        let mut text = Vec::new();
        not_searched(view, findings, &mut text).expect("a buffer takes all");
        String::from_utf8(text).expect("the text is UTF-8")
    }

    #[test]
    fn many_findings_of_a_kind_are_one_with_a_count() {
        let deep =
            |n: usize| Diagnostic::warning(Code("deep"), "too deep").in_file(format!("d/{n}"));
        let gone = |n: usize| {
            Diagnostic::warning(Code("gone"), format!("the plugin `p{n}` is gone"))
                .in_file("m.json")
        };
        let mut all: Vec<Diagnostic> = (0..45).map(deep).collect();
        all.extend((0..5).map(gone));
        all.extend((0..3).map(|n| Diagnostic::note(Code("few"), format!("note {n}"))));
        let text = shown(&all);
        assert!(
            text.contains("44 more findings of this kind: `d/1`, `d/2`, `d/3`, `d/4`, …;"),
            "{text}"
        );
        assert!(
            text.contains("4 more findings of this kind: `p1`, `p2`, `p3`, `p4`;"),
            "{text}"
        );
        let nameless = |n: usize| Diagnostic::note(Code("none"), format!("none {n}"));
        let nameless: Vec<Diagnostic> = (0..5).map(nameless).collect();
        let without = shown(&nameless);
        assert!(
            without.contains("4 more findings of this kind; --report FILE lists all of them"),
            "{without}"
        );
        assert_eq!(text.matches("warning[").count(), 2, "{text}");
        assert_eq!(text.matches("note[few]").count(), 3, "{text}");
    }

    #[test]
    fn many_findings_of_a_kind_about_a_skill_are_one() {
        let missing = |n: usize| {
            let message = format!("the text uses `s/{n}.sh`, which the package does not have");
            Diagnostic::warning(Code("file-missing"), message).in_file("p/a.md")
        };
        let outcome = Outcome {
            directory: "p#skill/a".to_owned(),
            plugin: None,
            skill: None,
            status: Status::Created,
            executor: None,
            runnable: None,
            is_hosted: false,
            blocker: None,
            findings: (0..28).map(missing).collect(),
            errors: Vec::new(),
            manifest: None,
            diff: String::new(),
            changes: Vec::new(),
            account: None,
        };
        let view = View {
            mode: Mode::default(),
            verbosity: 1,
            paint: Paint::NONE,
            width: None,
        };
        let mut text = Vec::new();
        findings(view, &[outcome], &mut text).expect("a buffer takes all");
        let text = String::from_utf8(text).expect("the text is UTF-8");
        assert_eq!(text.matches("warning[file-missing]").count(), 1, "{text}");
        assert!(
            text.contains("27 more findings of this kind: `s/1.sh`, `s/2.sh`,"),
            "{text}"
        );
    }

    #[test]
    fn errors_are_written_out() {
        let errors: Vec<Diagnostic> = (0..21)
            .map(|n| Diagnostic::error(Code("e"), "broken").in_file(format!("{n}")))
            .collect();
        let text = shown(&errors);
        assert_eq!(text.matches("error[e]").count(), MAX_ERRORS, "{text}");
        assert!(
            text.contains("1 more findings of this kind: `20`;"),
            "{text}"
        );
    }
}
