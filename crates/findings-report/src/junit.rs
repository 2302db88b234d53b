//! `JUnit` XML: a test case for each skill, with one failure for all of its errors, and with warnings
//! and notes as its output.

use std::collections::BTreeMap;
use std::io::{self, Write};

use skill_diagnostics::Severity;
use skill_report::xml;

use super::{Item, Report};

/// Writes the report in this format.
pub fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let mut by_skill: BTreeMap<&str, Vec<&Item>> = BTreeMap::new();
    for (path, _) in &report.skills {
        by_skill.insert(path, Vec::new());
    }
    for item in &report.items {
        let file = item.finding.place.file.as_deref().unwrap_or_default();
        by_skill
            .entry(report.skill_of(file).unwrap_or("(all)"))
            .or_default()
            .push(item);
    }
    let is_failed = |items: &Vec<&Item>| {
        items
            .iter()
            .any(|item| item.finding.severity == Severity::Error)
    };
    let n_failed = by_skill.values().filter(|items| is_failed(items)).count();
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(
        out,
        "<testsuites name=\"skills-validate\" tests=\"{0}\" failures=\"{n_failed}\">\n  \
         <testsuite name=\"{1}\" tests=\"{0}\" failures=\"{n_failed}\" errors=\"0\" skipped=\"0\">",
        by_skill.len(),
        report.profile.name(),
    )?;
    for (path, items) in &by_skill {
        case(path, items, out)?;
    }
    writeln!(out, "  </testsuite>\n</testsuites>")
}

fn case(path: &str, items: &[&Item], out: &mut dyn Write) -> io::Result<()> {
    let name = if path.is_empty() { "." } else { path };
    write!(
        out,
        "    <testcase classname=\"skills\" name=\"{}\"",
        xml(name)
    )?;
    if items.is_empty() {
        return writeln!(out, "/>");
    }
    writeln!(out, ">")?;
    let (errors, others): (Vec<&Item>, Vec<&Item>) = items
        .iter()
        .partition(|item| item.finding.severity == Severity::Error);
    if let Some(first) = errors.first() {
        let message = xml(&first.finding.message);
        writeln!(
            out,
            "      <failure type=\"{}\" message=\"{message}\">{}</failure>",
            first.finding.code,
            lines(&errors)
        )?;
    }
    if !others.is_empty() {
        writeln!(out, "      <system-out>{}</system-out>", lines(&others))?;
    }
    writeln!(out, "    </testcase>")
}

fn lines(items: &[&Item]) -> String {
    let lines = items.iter().map(|item| {
        let finding = &item.finding;
        let place = finding
            .place
            .span
            .as_ref()
            .map_or_else(String::new, |span| {
                format!(":{}:{}", span.position.line, span.position.column)
            });
        let line = format!(
            "{}{place}: {} [{}]: {}",
            item.user_path,
            finding.severity.word(),
            finding.code,
            finding.message
        );
        xml(&line)
    });
    lines.collect::<Vec<_>>().join("\n")
}
