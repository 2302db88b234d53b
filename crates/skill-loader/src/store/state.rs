//! Comparing a skill with its entry in `skills.lock`.

use std::collections::BTreeSet;

use skill_model::{Digest, LockedSkill};

use super::names::check_name;
use super::{Store, StoreError, dir, places};
use crate::fs::{Entry, Fingerprint, Kind, Listing, NoteKind, ReadError, Root};

/// Files up to this size in bytes are hashed from memory, larger ones in pieces.
const IN_MEMORY: u64 = 1 << 20;

/// The state of the entry at the name of a skill.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum State {
    /// It does not exist.
    Absent,
    /// The store did not write it: a directory that `skills.lock` does not list, or a file, a link
    /// or another kind of entry.
    Foreign(Kind),
    /// Exactly the files of `skills.lock`.
    Clean,
    /// A directory of the store that differs from `skills.lock`.
    Edited(Edits),
}

/// The differences between a directory and `skills.lock`. Paths are relative to the skill and
/// sorted.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Edits {
    /// Files whose bytes differ, and files replaced by links or other kinds of entries.
    pub changed: Vec<String>,
    /// Files, links and empty directories (with a trailing `/`) that are not listed.
    pub added: Vec<String>,
    /// Files that are listed and missing.
    pub removed: Vec<String>,
}

impl Edits {
    /// Returns true if nothing differs.
    pub fn is_empty(&self) -> bool {
        self == &Self::default()
    }
}

impl Store {
    /// Compares the directory of a skill with its entry in [`Store::lock`].
    ///
    /// The comparison is by bytes. A store that is open for writing skips the reading of a tree
    /// whose inode numbers and times are the same as when it was last found unchanged.
    pub fn state(&self, name: &str) -> Result<State, StoreError> {
        check_name(name)?;
        let Some(out) = self.root() else {
            return Ok(State::Absent);
        };
        let path = self.path(name);
        match (out.kind(&path)?, self.locked(name)) {
            (None, _) => Ok(State::Absent),
            (Some(Kind::Dir), Some(entry)) => self.compare(&out.open_dir(&path)?, name, entry),
            (Some(kind), _) => Ok(State::Foreign(kind)),
        }
    }

    /// Returns whether the directory of `entry` has exactly its files, compared by bytes, whatever
    /// `skills.lock` says. A skill whose entry was lost can then be recorded again instead of
    /// replaced.
    pub fn holds(&self, name: &str, entry: &LockedSkill) -> Result<bool, StoreError> {
        check_name(name)?;
        let Some(out) = self.root() else {
            return Ok(false);
        };
        let place = places::open(out, entry.hosted)?;
        place.map_or(Ok(false), |place| matches(&place, name, entry))
    }

    fn compare(&self, skill: &Root, name: &str, entry: &LockedSkill) -> Result<State, StoreError> {
        let listing = skill.walk("", &dir::EVERYTHING, &|_| false)?;
        let print = listing.fingerprint();
        if let Some(writer) = &self.writer
            && writer.stamps().is_skill(name, entry, &print)
        {
            return Ok(State::Clean);
        }
        let edits = edits(skill, &listing, entry)?;
        if !edits.is_empty() {
            return Ok(State::Edited(edits));
        }
        if let Some(writer) = &self.writer {
            writer.stamps().found_skill(name, entry, &print);
        }
        Ok(State::Clean)
    }

    /// Returns whether a source still has the fingerprint that [`Store::know_source`] recorded with
    /// the entry of the skill, so that it need not be read. Always false in a read-only store.
    pub fn is_source_known(&self, name: &str, source: &Fingerprint) -> bool {
        match (&self.writer, self.locked(name)) {
            (Some(writer), Some(entry)) => writer.stamps().is_source(name, entry, source),
            _ => false,
        }
    }

    /// Records the fingerprint of a source, taken before it was read, for the entry made from it.
    /// Call it after [`Store::commit`] or [`Store::record`].
    pub fn know_source(&self, name: &str, source: &Fingerprint) {
        let Some(writer) = &self.writer else {
            return;
        };
        let changes = writer.changes();
        let entry = match changes.get(name) {
            Some(change) => change.as_ref(),
            None => self.locked(name),
        };
        if let Some(entry) = entry {
            writer.stamps().found_source(name, entry, source);
        }
    }
}

