//! Annotations of GitHub Actions
//! (<https://docs.github.com/actions/reference/workflow-commands-for-github-actions>).

use std::io::{self, Write};

use skill_diagnostics::Severity;

use super::counted;
use super::{Item, Report};

/// Writes the report in this format.
pub fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    for item in &report.items {
        writeln!(out, "{}", annotation(item))?;
    }
    let totals = report.totals();
    writeln!(
        out,
        "{} (profile {}): {}, {}, {}",
        counted(report.skills.len(), "skill"),
        report.profile.name(),
        counted(totals.errors, "error"),
        counted(totals.warnings, "warning"),
        counted(totals.notes, "note"),
    )
}

fn annotation(item: &Item) -> String {
    let finding = &item.finding;
    let command = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let place = finding
        .place
        .span
        .as_ref()
        .map_or_else(String::new, |span| {
            format!(",line={},col={}", span.position.line, span.position.column)
        });
    let message = match &finding.help {
        Some(help) => format!("{}\n{help}", finding.message),
        None => finding.message.clone(),
    };
    format!(
        "::{command} file={}{place},title={}::{}",
        property(&item.user_path),
        property(finding.code.0),
        data(&message)
    )
}

fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_cannot_be_forged() {
        assert_eq!(data("a%\n::error::x"), "a%25%0A::error::x");
        assert_eq!(property("a:b,c"), "a%3Ab%2Cc");
    }
}
