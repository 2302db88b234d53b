//! An answer in the form that was asked for.

use std::io::{self, Write as _};

use serde_json::{Value, json};
use skill_diagnostics::Diagnostic;
use skill_loader::catalog::{Catalog, CatalogSkill};
use skill_loader::fs::shown;
use skill_loader::load::{LoadError, LoadReport, LoadedText};

use super::args::Format;
use super::block;
use super::settings::Settings;
use crate::output::Streams;

/// Version of the JSON form.
const SCHEMA: u32 = 1;

/// A text that was given.
pub(super) fn loaded(
    skill: &CatalogSkill,
    loaded: &LoadedText,
    settings: &Settings,
    streams: &mut Streams,
) -> io::Result<()> {
    match settings.format {
        Format::Json => return write_json(&whole(skill, loaded), streams),
        Format::Text => write!(streams.stdout, "{}", loaded.text)?,
        Format::Block => {
            let block = block::fill(&settings.template, skill, loaded);
            write!(streams.stdout, "{block}")?;
        }
    }
    if !loaded.text.ends_with('\n') {
        writeln!(streams.stdout)?;
    }
    for finding in &loaded.findings {
        complain(finding, streams)?;
        writeln!(streams.stderr, "sections: {}", loaded.sections.join(", "))?;
    }
    if let Some(cursor) = &loaded.report.next_cursor {
        let (n, strategy) = (loaded.report.chars_returned, loaded.report.strategy.word());
        writeln!(
            streams.stderr,
            "truncated: {n} characters ({strategy}); read on with --cursor {cursor}"
        )?;
    }
    if let Some(at) = &loaded.report.storage_ref {
        writeln!(streams.stderr, "kept: {at}")?;
    }
    Ok(())
}

fn complain(finding: &Diagnostic, streams: &mut Streams) -> io::Result<()> {
    writeln!(
        streams.stderr,
        "{}[{}]: {}",
        finding.severity.word(),
        finding.code,
        finding.message
    )?;
    match &finding.help {
        Some(help) => writeln!(streams.stderr, "  help: {help}"),
        None => Ok(()),
    }
}

/// A refusal: JSON on standard output, everything else on standard error.
pub(super) fn refused(
    error: &LoadError,
    settings: &Settings,
    streams: &mut Streams,
) -> io::Result<()> {
    if settings.format == Format::Json {
        return write_json(
            &json!({"schema": SCHEMA, "error": error_json(error)}),
            streams,
        );
    }
    writeln!(streams.stderr, "error[{}]: {}", error.code(), words(error))?;
    if let Some(help) = error.help() {
        writeln!(streams.stderr, "  help: {help}")?;
    }
    if let LoadError::SkillNotFound { available, .. } = error {
        writeln!(streams.stderr, "available: {}", available.join(", "))?;
    }
    Ok(())
}

/// The message with the system's reason.
pub(super) fn words(error: &LoadError) -> String {
    match error {
        LoadError::Io(inner) => format!("{inner}: {}", inner.source),
        _ => error.to_string(),
    }
}

fn error_json(error: &LoadError) -> Value {
    let mut res = json!({
        "code": error.code().0,
        "message": words(error),
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

fn whole(skill: &CatalogSkill, loaded: &LoadedText) -> Value {
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

/// All skills, and what was left out.
pub(super) fn list(
    catalog: &Catalog,
    settings: &Settings,
    streams: &mut Streams,
) -> io::Result<()> {
    if settings.format == Format::Json {
        let skills: Vec<Value> = catalog.skills.values().map(|s| skill_json(s)).collect();
        let findings: Vec<Value> = catalog.findings.iter().map(finding).collect();
        let sha256 = catalog.digest().hex();
        let all =
            json!({"schema": SCHEMA, "sha256": sha256, "skills": skills, "findings": findings});
        return write_json(&all, streams);
    }
    for skill in catalog.skills.values() {
        let description: String = one_line(&skill.description);
        writeln!(streams.stdout, "{}: {description}", skill.name)?;
    }
    for finding in &catalog.findings {
        if let Some(file) = &finding.place.file {
            write!(streams.stderr, "{file}: ")?;
        }
        complain(finding, streams)?;
    }
    Ok(())
}

fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").replace(char::is_control, "\u{fffd}")
}

pub(super) fn write_json(value: &Value, streams: &mut Streams) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut streams.stdout, value)?;
    writeln!(streams.stdout)
}
