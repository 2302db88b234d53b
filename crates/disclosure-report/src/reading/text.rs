//! Texts for people.

use std::io::{self, Write};

use skill_diagnostics::Diagnostic;
use skill_language::{Language, say};
use skill_loader::catalog::{Catalog, CatalogSkill, metadata_unusable};
use skill_loader::load::{LoadError, LoadedText};

use super::error_text;

/// Writes findings about a skill and about a text of it that was loaded, and what was left out of the text.
pub fn notes(
    skill: &CatalogSkill,
    loaded: &LoadedText,
    language: Language,
    err: &mut dyn Write,
) -> io::Result<()> {
    if let Some(flaw) = &skill.metadata_flaw {
        finding(&metadata_unusable(flaw), language, err)?;
    }
    for one in &loaded.findings {
        finding(one, language, err)?;
        let sections = loaded.sections.join(", ");
        writeln!(err, "{}", say!(language, "sections: {sections}"))?;
    }
    if let Some(cursor) = &loaded.report.next_cursor {
        let (n, strategy) = (loaded.report.chars_returned, loaded.report.strategy.word());
        let text = say!(
            language,
            "truncated: {n} characters ({strategy}); continue with --cursor {cursor}"
        );
        writeln!(err, "{text}")?;
    }
    if let Some(at) = &loaded.report.storage_ref {
        writeln!(err, "{}", say!(language, "stored: {at}"))?;
    }
    Ok(())
}

fn finding(finding: &Diagnostic, language: Language, err: &mut dyn Write) -> io::Result<()> {
    let severity = language.say(finding.severity.word());
    let message = language.say(&finding.message);
    let colon = language.say(": ");
    writeln!(err, "{severity}[{}]{colon}{message}", finding.code)?;
    match &finding.help {
        Some(help) => writeln!(err, "  {}", say!(language, "help: {help}")),
        None => Ok(()),
    }
}

/// Writes the reason why a text was not loaded.
pub fn error(error: &LoadError, language: Language, err: &mut dyn Write) -> io::Result<()> {
    let (label, colon) = (language.say("error"), language.say(": "));
    let message = say!(language, "{}", error_text(error));
    writeln!(err, "{label}[{}]{colon}{message}", error.code())?;
    if let Some(help) = error.help() {
        writeln!(err, "  {}", say!(language, "help: {help}"))?;
    }
    if let LoadError::SkillNotFound { available, .. } = error {
        let available = available.join(", ");
        writeln!(err, "{}", say!(language, "available: {available}"))?;
    }
    Ok(())
}

/// Writes the names and descriptions of all skills to `out`, and findings to `err`.
pub fn list(
    catalog: &Catalog,
    language: Language,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<()> {
    for skill in catalog.skills.values() {
        writeln!(out, "{}: {}", skill.name, one_line(&skill.description))?;
    }
    for one in &catalog.findings {
        if let Some(file) = &one.place.file {
            write!(err, "{file}: ")?;
        }
        finding(one, language, err)?;
    }
    Ok(())
}

fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").replace(char::is_control, "\u{fffd}")
}
