//! A recursive listing that follows nothing and hides nothing.

use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, FileType, RawDir, statat};
use rustix::io::Errno;

use super::{Entry, Kind, PathError, open};

/// Bytes of directory entries taken at a time.
const BUFFER: usize = 32 * 1024;

/// How far a walk goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WalkLimits {
    /// Directories below the start that are entered: 0 lists the start alone.
    pub depth: usize,
    /// Entries that are listed.
    pub entries: usize,
}

impl Default for WalkLimits {
    fn default() -> Self {
        Self {
            depth: 64,
            entries: 100_000,
        }
    }
}

/// Everything beneath a directory.
#[derive(Debug, Default)]
pub struct Listing {
    /// What was found, sorted by the bytes of the path.
    pub entries: Vec<Entry>,
    /// What was not listed, and why, sorted in the same way.
    pub notes: Vec<Note>,
}

/// Something that a listing leaves out.
#[derive(Debug)]
pub struct Note {
    /// Where, relative to the root; `U+FFFD` stands for bytes that are not UTF-8.
    pub path: String,
    /// Why.
    pub kind: NoteKind,
}

/// Why a listing leaves something out.
#[derive(Debug)]
pub enum NoteKind {
    /// The name is not UTF-8.
    NotUtf8,
    /// The caller asked not to enter this directory.
    Pruned,
    /// The directory lies too deep and was not entered.
    TooDeep,
    /// There are more entries than allowed; the listing ends early at this directory.
    TooMany,
    /// The directory may not be read, or was replaced while it was looked at.
    Unreadable(io::Error),
}

/// The state of one walk.
pub(super) struct Walker<'w> {
    shown: &'w Path,
    limits: &'w WalkLimits,
    prune: &'w dyn Fn(&str) -> bool,
    buffer: Vec<u8>,
    res: Listing,
    full: bool,
}

impl<'w> Walker<'w> {
    pub(super) fn new(
        shown: &'w Path,
        limits: &'w WalkLimits,
        prune: &'w dyn Fn(&str) -> bool,
    ) -> Self {
        Self {
            shown,
            limits,
            prune,
            buffer: Vec::with_capacity(BUFFER),
            res: Listing::default(),
            full: false,
        }
    }

    pub(super) fn walk(mut self, dir: &OwnedFd, prefix: &str) -> Result<Listing, PathError> {
        self.list(dir, prefix, self.limits.depth)?;
        let mut res = self.res;
        res.entries.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        res.notes.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(res)
    }

    fn list(&mut self, dir: &OwnedFd, prefix: &str, depth: usize) -> Result<(), PathError> {
        let first = self.res.entries.len();
        self.read_names(dir, prefix)?;
        let dirs: Vec<String> = self.res.entries[first..]
            .iter()
            .filter(|entry| entry.kind == Kind::Dir)
            .map(|entry| entry.path.clone())
            .collect();
        for path in dirs {
            if self.full {
                break;
            }
            self.enter(dir, path, depth)?;
        }
        Ok(())
    }

    fn enter(&mut self, dir: &OwnedFd, path: String, depth: usize) -> Result<(), PathError> {
        if (self.prune)(&path) {
            self.note(path, NoteKind::Pruned);
            return Ok(());
        }
        if depth == 0 {
            self.note(path, NoteKind::TooDeep);
            return Ok(());
        }
        let name = path.rsplit('/').next().unwrap_or(&path);
        match open::beneath(dir, name, open::DIRECTORY) {
            Ok(inner) => self.list(&inner, &path, depth - 1),
            Err(err) if is_of_the_entry(err) => {
                self.note(path, NoteKind::Unreadable(err.into()));
                Ok(())
            }
            Err(err) => Err(self.fail(&path, err)),
        }
    }

    /// Takes the names of one directory.
    fn read_names(&mut self, dir: &OwnedFd, prefix: &str) -> Result<(), PathError> {
        let mut buffer = std::mem::take(&mut self.buffer);
        let mut names = RawDir::new(dir, buffer.spare_capacity_mut());
        while let Some(name) = names.next() {
            let name = name.map_err(|err| self.fail(prefix, err))?;
            let bytes = name.file_name().to_bytes();
            if matches!(bytes, b"." | b"..") {
                continue;
            }
            if self.res.entries.len() >= self.limits.entries {
                self.full = true;
                self.note(prefix.to_owned(), NoteKind::TooMany);
                break;
            }
            self.take(dir, prefix, bytes, name.file_type())?;
        }
        self.buffer = buffer;
        Ok(())
    }

    fn take(
        &mut self,
        dir: &OwnedFd,
        prefix: &str,
        name: &[u8],
        file_type: FileType,
    ) -> Result<(), PathError> {
        let Ok(name) = std::str::from_utf8(name) else {
            self.note(
                join(prefix, &String::from_utf8_lossy(name)),
                NoteKind::NotUtf8,
            );
            return Ok(());
        };
        let path = join(prefix, name);
        let kind = match file_type {
            FileType::RegularFile | FileType::Unknown => {
                match statat(dir, name, AtFlags::SYMLINK_NOFOLLOW) {
                    Ok(stat) => Kind::of(&stat),
                    // It was there a moment ago; it is as if it had never been.
                    Err(Errno::NOENT) => return Ok(()),
                    Err(err) => return Err(self.fail(&path, err)),
                }
            }
            other => Kind::of_type(other),
        };
        self.res.entries.push(Entry { path, kind });
        Ok(())
    }

    fn note(&mut self, path: String, kind: NoteKind) {
        self.res.notes.push(Note { path, kind });
    }

    fn fail(&self, path: &str, errno: Errno) -> PathError {
        let path = match path {
            "" => self.shown.to_owned(),
            _ => PathBuf::from(format!("{}/{path}", self.shown.display())),
        };
        PathError::new("list", path, errno)
    }
}

/// Whether an errno speaks of the entry and not of the system.
fn is_of_the_entry(errno: Errno) -> bool {
    matches!(
        errno,
        Errno::ACCESS
            | Errno::PERM
            | Errno::NOENT
            | Errno::NOTDIR
            | Errno::LOOP
            | Errno::XDEV
            | Errno::NAMETOOLONG
    )
}

fn join(prefix: &str, name: &str) -> String {
    match prefix {
        "" => name.to_owned(),
        _ => format!("{prefix}/{name}"),
    }
}
