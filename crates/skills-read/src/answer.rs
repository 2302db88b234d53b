//! An answer in the form that was asked for.

use std::io::{self, Write as _};

use disclosure_report::reading::{self, error_text};
use serde_json::Value;
use skill_diagnostics::Diagnostic;
use skill_loader::catalog::{Catalog, CatalogSkill};
use skill_loader::load::{LoadError, LoadedText};

use super::args::Format;
use super::settings::Settings;
use skills_cli::output::Streams;

/// A text that was given.
pub(super) fn loaded(
    skill: &CatalogSkill,
    loaded: &LoadedText,
    settings: &Settings,
    streams: &mut Streams,
) -> io::Result<()> {
    match settings.format {
        Format::Json => return write_json(&reading::json(skill, loaded), streams),
        Format::Text => write!(streams.stdout, "{}", loaded.text)?,
        Format::Block => {
            let block = reading::fill(&settings.template, skill, loaded);
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
        return write_json(&reading::error_json(error), streams);
    }
    writeln!(
        streams.stderr,
        "error[{}]: {}",
        error.code(),
        error_text(error)
    )?;
    if let Some(help) = error.help() {
        writeln!(streams.stderr, "  help: {help}")?;
    }
    if let LoadError::SkillNotFound { available, .. } = error {
        writeln!(streams.stderr, "available: {}", available.join(", "))?;
    }
    Ok(())
}

/// All skills, and what was left out.
pub(super) fn list(
    catalog: &Catalog,
    settings: &Settings,
    streams: &mut Streams,
) -> io::Result<()> {
    if settings.format == Format::Json {
        return write_json(&reading::list_json(catalog), streams);
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
