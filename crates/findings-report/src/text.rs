//! Findings for people: each with its line, in the manner of `rustc`, and a last line with totals.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Write};

use skill_diagnostics::Severity;

use super::counted;
use super::{Item, Report};
use skill_language::say;
use skill_report::{Paint, excerpt, visible};

/// The maximum number of findings of a skill that differ only in their files and are all shown.
const MAX_ALIKE: usize = 3;

/// Settings of the text format.
#[derive(Clone, Copy)]
pub struct View<'v> {
    /// −1 for errors only, 0 for warnings too, 1 for notes too.
    pub verbosity: i8,
    /// The colours.
    pub paint: Paint,
    /// Reads a file that a finding names; `None` if it cannot be shown.
    pub read: &'v dyn Fn(&str) -> Option<Vec<u8>>,
}

impl fmt::Debug for View<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("View")
            .field("verbosity", &self.verbosity)
            .field("paint", &self.paint)
            .finish_non_exhaustive()
    }
}

/// Writes the report in this format.
pub fn write(view: &View<'_>, report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let least = match view.verbosity {
        ..=-1 => Severity::Error,
        0 => Severity::Warning,
        _ => Severity::Note,
    };
    let mut sources = Sources {
        read: view.read,
        last: None,
    };
    let mut alike = if view.verbosity > 0 {
        BTreeMap::new()
    } else {
        alike(report)
    };
    for item in report
        .items
        .iter()
        .filter(|item| item.finding.severity >= least)
    {
        let n_more = match alike.get_mut(&kind(report, item)) {
            None => 0,
            Some(0) => continue,
            Some(n) => std::mem::take(n) - 1,
        };
        let source = sources.text(item);
        let mut finding = item.finding.clone();
        finding.place.file = Some(item.user_path.clone());
        writeln!(out, "{}", excerpt(&finding, source, view.paint))?;
        if n_more > 0 {
            let note = view.paint.say("note");
            let more = say!(
                view.paint,
                "the same in {n_more} more files of the skill; -v names them"
            );
            writeln!(out, " = {note}: {more}")?;
        }
        writeln!(out)?;
    }
    summary(report, view.paint, out)
}

/// The skill, the code and the message of a finding about a whole file; `None` for other findings.
type Kind<'r> = Option<(&'r str, &'r str, &'r str)>;

fn kind<'r>(report: &'r Report, item: &'r Item) -> Kind<'r> {
    let finding = &item.finding;
    let file = finding.place.file.as_deref()?;
    let mut above = file.rmatch_indices('/').map(|(at, _)| &file[..at]);
    let is_skill = |path: &&str| {
        let found = report
            .skills
            .binary_search_by(|(skill, _)| (**skill).cmp(path));
        found.is_ok()
    };
    let skill = above.find(is_skill);
    let is_whole = finding.place.span.is_none();
    is_whole.then(|| (skill.unwrap_or_default(), finding.code.0, &*finding.message))
}

/// Returns the kinds with more than [`MAX_ALIKE`] findings, and how many each has.
fn alike(report: &Report) -> BTreeMap<Kind<'_>, usize> {
    let mut res = BTreeMap::new();
    for kind in report.items.iter().map(|item| kind(report, item)) {
        if kind.is_some() {
            *res.entry(kind).or_insert(0) += 1;
        }
    }
    res.retain(|_, n| *n > MAX_ALIKE);
    res
}

/// The text of the last file: findings are sorted by file.
struct Sources<'a> {
    read: &'a dyn Fn(&str) -> Option<Vec<u8>>,
    last: Option<(String, Option<String>)>,
}

impl Sources<'_> {
    fn text(&mut self, item: &Item) -> Option<&str> {
        item.finding.place.span.as_ref()?;
        let file = item.finding.place.file.as_deref()?;
        if self.last.as_ref().is_none_or(|(last, _)| last != file) {
            let bytes = (self.read)(file);
            let text = bytes.map(|bytes| visible(&String::from_utf8_lossy(&bytes)));
            self.last = Some((file.to_owned(), text));
        }
        self.last.as_ref().and_then(|(_, text)| text.as_deref())
    }
}

fn summary(report: &Report, paint: Paint, out: &mut dyn Write) -> io::Result<()> {
    let totals = report.totals();
    let count = |n, what| paint.say(&counted(n, what)).into_owned();
    let [errors, warnings, notes] = [
        count(totals.errors, "error"),
        count(totals.warnings, "warning"),
        count(totals.notes, "note"),
    ];
    let known = if report.n_known > 0 {
        say!(paint, ", {} known", report.n_known)
    } else {
        String::new()
    };
    let errors = if totals.errors > 0 {
        paint.error(errors)
    } else {
        paint.good(errors)
    };
    let warnings = if totals.warnings > 0 {
        paint.warning(warnings)
    } else {
        warnings
    };
    let skills = count(report.skills.len(), "skill");
    let profile = report.profile.name();
    let line = say!(
        paint,
        "{skills} (profile {profile}): {errors}, {warnings}, {notes}{known}"
    );
    writeln!(out, "{line}")
}

#[cfg(test)]
mod tests {
    use skill_diagnostics::{Code, Diagnostic};
    use skill_validator::Profile;

    use super::*;

    /// Checks the lines about files `0` to `n` of the skill `a`, and of one file of the skill `ab`.
    #[track_caller]
    fn check(n: usize, verbosity: i8, expected: &[&str]) {
        let finding = |path: String| {
            let message = "a program, expected a text";
            Diagnostic::new(Severity::Warning, Code("x"), message).in_file(path)
        };
        let files = (0..n).map(|i| format!("a/{i}"));
        let findings = files.chain(["ab/0".to_owned()]).map(finding).collect();
        let skills = ["a", "ab"].map(|name| (name.to_owned(), name.to_owned()));
        let report = Report::new(Profile::Spec, "", skills.to_vec(), findings);
        let view = View {
            verbosity,
            paint: Paint::NONE,
            read: &|_| None,
        };
        let mut out = Vec::new();
        write(&view, &report, &mut out).expect("memory can be written");
        let text = String::from_utf8(out).expect("text");
        let lines = text.lines().filter(|line| line.starts_with(' '));
        assert_eq!(lines.collect::<Vec<_>>(), expected);
        assert!(text.contains(&format!("{} warnings", n + 1)), "{text}");
    }

    #[test]
    fn findings_that_differ_in_their_files_only_are_counted() {
        check(
            4,
            0,
            &[
                " --> a/0",
                " = note: the same in 3 more files of the skill; -v names them",
                " --> ab/0",
            ],
        );
        check(3, 0, &[" --> a/0", " --> a/1", " --> a/2", " --> ab/0"]);
        check(
            4,
            1,
            &[" --> a/0", " --> a/1", " --> a/2", " --> a/3", " --> ab/0"],
        );
    }
}
