//! The files of a planned skill, on their way to the disk.

use std::collections::BTreeMap;

use skill_diagnostics::Diagnostic;
use skill_loader::{
    Digest,
    fs::shown,
    store::{Staging, StoreError},
};
use skill_migrator::{CopiedFile, Migration};

use crate::{
    conflict::CONFLICT,
    context::Context,
    outcome::Outcome,
    plugin_files::PluginFiles,
    refusal::{Refusal, failed},
};

/// Returns every file of the planned skill with its digest.
pub(crate) fn desired_files(migration: &Migration) -> BTreeMap<String, String> {
    let generated = migration.generated.iter().map(|file| {
        (
            file.path.clone(),
            Digest::from_content(file.text.as_bytes()).to_string(),
        )
    });
    let copies = migration
        .copies
        .iter()
        .map(|copy| (copy.to.clone(), format!("sha256:{}", copy.sha256)));
    generated.chain(copies).collect()
}

/// Copies the skill on disk to the backup directory and adds a note.
pub(crate) fn back_up(
    context: &Context<'_>,
    name: &str,
    outcome: &mut Outcome,
) -> Result<(), Refusal> {
    let copy = context
        .store
        .backup(name, &context.options.backup)
        .map_err(|error| failed(&error))?;
    let message = format!(
        "the earlier directory of the skill `{name}` was backed up to {}",
        shown(&copy)
    );
    outcome.findings.push(Diagnostic::note(CONFLICT, message));
    Ok(())
}

/// Copies a file of the plugin to `path` in the staged skill.
pub(crate) fn stage_copy(
    staging: &mut Staging<'_>,
    collected: &PluginFiles,
    copy: &CopiedFile,
    path: &str,
    executable: bool,
) -> Result<(), StoreError> {
    if let Some(bytes) = collected.bytes.get(&copy.from) {
        return staging.write(path, bytes, executable);
    }
    let expected = Digest::parse(&format!("sha256:{}", copy.sha256));
    let from = &collected.root;
    staging
        .copy_from(from, &copy.from, path, executable, expected)
        .map(drop)
}
