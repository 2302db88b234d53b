//! A recursive listing that follows no link and reports every omission.

use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, FileType, RawDir, statat};
use rustix::io::Errno;

use super::{Entry, Kind, PathError, open};

/// Size of the buffer for directory entries in bytes.
const BUFFER: usize = 32 * 1024;

/// Bounds of a walk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WalkLimits {
    /// Directory levels that are entered: 0 lists only the start.
    pub depth: usize,
    /// Maximum number of entries.
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

/// Everything below a directory.
#[derive(Debug, Default)]
pub struct Listing {
    /// The entries, sorted by the bytes of the path.
    pub entries: Vec<Entry>,
    /// The omissions with their reasons, sorted in the same way.
    pub notes: Vec<Note>,
}

/// An omission of a listing.
#[derive(Debug)]
pub struct Note {
    /// Path relative to the root; `U+FFFD` replaces bytes that are not UTF-8.
    pub path: String,
    /// The reason.
    pub kind: NoteKind,
}

/// The reason why a listing omits an entry.
#[derive(Debug)]
pub enum NoteKind {
    /// The name is not UTF-8.
    NotUtf8,
    /// The caller asked not to enter this directory.
    Pruned,
    /// The directory is too deep and was not entered.
    TooDeep,
    /// There are more entries than allowed; the listing stops in this directory.
    TooMany,
    /// The directory cannot be read, or was replaced during the walk.
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

    /// Reads the names of one directory.
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
                    Ok(stat) => Kind::from_stat(&stat),
                    // Deleted in the meantime: treated as if it had never existed.
                    Err(Errno::NOENT) => return Ok(()),
                    Err(err) => return Err(self.fail(&path, err)),
                }
            }
            other => Kind::from_type(other),
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

/// Returns whether an errno concerns this entry only and not the whole system.
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