/// Returns whether `name` is a directory with exactly the files of `entry`.
pub(super) fn matches(parent: &Root, name: &str, entry: &LockedSkill) -> Result<bool, StoreError> {
    if dir::kind(parent, name)? != Some(Kind::Dir) {
        return Ok(false);
    }
    let skill = parent.open_dir(name)?;
    let listing = skill.walk("", &dir::EVERYTHING, &|_| false)?;
    Ok(edits(&skill, &listing, entry)?.is_empty())
}

/// Returns the first of `entries` that `name` matches in its place of the output.
pub(super) fn which_in_place<'e>(
    out: &Root,
    name: &str,
    entries: impl Iterator<Item = &'e LockedSkill>,
) -> Result<Option<&'e LockedSkill>, StoreError> {
    for entry in entries {
        if let Some(place) = places::open(out, entry.hosted)?
            && matches(&place, name, entry)?
        {
            return Ok(Some(entry));
        }
    }
    Ok(None)
}

/// Returns the first of `entries` that `name` matches.
pub(super) fn which<'e>(
    parent: &Root,
    name: &str,
    entries: impl Iterator<Item = &'e LockedSkill>,
) -> Result<Option<&'e LockedSkill>, StoreError> {
    for entry in entries {
        if matches(parent, name, entry)? {
            return Ok(Some(entry));
        }
    }
    Ok(None)
}

/// Compares the listing of `skill` with `entry`, by bytes.
fn edits(skill: &Root, listing: &Listing, entry: &LockedSkill) -> Result<Edits, StoreError> {
    let mut res = Edits::default();
    let mut seen = BTreeSet::new();
    let mut buffer = Vec::new();
    for found in &listing.entries {
        match entry.files.get(&found.path) {
            Some(digest) => {
                seen.insert(found.path.as_str());
                if !is_file_with(skill, found, digest, &mut buffer)? {
                    res.changed.push(found.path.clone());
                }
            }
            None => res.added.extend(unlisted(found, listing)),
        }
    }
    note_unlisted(listing, &mut res);
    let listed = entry.files.keys();
    res.removed = listed
        .filter(|path| !seen.contains(path.as_str()))
        .cloned()
        .collect();
    Ok(res)
}

fn is_file_with(
    skill: &Root,
    found: &Entry,
    digest: &str,
    buffer: &mut Vec<u8>,
) -> Result<bool, ReadError> {
    if !matches!(found.kind, Kind::File(_)) {
        return Ok(false);
    }
    let actual = match skill.read_into(&found.path, IN_MEMORY, buffer) {
        Ok(_) => Digest::from_content(buffer),
        Err(ReadError::TooLarge { .. }) => skill.digest(&found.path)?.0,
        Err(ReadError::Missing { .. } | ReadError::Link { .. } | ReadError::NotRegular { .. }) => {
            return Ok(false);
        }
        Err(err) => return Err(err),
    };
    Ok(Digest::parse(digest) == Some(actual))
}

/// Returns the reported path of an unlisted entry. Directories are reported only if they are empty,
/// because their content is reported itself.
fn unlisted(found: &Entry, listing: &Listing) -> Option<String> {
    if found.kind != Kind::Dir {
        return Some(found.path.clone());
    }
    let inside = format!("{}/", found.path);
    let next = listing.entries.partition_point(|entry| entry.path < inside);
    let is_empty = !listing
        .entries
        .get(next)
        .is_some_and(|entry| entry.path.starts_with(&inside));
    is_empty.then_some(inside)
}

/// Reports omissions of the listing as differences.
fn note_unlisted(listing: &Listing, acc: &mut Edits) {
    for note in &listing.notes {
        if matches!(note.kind, NoteKind::NotUtf8) {
            acc.added.push(note.path.clone());
        }
    }
    acc.added.sort();
}
