//! A working copy of a tree, for programs that write into their own directory.
//!
//! Changes made in the copy are kept: only files that changed at the source are written again, and
//! only files that were deleted there are removed, and both only if the copy still has the bytes
//! that were copied. A file that changed on both sides stays as it is in the copy and is reported.
//!
//! A hostile program may have written to the copy: every step goes from an open directory to a name
//! in it, and links and FIFOs in the copy are neither followed nor waited for.

use std::collections::BTreeMap;
use std::path::{Component, Path};

use super::beneath::{OnExisting, link_to, write_new_name};
use super::sys::Cause;
use super::{
    Entry, FileInfo, Kind, NoteKind, PathError, ReadError, Root, WalkLimits, check_relative, read,
};
use skill_model::Digest;

/// Largest file that is copied, in bytes.
const MAX_FILE: u64 = 1 << 30;

/// The state of one file when it was copied.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct CopiedFile {
    /// Size, time and mode of the source file.
    pub source: String,
    /// SHA-256 of the content, 64 hex digits; empty if unknown.
    pub digest: String,
}

/// The result of mirroring a tree.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct MirrorResult {
    /// Every copied file by its path relative to the source.
    pub files: BTreeMap<String, CopiedFile>,
    /// Entries that were left out: links that lead elsewhere, sockets, names that are not portable,
    /// and what could not be listed.
    pub left_out: Vec<String>,
    /// Files that changed at the source and in the copy, and stayed as they are in the copy.
    pub kept: Vec<String>,
    /// Files of the copy that were moved aside, by their new names.
    pub replaced: Vec<String>,
    /// Directories that are links to the source.
    pub linked: Vec<String>,
}

/// The version that wins if both source and copy changed.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Prefer {
    /// The copy, and the conflict is reported.
    #[default]
    Undecided,
    /// The source; the copy's file is renamed.
    Source,
    /// The copy; nothing is reported until the source changes again.
    Copy,
}

/// Rules for mirroring a tree.
#[derive(Clone, Copy)]
pub struct MirrorRules<'r> {
    /// Returns true for directories that become a link to the source instead of a copy.
    pub link: &'r dyn Fn(&str) -> bool,
    /// Returns true for files and directories that are left out without a report.
    pub skip: &'r dyn Fn(&str) -> bool,
    /// The version that wins if both changed.
    pub prefer: Prefer,
}

impl Root {
    /// Makes the tree `target` below this root equal to `dir` of `source`, except for changes made
    /// in the copy. `known` is the result of the previous call.
    pub fn mirror(
        &self,
        target: &str,
        (source, dir): (&Root, &str),
        known: &BTreeMap<String, CopiedFile>,
        rules: &MirrorRules<'_>,
    ) -> Result<MirrorResult, ReadError> {
        self.make_dir(target)?;
        let mut mirror = Mirror {
            to: self.open_dir(target)?,
            from: source.open_dir(dir)?,
            known,
            rules,
            res: MirrorResult::default(),
        };
        mirror.run()?;
        Ok(mirror.res)
    }
}

/// The state of one call.
struct Mirror<'m> {
    to: Root,
    from: Root,
    known: &'m BTreeMap<String, CopiedFile>,
    rules: &'m MirrorRules<'m>,
    res: MirrorResult,
}

