//! A recursive listing that follows no link and reports every omission.

use std::io;
use std::path::{Path, PathBuf};

use super::sys::{self, Cause, Dir, Name, Names, SysError};
use super::{Entry, Kind, PathError};

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
    names: Names,
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
            names: Names::default(),
            res: Listing::default(),
            full: false,
        }
    }

    pub(super) fn walk(mut self, dir: &Dir, prefix: &str) -> Result<Listing, PathError> {
        self.list(dir, prefix, self.limits.depth)?;
        let mut res = self.res;
        res.entries.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        res.notes.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(res)
    }

    fn list(&mut self, dir: &Dir, prefix: &str, depth: usize) -> Result<(), PathError> {
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

    fn enter(&mut self, dir: &Dir, path: String, depth: usize) -> Result<(), PathError> {
        if (self.prune)(&path) {
            self.note(path, NoteKind::Pruned);
            return Ok(());
        }
        if depth == 0 {
            self.note(path, NoteKind::TooDeep);
            return Ok(());
        }
        let name = path.rsplit('/').next().unwrap_or(&path);
        match sys::open_dir(dir, name) {
            Ok(inner) => self.list(&inner, &path, depth - 1),
            Err(err) if is_of_the_entry(err.cause) => {
                self.note(path, NoteKind::Unreadable(err.into()));
                Ok(())
            }
            Err(err) => Err(self.fail(&path, err)),
        }
    }

    /// Reads the names of one directory.
    fn read_names(&mut self, dir: &Dir, prefix: &str) -> Result<(), PathError> {
        let mut names = std::mem::take(&mut self.names);
        let res = names.each(dir, |name| {
            let name = name.map_err(|err| self.fail(prefix, err))?;
            if self.res.entries.len() >= self.limits.entries {
                self.full = true;
                self.note(prefix.to_owned(), NoteKind::TooMany);
                return Ok(false);
            }
            self.take(dir, prefix, name)?;
            Ok(true)
        });
        self.names = names;
        res
    }

    fn take(&mut self, dir: &Dir, prefix: &str, name: Name<'_>) -> Result<(), PathError> {
        let text = match name.text {
            Ok(text) => text,
            Err(lossy) => {
                self.note(join(prefix, &lossy), NoteKind::NotUtf8);
                return Ok(());
            }
        };
        let path = join(prefix, text);
        let kind = match name.kind {
            Some(kind) => kind,
            None => match sys::stat(dir, text) {
                Ok(stat) => stat.kind,
                // Deleted in the meantime: treated as if it had never existed.
                Err(err) if err.cause == Cause::Missing => return Ok(()),
                Err(err) => return Err(self.fail(&path, err)),
            },
        };
        self.res.entries.push(Entry { path, kind });
        Ok(())
    }

    fn note(&mut self, path: String, kind: NoteKind) {
        self.res.notes.push(Note { path, kind });
    }

    fn fail(&self, path: &str, error: SysError) -> PathError {
        let path = match path {
            "" => self.shown.to_owned(),
            _ => PathBuf::from(format!("{}/{path}", self.shown.display())),
        };
        PathError::new("list", path, error)
    }
}

/// Returns whether an error concerns this entry only and not the whole system.
fn is_of_the_entry(cause: Cause) -> bool {
    matches!(
        cause,
        Cause::Denied
            | Cause::NotPermitted
            | Cause::Missing
            | Cause::NotADirectory
            | Cause::Link
            | Cause::Outside
            | Cause::NameTooLong
    )
}

fn join(prefix: &str, name: &str) -> String {
    match prefix {
        "" => name.to_owned(),
        _ => format!("{prefix}/{name}"),
    }
}
