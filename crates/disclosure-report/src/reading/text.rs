//! Texts for people.

use std::io::{self, Write};

use skill_diagnostics::Diagnostic;
use skill_loader::catalog::Catalog;
use skill_loader::load::{LoadError, LoadedText};

use super::error_text;

/// Writes findings about a text that was loaded, and what was left out of it.
pub fn notes(loaded: &LoadedText, err: &mut dyn Write) -> io::Result<()> {
    for one in &loaded.findings {
        finding(one, err)?;
        writeln!(err, "sections: {}", loaded.sections.join(", "))?;
    }
    if let Some(cursor) = &loaded.report.next_cursor {
        let (n, strategy) = (loaded.report.chars_returned, loaded.report.strategy.word());
        writeln!(
            err,
            "truncated: {n} characters ({strategy}); continue with --cursor {cursor}"
        )?;
    }
    if let Some(at) = &loaded.report.storage_ref {
        writeln!(err, "stored: {at}")?;
    }
    Ok(())
}

fn finding(finding: &Diagnostic, err: &mut dyn Write) -> io::Result<()> {
    let severity = finding.severity.word();
    writeln!(err, "{severity}[{}]: {}", finding.code, finding.message)?;
    match &finding.help {
        Some(help) => writeln!(err, "  help: {help}"),
        None => Ok(()),
    }
}

/// Writes the reason why a text was not loaded.
pub fn error(error: &LoadError, err: &mut dyn Write) -> io::Result<()> {
    writeln!(err, "error[{}]: {}", error.code(), error_text(error))?;
    if let Some(help) = error.help() {
        writeln!(err, "  help: {help}")?;
    }
    if let LoadError::SkillNotFound { available, .. } = error {
        writeln!(err, "available: {}", available.join(", "))?;
    }
    Ok(())
}

/// Writes the names and descriptions of all skills to `out`, and findings to `err`.
pub fn list(catalog: &Catalog, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<()> {
    for skill in catalog.skills.values() {
        writeln!(out, "{}: {}", skill.name, one_line(&skill.description))?;
    }
    for one in &catalog.findings {
        if let Some(file) = &one.place.file {
            write!(err, "{file}: ")?;
        }
        finding(one, err)?;
    }
    Ok(())
}

fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").replace(char::is_control, "\u{fffd}")
}
