//! The entry of a skill in `skills.lock`: what introspection writes is accepted as the migration's own
//! writes are. Edits by hand stay edits.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use skill_executor::envelope::{ErrorCode, Failure};
use skill_executor::package::SkillPackage;
use skill_loader::store::{Store, StoreError};
use skill_model::{Digest, HOST_DIRECTORY, LockedSkill};

/// Files by path.
pub(crate) type Texts<'t> = BTreeMap<&'t str, &'t [u8]>;

/// A skill that a migration wrote.
#[derive(Debug)]
pub(crate) struct Locked {
    store: Store,
    name: String,
    entry: LockedSkill,
    /// The files that were edited by hand.
    edited: BTreeSet<String>,
}

fn failed(error: &StoreError) -> Failure {
    Failure::new(ErrorCode::Io, error.to_string())
}

fn digest(bytes: &[u8]) -> String {
    Digest::from_content(bytes).to_string()
}

impl Locked {
    /// Opens the output of the migration that a skill is in, which waits while another process writes
    /// there; `None` if no migration wrote the skill.
    pub(crate) fn open(skill: &SkillPackage) -> Result<Option<Self>, Failure> {
        let name = skill.dir.file_name().and_then(|name| name.to_str());
        let (Some(name), Some(above)) = (name, skill.dir.parent()) else {
            return Ok(None);
        };
        let is_hosted = above.file_name().is_some_and(|it| it == HOST_DIRECTORY);
        let out = if is_hosted {
            above.parent()
        } else {
            Some(above)
        };
        let Some(out) = out.filter(|out| is_listed(out, name)) else {
            return Ok(None);
        };
        let store = Store::open(out).map_err(|error| failed(&error))?;
        let Some(entry) = store.locked(name).cloned() else {
            return Ok(None);
        };
        Ok(Some(Self {
            edited: BTreeSet::new(),
            name: name.to_owned(),
            store,
            entry,
        }))
    }

    /// Finds those of the files, as they are now, that were edited by hand.
    pub(crate) fn find_edits(&mut self, files: &Texts<'_>) {
        let edited = files.iter().filter(|(path, bytes)| {
            let known = self.entry.files.get(**path);
            known.is_some_and(|known| *known != digest(bytes))
        });
        self.edited = edited.map(|(path, _)| (*path).to_owned()).collect();
    }

    /// Returns true for a file that was edited by hand.
    pub(crate) fn is_edited(&self, path: &str) -> bool {
        self.edited.contains(path)
    }

    /// Returns the text of a file as the migration made it.
    pub(crate) fn made(&self, path: &str) -> Option<String> {
        let texts = self.store.base(&self.name, self.entry.made()).ok()?;
        String::from_utf8(texts.get(path)?.clone()).ok()
    }

    /// Accepts the files that were written, and the texts that the migration would make now. Without the
    /// latter, files without edits are what it would make.
    pub(crate) fn accept(
        mut self,
        written: &Texts<'_>,
        made: Option<&Texts<'_>>,
    ) -> Result<(), Failure> {
        let base = self.store.base(&self.name, self.entry.made());
        let base = base.map_err(|error| failed(&error))?;
        let mut texts: Texts<'_> = base
            .iter()
            .map(|(path, bytes)| (path.as_str(), &bytes[..]))
            .collect();
        let mut digests = self.entry.made().clone();
        let is_made = |path: &str| {
            let is_merged = digests.get(path) != self.entry.files.get(path);
            made.is_some() || !is_merged && !self.edited.contains(path)
        };
        let new = made.unwrap_or(written).iter();
        let new: Vec<_> = new.filter(|(path, _)| is_made(path)).collect();
        for (path, bytes) in new {
            digests.insert((*path).to_owned(), digest(bytes));
            texts.insert(path, bytes);
        }
        let kept = self.store.keep_base(&self.name, &digests, &texts);
        kept.map_err(|error| failed(&error))?;
        for (path, bytes) in written {
            if !self.edited.contains(*path) {
                self.entry.files.insert((*path).to_owned(), digest(bytes));
            }
        }
        self.entry.base = (digests != self.entry.files).then_some(digests);
        let recorded = self.store.record(&self.name, self.entry);
        recorded.map_err(|error| failed(&error))?;
        self.store.finish().map_err(|error| failed(&error))?;
        Ok(())
    }
}

/// Returns true if a directory has a lock that lists a skill. Nothing is created.
fn is_listed(out: &Path, name: &str) -> bool {
    let store = Store::open_read_only(out);
    store.is_ok_and(|store| store.locked(name).is_some())
}
