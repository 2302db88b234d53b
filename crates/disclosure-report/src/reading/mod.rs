//! The text of a skill, and the list of skills, for agents and programs.

mod block;
mod required;
mod text;

use serde_json::{Value, json};
use skill_diagnostics::Diagnostic;
use skill_loader::catalog::{Catalog, CatalogSkill};
use skill_loader::fs::shown;
use skill_loader::load::{LoadError, LoadReport, LoadedText};

pub use block::{TEMPLATE, fill};
pub use required::{json_with, written};
pub use text::{error, list, notes};

/// The version of the JSON form.
const SCHEMA: u32 = 1;

/// Returns one object for a text that was loaded.
pub fn json(skill: &CatalogSkill, loaded: &LoadedText) -> Value {
    json!({
        "schema": SCHEMA,
        "skill": skill_json(skill),
        "text": loaded.text,
        "report": report(&loaded.report),
        "sections": loaded.sections,
        "findings": loaded.findings.iter().map(finding).collect::<Vec<_>>(),
    })
}

fn skill_json(skill: &CatalogSkill) -> Value {
    json!({
        "name": skill.name,
        "description": skill.description,
        "source": skill.source.word(),
        "location": shown(&skill.place.location()).to_string(),
        "sha256": skill.digest.hex(),
        "version": Some(skill.version()).filter(|version| !version.is_empty()),
        "requires": skill.requires(),
    })
}

fn report(report: &LoadReport) -> Value {
    json!({
        "path": report.path,
        "sha256": report.sha256.hex(),
        "bytes_read": report.bytes_read,
        "total_bytes": report.total_bytes,
        "chars_returned": report.chars_returned,
        "lines": [report.lines.first, report.lines.last],
        "truncated": report.truncated,
        "strategy": report.strategy.word(),
        "section": report.section,
        "next_cursor": report.next_cursor,
        "storage_ref": report.storage_ref,
    })
}

fn finding(finding: &Diagnostic) -> Value {
    json!({
        "code": finding.code.0,
        "severity": finding.severity.word(),
        "message": finding.message,
        "file": finding.place.file,
        "help": finding.help,
    })
}

/// Returns one object for a text that cannot be loaded.
pub fn error_json(error: &LoadError) -> Value {
    json!({"schema": SCHEMA, "error": refusal(error)})
}

/// Returns one object with all skills and findings of a catalog.
pub fn list_json(catalog: &Catalog) -> Value {
    let skills: Vec<Value> = catalog.skills.values().map(|s| skill_json(s)).collect();
    let findings: Vec<Value> = catalog.findings.iter().map(finding).collect();
    let sha256 = catalog.digest().hex();
    json!({"schema": SCHEMA, "sha256": sha256, "skills": skills, "findings": findings})
}

/// Returns the message, with the reason of the operating system if there is one.
pub fn error_text(error: &LoadError) -> String {
    match error {
        LoadError::Io(inner) => format!("{inner}: {}", inner.source),
        _ => error.to_string(),
    }
}

/// Returns the answer to a request in the text protocol of existing agents.
pub fn answer_json(skill: &CatalogSkill, loaded: &LoadedText) -> Value {
    json!({
        "result": loaded.text,
        "skillName": skill.name,
        "skillDescription": skill.description,
        "skillLocation": shown(&skill.place.location()).to_string(),
        "contentLength": loaded.report.chars_returned,
    })
}

/// Returns the code, the message and the help of an error on one line.
pub fn error_sentence(error: &LoadError) -> String {
    let help = error.help().map(|help| format!("; {help}"));
    let help = help.unwrap_or_default();
    format!("{}: {}{help}", error.code(), error_text(error))
}

fn refusal(error: &LoadError) -> Value {
    let mut res = json!({
        "code": error.code().0,
        "message": error_text(error),
        "help": error.help(),
    });
    if let LoadError::SkillNotFound {
        nearest, available, ..
    } = error
    {
        res["nearest"] = json!(nearest);
        res["available"] = json!(available);
    }
    res
}
