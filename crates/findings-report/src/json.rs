//! Findings for programs: one object. `version` changes when a key is removed or changes its meaning.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::{Item, Report};

/// The version of the form.
const VERSION: u32 = 1;

/// Writes the report in this format.
pub fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let totals = report.totals();
    let skills: Vec<Value> = report
        .skills
        .iter()
        .map(|(path, name)| json!({ "path": path, "name": name }))
        .collect();
    let findings: Vec<Value> = report.items.iter().map(finding).collect();
    let report = json!({
        "version": VERSION,
        "tool": { "name": "skills-validate", "version": env!("CARGO_PKG_VERSION") },
        "profile": report.profile.name(),
        "totals": {
            "skills": skills.len(),
            "errors": totals.errors,
            "warnings": totals.warnings,
            "notes": totals.notes,
            "known": report.n_known,
        },
        "skills": skills,
        "findings": findings,
    });
    serde_json::to_writer_pretty(&mut *out, &report)?;
    writeln!(out)
}

fn finding(item: &Item) -> Value {
    let finding = &item.finding;
    let mut res = json!({
        "code": finding.code.0,
        "severity": finding.severity.word(),
        "message": finding.message,
        "file": item.user_path,
        "fingerprint": item.fingerprint,
    });
    if let Some(span) = &finding.place.span {
        res["line"] = span.position.line.into();
        res["column"] = span.position.column.into();
        res["start"] = span.start.into();
        res["end"] = span.end.into();
    }
    if let Some(pointer) = &finding.place.pointer {
        res["pointer"] = pointer.as_str().into();
    }
    if let Some(help) = &finding.help {
        res["help"] = help.as_str().into();
    }
    res
}
