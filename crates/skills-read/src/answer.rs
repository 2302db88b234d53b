//! Answers in the format of the settings.

use std::io::{self, Write as _};

use disclosure_report::reading;
use serde_json::Value;
use skill_loader::catalog::{Catalog, CatalogSkill};
use skill_loader::load::{LoadError, LoadedText};

use crate::args::Format;
use crate::settings::Settings;
use skills_cli::output::Streams;

/// Writes a text that was loaded. The report goes to standard error, unless the format is JSON.
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
    reading::notes(loaded, &mut streams.stderr)
}

/// Writes the reason why a text was not loaded: JSON to standard output, text to standard error.
pub(super) fn error(
    error: &LoadError,
    settings: &Settings,
    streams: &mut Streams,
) -> io::Result<()> {
    if settings.format == Format::Json {
        return write_json(&reading::error_json(error), streams);
    }
    reading::error(error, &mut streams.stderr)
}

/// Writes the list of all skills, and the findings about others.
pub(super) fn list(
    catalog: &Catalog,
    settings: &Settings,
    streams: &mut Streams,
) -> io::Result<()> {
    if settings.format == Format::Json {
        return write_json(&reading::list_json(catalog), streams);
    }
    reading::list(catalog, &mut streams.stdout, &mut streams.stderr)
}

pub(super) fn write_json(value: &Value, streams: &mut Streams) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut streams.stdout, value)?;
    writeln!(streams.stdout)
}
