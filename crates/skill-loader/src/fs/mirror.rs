//! A second copy of a tree, for programs that write beside themselves.
//!
//! What the copy gained or lost since is kept: only files that changed at the source are written
//! again, and only files that went there are removed; and both only where the copy still is what
//! was copied. A file that changed on both sides stays as it is in the copy and is reported.
//!
//! The copy is a place where a hostile program wrote: every step goes from a held directory to a
//! name in it, and no link or FIFO that lies there is followed or waited for.

use std::collections::BTreeMap;
use std::path::{Component, Path};

use rustix::io::Errno;

use super::beneath::{Placed, link_to, write_new_name};
use super::{Entry, FileInfo, Kind, NoteKind, PathError, ReadError, Root, WalkLimits, read};
use crate::digest::Digest;

/// Largest file that is copied, in bytes.
const MAX_FILE: u64 = 1 << 30;

/// What was copied of one file.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Copied {
    /// Size, time and mode of the source when it was copied.
    pub source: String,
    /// The digest of the bytes, 64 hex digits; empty where it is not known.
    pub digest: String,
}

/// What a mirror holds.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Mirrored {
    /// Every file by its path beneath the source, with what was copied of it.
    pub files: BTreeMap<String, Copied>,
    /// What was left out: links that lead elsewhere, sockets, what could not be listed.
    pub left_out: Vec<String>,
    /// Files that changed at the source and in the copy, and stayed as they are in the copy.
    pub kept: Vec<String>,
    /// Files of the copy that gave way, by the names that they have now.
    pub replaced: Vec<String>,
    /// Directories that are links to the source.
    pub linked: Vec<String>,
}

/// Which file counts where source and copy both changed.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Prefer {
    /// The copy, and it is reported.
    #[default]
    Undecided,
    /// The source; the copy's file is renamed.
    Source,
    /// The copy, for good: until the source changes again, nothing is reported.
    Copy,
}

/// How a tree is mirrored.
#[derive(Clone, Copy)]
pub struct MirrorRules<'r> {
    /// Directories for which this says yes are not copied: a link to the source stands for them.
    pub link: &'r dyn Fn(&str) -> bool,
    /// Files and directories for which this says yes are left out without a word.
    pub skip: &'r dyn Fn(&str) -> bool,
    /// Which file counts where both changed.
    pub prefer: Prefer,
}

impl Root {
    /// Makes the tree `target` beneath equal to `dir` of `source`, where `source` has changed
    /// since `known` was the answer and the copy has not.
    pub fn mirror(
        &self,
        target: &str,
        (source, dir): (&Root, &str),
        known: &BTreeMap<String, Copied>,
        rules: &MirrorRules<'_>,
    ) -> Result<Mirrored, ReadError> {
        self.make_dir(target)?;
        let mut mirror = Mirror {
            to: self.open_dir(target)?,
            from: source.open_dir(dir)?,
            known,
            rules,
            res: Mirrored::default(),
        };
        mirror.run()?;
        Ok(mirror.res)
    }
}

/// One run.
struct Mirror<'m> {
    to: Root,
    from: Root,
    known: &'m BTreeMap<String, Copied>,
    rules: &'m MirrorRules<'m>,
    res: Mirrored,
}

impl Mirror<'_> {
    fn run(&mut self) -> Result<(), ReadError> {
        let rules = self.rules;
        let prune = |path: &str| (rules.link)(path) || (rules.skip)(path);
        let listing = self.from.walk("", &WalkLimits::default(), &prune)?;
        let notes = listing.notes.iter();
        let unlisted = notes.filter(|note| !matches!(note.kind, NoteKind::Pruned));
        self.res
            .left_out
            .extend(unlisted.map(|note| note.path.clone()));
        let is_whole = self.res.left_out.is_empty();
        for entry in &listing.entries {
            if !(rules.skip)(&entry.path) {
                self.entry(entry)?;
            }
        }
        // What a listing did not reach has not gone.
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

    /// A program may have put something else in place of a directory: that shows at the files that
    /// belong into it.
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
        let digest = Digest::of(&bytes).hex();
        let copied = Copied {
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

    /// Whether the program gave the copy these very bytes, or it shall stay for good.
    fn is_settled(&self, path: &str, known: Option<&Copied>, now: &Copied) -> bool {
        let Ok(copy) = self.to.digest(path) else {
            return false;
        };
        let is_changed = known.is_none_or(|known| known.digest != copy.0.hex());
        is_changed && (copy.0.hex() == now.digest || self.rules.prefer == Prefer::Copy)
    }

    /// Whether nothing of the program's is lost when the file is written.
    fn may_write(&mut self, path: &str, known: Option<&Copied>) -> Result<bool, ReadError> {
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

    /// Writes a file; says no where something of the program's is in the way.
    fn write(&self, path: &str, info: &FileInfo, bytes: &[u8]) -> Result<bool, ReadError> {
        let mode = if info.executable { 0o700 } else { 0o600 };
        match write_new_name(&self.to, path, bytes, mode, Placed::Replacing) {
            Ok(_) => Ok(true),
            Err(Errno::LOOP | Errno::NOTDIR | Errno::ISDIR | Errno::EXIST | Errno::NOTEMPTY) => {
                Ok(false)
            }
            Err(err) => Err(PathError::new("write", self.to.shown(path), err).into()),
        }
    }

    /// Removes the files that went at the source, unless the program changed them.
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

/// Neither the inode nor the time of change: a tree that was copied anew is the same tree.
fn stamp(info: &FileInfo) -> String {
    format!("{}:{}:{}", info.size, info.stamp.modified, info.executable)
}

/// Only downwards: such a link stays inside whatever directory it is in.
fn is_inner(target: &str) -> bool {
    let mut components = Path::new(target).components();
    components.all(|component| matches!(component, Component::Normal(_) | Component::CurDir))
}

#[cfg(test)]
mod tests;
