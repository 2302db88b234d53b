//! Answers in the format of the settings.

use std::io::{self, Write as _};

use disclosure_report::reading;
use skill_loader::catalog::{Catalog, CatalogSkill, RequiredText};
use skill_loader::load::{LoadError, LoadedText};

use crate::args::Format;
use crate::settings::Settings;
use skills_cli::output::Streams;

/// Writes a text that was loaded. The report goes to standard error, unless the format is JSON.
pub(super) fn loaded(
    skill: &CatalogSkill,
    loaded: &LoadedText,
    required: &[RequiredText],
    settings: &Settings,
    streams: &mut Streams,
) -> io::Result<()> {
    if settings.format == Format::Json {
        return streams.write_json(&reading::json_with(skill, loaded, required));
    }
    let template = (settings.format == Format::Block).then_some(&*settings.template);
    let text = reading::written(skill, loaded, required, template);
    write!(streams.stdout, "{text}")?;
    reading::notes(skill, loaded, streams.language, &mut streams.stderr)
}

/// Writes the reason why a text was not loaded: JSON to standard output, text to standard error.
pub(super) fn error(
    error: &LoadError,
    settings: &Settings,
    streams: &mut Streams,
) -> io::Result<()> {
    if settings.format == Format::Json {
        return streams.write_json(&reading::error_json(error));
    }
    reading::error(error, streams.language, &mut streams.stderr)
}

/// Writes the list of all skills, and the findings about others.
pub(super) fn list(
    catalog: &Catalog,
    settings: &Settings,
    streams: &mut Streams,
) -> io::Result<()> {
    if settings.format == Format::Json {
        return streams.write_json(&reading::list_json(catalog));
    }
    let language = streams.language;
    reading::list(catalog, language, &mut streams.stdout, &mut streams.stderr)
}
