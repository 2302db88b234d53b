//! For people: each finding with its line, in the manner of `rustc`, and a last line that counts.

use std::io::{self, Write};

use skill_diagnostics::Severity;

use super::counted;
use crate::excerpt;
use crate::output::{Paint, visible};
use crate::validate::{Item, Report, Settings, Target};

/// Largest file of which lines are shown.
const MAX_BYTES: u64 = 4 << 20;

pub(super) fn write(
    settings: &Settings,
    target: &Target,
    report: &Report,
    paint: Paint,
    out: &mut dyn Write,
) -> io::Result<()> {
    let least = match settings.verbosity {
        ..=-1 => Severity::Error,
        0 => Severity::Warning,
        _ => Severity::Note,
    };
    let mut sources = Sources { target, last: None };
    for item in report
        .items
        .iter()
        .filter(|item| item.finding.severity >= least)
    {
        let source = sources.of(item);
        let mut finding = item.finding.clone();
        finding.place.file = Some(item.shown.clone());
        writeln!(out, "{}\n", excerpt::render(&finding, source, paint))?;
    }
    summary(report, paint, out)
}

/// The text of the file that was asked for last: findings come file by file.
struct Sources<'a> {
    target: &'a Target,
    last: Option<(String, Option<String>)>,
}

impl Sources<'_> {
    fn of(&mut self, item: &Item) -> Option<&str> {
        item.finding.place.span.as_ref()?;
        let file = item.finding.place.file.as_deref()?;
        if self.last.as_ref().is_none_or(|(last, _)| last != file) {
            let bytes = self.target.root.read(file, MAX_BYTES).ok();
            let text = bytes.map(|bytes| visible(&String::from_utf8_lossy(&bytes)));
            self.last = Some((file.to_owned(), text));
        }
        self.last.as_ref().and_then(|(_, text)| text.as_deref())
    }
}

fn summary(report: &Report, paint: Paint, out: &mut dyn Write) -> io::Result<()> {
    let totals = report.totals();
    let errors = counted(totals.errors, "error");
    let warnings = counted(totals.warnings, "warning");
    let notes = counted(totals.notes, "note");
    let known = if report.n_known > 0 {
        format!(", {} known", report.n_known)
    } else {
        String::new()
    };
    writeln!(
        out,
        "{} (profile {}): {}, {}, {notes}{known}",
        counted(report.skills.len(), "skill"),
        report.profile.name(),
        if totals.errors > 0 {
            paint.error(errors)
        } else {
            paint.good(errors)
        },
        if totals.warnings > 0 {
            paint.warning(warnings)
        } else {
            warnings
        },
    )
}
