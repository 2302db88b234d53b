//! The three sides of a merge, with the texts of files that have lines.

use std::collections::BTreeMap;

use skill_diagnostics::Diagnostic;
use skill_loader::{
    Digest,
    fs::{Kind, Root, WalkLimits},
    store::{Store, StoreError},
};
use skill_migrator::Migration;
use skill_model::{LockedSkill, skill_file};

use super::tree::{File, Tree};
use crate::{
    conflict::CONFLICT,
    outcome::Status,
    plugin_files::PluginFiles,
    refusal::{Refusal, failed},
    stray::is_stray,
};

/// The size limit of a text, in bytes. Larger files have no lines: either side may change them, but
/// not both.
const MAX_TEXT_BYTES: u64 = 1 << 20;

/// A tree that owns its texts.
#[derive(Debug, Default)]
pub(crate) struct OwnedTree(BTreeMap<String, OwnedFile>);

/// A file of an [`OwnedTree`].
#[derive(Debug)]
pub(crate) struct OwnedFile {
    pub(crate) digest: String,
    text: Option<String>,
    pub(crate) executable: bool,
    /// True if the file on disk has another text or name.
    is_rewritten: bool,
}

impl OwnedTree {
    /// Returns the tree that is merged.
    pub(crate) fn tree(&self) -> Tree<'_> {
        let files = self.0.iter();
        files
            .map(|(path, file)| {
                let file = File {
                    digest: &file.digest,
                    text: file.text.as_deref(),
                };
                (path.as_str(), file)
            })
            .collect()
    }

    pub(crate) fn get(&self, path: &str) -> Option<&OwnedFile> {
        self.0.get(path)
    }

    pub(crate) fn text(&self, path: &str) -> Option<&str> {
        self.0.get(path)?.text.as_deref()
    }

    /// Replaces the text of a file.
    pub(crate) fn set_text(&mut self, path: &str, text: String) {
        if let Some(file) = self.0.get_mut(path) {
            file.digest = Digest::from_content(text.as_bytes()).to_string();
            file.text = Some(text);
            file.is_rewritten = true;
        }
    }

    /// Gives the instructions the name `file`, if they have the one of a skill in the other place.
    pub(crate) fn name_instructions(&mut self, file: &str) {
        if self.0.contains_key(file) {
            return;
        }
        let mut names = [false, true].map(skill_file).into_iter();
        if let Some(mut known) = names.find_map(|name| self.0.remove(name)) {
            known.is_rewritten = true;
            self.0.insert(file.to_owned(), known);
        }
    }

    /// Returns true if a file was replaced or renamed since it was read from the disk.
    pub(crate) fn is_rewritten(&self) -> bool {
        self.0.values().any(|file| file.is_rewritten)
    }
}

/// Returns the bytes as a text that can be merged line by line.
fn as_text(bytes: &[u8]) -> Option<&str> {
    let is_short = bytes.len() as u64 <= MAX_TEXT_BYTES;
    std::str::from_utf8(bytes)
        .ok()
        .filter(|text| is_short && !text.contains('\0'))
}

/// Returns the earlier output of the plugin.
pub(crate) fn base(
    store: &Store,
    name: &str,
    locked: &LockedSkill,
) -> Result<OwnedTree, StoreError> {
    let mut texts = store.base(name, locked.made())?;
    let files = locked.made().iter().map(|(path, digest)| {
        let bytes = texts.remove(path);
        let file = OwnedFile {
            digest: digest.clone(),
            text: bytes.as_deref().and_then(as_text).map(str::to_owned),
            executable: false,
            is_rewritten: false,
        };
        (path.clone(), file)
    });
    Ok(OwnedTree(files.collect()))
}

/// Reads the skill on disk, without stray files and empty directories. Anything but files cannot be
/// merged.
pub(crate) fn ours(skill: &Root, name: &str) -> Result<OwnedTree, Refusal> {
    let limits = WalkLimits {
        depth: usize::MAX,
        entries: usize::MAX,
    };
    let listing = skill
        .walk("", &limits, &|_| false)
        .map_err(|error| failed(&error.into()))?;
    let mut acc = BTreeMap::new();
    let mut strange: Vec<Diagnostic> = listing
        .notes
        .iter()
        .map(|note| unmergeable(name, &note.path, "a name that is not UTF-8"))
        .collect();
    for entry in &listing.entries {
        match entry.kind {
            Kind::Dir => {}
            _ if is_stray(&entry.path) => {}
            Kind::File(info) => {
                let file = read(skill, &entry.path, info.size, info.executable)?;
                acc.insert(entry.path.clone(), file);
            }
            kind => strange.push(unmergeable(name, &entry.path, &kind.to_string())),
        }
    }
    if strange.is_empty() {
        Ok(OwnedTree(acc))
    } else {
        Err((Status::Conflict, strange))
    }
}

fn unmergeable(name: &str, path: &str, what: &str) -> Diagnostic {
    let message = format!(
        "the skill `{name}` was edited and cannot be merged: `{}` is {what}",
        path.escape_debug()
    );
    Diagnostic::error(CONFLICT, message)
        .in_file(format!("{name}/{path}"))
        .with_help(
            "it stays as it is; remove the entry, or --force replaces the skill after a backup",
        )
}

fn read(skill: &Root, path: &str, size: u64, executable: bool) -> Result<OwnedFile, Refusal> {
    let fail = |error: skill_loader::fs::ReadError| failed(&error.into());
    if size > MAX_TEXT_BYTES {
        let digest = skill.digest(path).map_err(fail)?.0.to_string();
        return Ok(OwnedFile {
            digest,
            text: None,
            executable,
            is_rewritten: false,
        });
    }
    let bytes = skill.read(path, MAX_TEXT_BYTES).map_err(fail)?;
    Ok(OwnedFile {
        digest: Digest::from_content(&bytes).to_string(),
        text: as_text(&bytes).map(str::to_owned),
        executable,
        is_rewritten: false,
    })
}

/// Returns the files of the plan.
pub(crate) fn theirs(collected: &PluginFiles, migration: &Migration) -> OwnedTree {
    let generated = migration.generated.iter().map(|file| {
        let held = OwnedFile {
            digest: Digest::from_content(file.text.as_bytes()).to_string(),
            text: as_text(file.text.as_bytes()).map(str::to_owned),
            executable: false,
            is_rewritten: false,
        };
        (file.path.clone(), held)
    });
    let copies = migration.copies.iter().map(|copy| {
        let bytes = collected.bytes.get(&copy.from);
        let held = OwnedFile {
            digest: format!("sha256:{}", copy.sha256),
            text: bytes.and_then(|bytes| as_text(bytes)).map(str::to_owned),
            executable: copy.executable,
            is_rewritten: false,
        };
        (copy.to.clone(), held)
    });
    OwnedTree(generated.chain(copies).collect())
}

/// Returns the texts of the plan, to be kept as the base of the next merge.
pub(crate) fn texts<'a>(
    collected: &'a PluginFiles,
    migration: &'a Migration,
) -> BTreeMap<&'a str, &'a [u8]> {
    let generated = migration
        .generated
        .iter()
        .map(|file| (file.path.as_str(), file.text.as_bytes()));
    let copies = migration.copies.iter().filter_map(|copy| {
        Some((
            copy.to.as_str(),
            collected.bytes.get(&copy.from)?.as_slice(),
        ))
    });
    generated
        .chain(copies)
        .filter(|(_, bytes)| as_text(bytes).is_some())
        .collect()
}