impl Mirror<'_> {
    fn run(&mut self) -> Result<(), ReadError> {
        let rules = self.rules;
        let prune =
            |path: &str| (rules.link)(path) || (rules.skip)(path) || check_relative(path).is_err();
        let listing = self.from.walk("", &WalkLimits::default(), &prune)?;
        let notes = listing.notes.iter();
        let unlisted = notes.filter(|note| !matches!(note.kind, NoteKind::Pruned));
        self.res
            .left_out
            .extend(unlisted.map(|note| note.path.clone()));
        let is_whole = self.res.left_out.is_empty();
        for entry in &listing.entries {
            if (rules.skip)(&entry.path) {
                continue;
            }
            match check_relative(&entry.path) {
                Ok(()) => self.entry(entry)?,
                // A name that is not portable, which nothing here opens.
                Err(_) => self.res.left_out.push(entry.path.clone()),
            }
        }
        // Only a complete listing shows that a file was deleted.
        if is_whole {
            self.remove_gone()?;
        }
        Ok(())
    }

    fn entry(&mut self, entry: &Entry) -> Result<(), ReadError> {
        let path = entry.path.as_str();
        match &entry.kind {
            Kind::Dir if (self.rules.link)(path) => {
                let target = self.from.shown(path).to_string_lossy().into_owned();
                self.res.linked.push(path.to_owned());
                link_to(&self.to, path, &target)
            }
            Kind::Dir => self.directory(path),
            Kind::File(info) => self.file(path, info),
            Kind::Symlink => {
                let target = self.from.link_target(path)?;
                if is_inner(&target) {
                    return link_to(&self.to, path, &target);
                }
                self.res.left_out.push(path.to_owned());
                Ok(())
            }
            _ => {
                self.res.left_out.push(path.to_owned());
                Ok(())
            }
        }
    }

    /// Creates a directory. If a program put something else in its place, writing the files below
    /// it reports that.
    fn directory(&self, path: &str) -> Result<(), ReadError> {
        match self.to.make_dir(path) {
            Err(ReadError::Link { .. } | ReadError::Missing { .. }) => Ok(()),
            res => res,
        }
    }

    fn file(&mut self, path: &str, info: &FileInfo) -> Result<(), ReadError> {
        let stamp = stamp(info);
        let known = self.known.get(path);
        if let Some(known) = known.filter(|known| known.source == stamp) {
            let mut copied = known.clone();
            if copied.digest.is_empty() {
                copied.digest = self.from.digest(path)?.0.hex();
            }
            self.res.files.insert(path.to_owned(), copied);
            return Ok(());
        }
        let bytes = self.bytes(path, info)?;
        let digest = Digest::from_content(&bytes).hex();
        let copied = CopiedFile {
            source: stamp,
            digest,
        };
        if self.is_settled(path, known, &copied) {
            self.res.files.insert(path.to_owned(), copied);
            return Ok(());
        }
        if self.may_write(path, known)? && self.write(path, info, &bytes)? {
            self.res.files.insert(path.to_owned(), copied);
            return Ok(());
        }
        self.res.kept.push(path.to_owned());
        if let Some(known) = known {
            self.res.files.insert(path.to_owned(), known.clone());
        }
        Ok(())
    }

    /// Returns whether the copy already has these bytes, or was chosen to stay.
    fn is_settled(&self, path: &str, known: Option<&CopiedFile>, now: &CopiedFile) -> bool {
        let Ok(copy) = self.to.digest(path) else {
            return false;
        };
        let is_changed = known.is_none_or(|known| known.digest != copy.0.hex());
        is_changed && (copy.0.hex() == now.digest || self.rules.prefer == Prefer::Copy)
    }

    /// Returns whether the file can be written without losing a change of the program.
    fn may_write(&mut self, path: &str, known: Option<&CopiedFile>) -> Result<bool, ReadError> {
        let is_free = match self.to.digest(path) {
            Ok((digest, _)) => known.is_some_and(|known| known.digest == digest.hex()),
            Err(ReadError::Missing { .. }) => true,
            Err(_) => false,
        };
        if is_free || self.rules.prefer != Prefer::Source {
            return Ok(is_free);
        }
        match self.to.set_aside(path)? {
            Some(name) => self.res.replaced.push(name),
            None => return Ok(false),
        }
        Ok(true)
    }

    fn bytes(&self, path: &str, info: &FileInfo) -> Result<Vec<u8>, ReadError> {
        let (file, _) = self.from.open_file(path)?;
        let mut bytes = Vec::new();
        let whole = read::read_to_end(&file, info.size, MAX_FILE, &mut bytes);
        if whole.map_err(|err| PathError::new("read", self.from.shown(path), err))? {
            return Ok(bytes);
        }
        Err(ReadError::TooLarge {
            path: self.from.shown(path),
            limit: MAX_FILE,
        })
    }

    /// Writes a file; returns false if an entry made by the program is in the way.
    fn write(&self, path: &str, info: &FileInfo, bytes: &[u8]) -> Result<bool, ReadError> {
        let mode = if info.executable { 0o700 } else { 0o600 };
        match write_new_name(&self.to, path, bytes, mode, OnExisting::Replace) {
            Ok(_) => Ok(true),
            Err(err) if is_blocked(err.cause) => Ok(false),
            Err(err) => Err(PathError::new("write", self.to.shown(path), err).into()),
        }
    }

    /// Removes the files that were deleted at the source, unless the program changed them.
    fn remove_gone(&mut self) -> Result<(), ReadError> {
        for (path, known) in self.known {
            if self.res.files.contains_key(path) || (self.rules.skip)(path) {
                continue;
            }
            let digest = self.to.digest(path);
            if digest.is_ok_and(|(digest, _)| digest.hex() == known.digest) {
                self.to.remove(path)?;
            }
        }
        Ok(())
    }
}

/// Returns whether an entry of another kind is in the way.
fn is_blocked(cause: Cause) -> bool {
    matches!(
        cause,
        Cause::Link | Cause::NotADirectory | Cause::IsADirectory | Cause::Exists | Cause::NotEmpty
    )
}

/// Leaves out the inode and the time of status change, so that a fresh copy of the tree counts as
/// the same tree.
fn stamp(info: &FileInfo) -> String {
    format!("{}:{}:{}", info.size, info.stamp.modified, info.executable)
}

/// Returns true if the link only leads downwards: such a link stays inside any directory it is in.
fn is_inner(target: &str) -> bool {
    let mut components = Path::new(target).components();
    components.all(|component| matches!(component, Component::Normal(_) | Component::CurDir))
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
