//! The text that the settings select.

use skill_loader::catalog::{Catalog, CatalogSkill, RequiredText};
use skill_loader::load::{LoadError, LoadedText, codes, load_resource, load_skill_body};

use crate::settings::Settings;
use skills_cli::ExitStatus;

/// Returns a skill, its instructions, its prompt or the resource of the settings, and what it requires.
pub(super) fn load<'c>(
    catalog: &'c Catalog,
    settings: &Settings,
    name: &str,
) -> Result<(&'c CatalogSkill, LoadedText, Vec<RequiredText>), LoadError> {
    let skill = catalog.find_named(name)?;
    let (selection, limits) = (&settings.selection, &settings.limits);
    let loaded = match (&settings.resource, &settings.arguments) {
        (_, Some(typed)) => skill.prompt(limits)?.sent_in(typed, ".".as_ref())?,
        (Some(path), None) => load_resource(&skill.place, path, selection, limits)?,
        (None, None) => load_skill_body(&skill.place, selection, limits)?,
    };
    let returned = loaded.report.chars_returned;
    let room = limits.body_chars.saturating_sub(returned);
    let required = settings
        .with_required
        .then(|| catalog.read_required(skill, limits, room));
    Ok((skill, loaded, required.transpose()?.unwrap_or_default()))
}

/// Returns the exit status of an error: 2 for errors of the operating system, otherwise 1.
pub(super) fn status(error: &LoadError) -> ExitStatus {
    if error.code() == codes::IO {
        ExitStatus::CouldNotRun
    } else {
        ExitStatus::Findings
    }
}
