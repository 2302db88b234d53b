//! Findings for people: each with its line, in the manner of `rustc`, and a last line with totals.

use std::fmt;
use std::io::{self, Write};

use skill_diagnostics::Severity;

use super::counted;
use super::{Item, Report};
use skill_language::say;
use skill_report::{Paint, excerpt, visible};

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
    for item in report
        .items
        .iter()
        .filter(|item| item.finding.severity >= least)
    {
        let source = sources.text(item);
        let mut finding = item.finding.clone();
        finding.place.file = Some(item.user_path.clone());
        writeln!(out, "{}\n", excerpt(&finding, source, view.paint))?;
    }
    summary(report, view.paint, out)
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
