//! Changes below an open directory.
//!
//! Other processes may write there at the same time. Each operation opens the parent directory
//! component by component without following a link, and then acts on one name in it.

use std::ffi::OsStr;
use std::fs::File;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use super::replace::make_dirs;
use super::sys::{self, Cause, Dir, SysError};
use super::{Kind, PathError, ReadError, Root, check_relative};

/// Number of files written by this process so far; makes temporary names unique.
static N_WRITTEN: AtomicU64 = AtomicU64::new(0);
/// Number of attempts to find a free name.
const N_TRIES: u32 = 100;

/// The treatment of an existing file of the same name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum OnExisting {
    /// Replace it.
    Replace,
    /// Keep it, and do not write the new one.
    Keep,
}

/// The rights of other users in a directory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Others {
    /// They can neither read nor write.
    Nothing,
    /// They can read.
    Read,
}

impl Root {
    /// Opens a directory after creating it, and its missing parents, with mode 0700.
    pub fn make(path: &Path) -> Result<Self, PathError> {
        sys::make_private_dirs(path).map_err(|source| PathError {
            action: "create",
            path: path.to_owned(),
            source,
        })?;
        Self::open_real(&super::resolve(path)?)
    }

    /// Creates a directory below this one, with its missing parents.
    pub fn make_dir(&self, dir: &str) -> Result<(), ReadError> {
        self.checked(dir)?;
        make_dirs(self.dir(), dir)
            .map(drop)
            .map_err(|err| ReadError::from_open(self.shown(dir), err))
    }

    /// Creates a directory below this one for its owner alone, or checks that an existing one is:
    /// no link, of the same owner as this directory, and without more rights for others than
    /// `others`. Windows has no modes.
    pub fn make_private_dir(&self, dir: &str, others: Others) -> Result<(), ReadError> {
        self.checked(dir)?;
        if let Some(kind) = self.kind(dir)?.filter(|kind| *kind != Kind::Dir) {
            let why = format!("it is a {kind}, expected a directory; remove it");
            return Err(PathError::because("use", self.shown(dir), &why).into());
        }
        let fail = |err| ReadError::from_open(self.shown(dir), err);
        let made = make_dirs(self.dir(), dir).map_err(fail)?;
        let forbidden = match others {
            Others::Nothing => 0o077,
            Others::Read => 0o022,
        };
        match sys::exposure(&made, self.dir(), forbidden).map_err(fail)? {
            None => Ok(()),
            Some(why) => Err(PathError::because("use", self.shown(dir), &why).into()),
        }
    }

    /// Writes a whole file unless the name is taken; returns whether it was written. Of several
    /// concurrent callers exactly one succeeds.
    pub fn write_if_free(&self, path: &str, bytes: &[u8]) -> Result<bool, ReadError> {
        self.checked(path)?;
        write_new_name(self, path, bytes, 0o600, OnExisting::Keep)
            .map_err(|err| PathError::new("write", self.shown(path), err).into())
    }

    /// Removes a file or a link. A missing file is not an error, and a directory stays. If a
    /// component of the path is a link, nothing is removed.
    pub fn remove(&self, path: &str) -> Result<(), ReadError> {
        self.remove_with(path, sys::unlink)
    }

    /// Removes a directory if it is empty.
    pub fn remove_empty_dir(&self, path: &str) -> Result<(), ReadError> {
        self.remove_with(path, sys::remove_dir)
    }

    fn remove_with(
        &self,
        path: &str,
        remove: fn(&Dir, &OsStr) -> sys::Result<()>,
    ) -> Result<(), ReadError> {
        self.checked(path)?;
        let removed = match self.parent(path) {
            Ok((parent, name)) => remove(&parent, OsStr::new(name)),
            Err(err) => Err(err),
        };
        match removed {
            Err(err) if !is_not_removable(err.cause) => {
                Err(PathError::new("remove", self.shown(path), err).into())
            }
            _ => Ok(()),
        }
    }

    /// Renames a file, link or directory to a name that is not taken.
    pub fn rename(&self, from: &str, to: &str) -> Result<(), ReadError> {
        self.checked(from)?;
        self.checked(to)?;
        let fail = |err| ReadError::from(PathError::new("rename", self.shown(from), err));
        let (source, name) = self.parent(from).map_err(fail)?;
        let (target, new_name) = made_parent(self, to).map_err(fail)?;
        sys::rename_new((&source, name), (&target, new_name)).map_err(fail)
    }

    /// Creates a symbolic link; an existing link with the same target is not an error. Returns
    /// whether the name is that link now.
    pub fn link(&self, path: &str, target: &str) -> Result<bool, ReadError> {
        self.checked(path)?;
        let fail = |err| ReadError::from(PathError::new("link", self.shown(path), err));
        let (parent, name) = made_parent(self, path).map_err(fail)?;
        match sys::symlink(Path::new(target), &parent, name) {
            Ok(()) => Ok(true),
            Err(err) if err.cause == Cause::Exists => {
                let found = sys::read_link(&parent, name);
                Ok(found.is_ok_and(|found| found.as_os_str() == target))
            }
            Err(err) => Err(fail(err)),
        }
    }

    /// Renames a file to a free name in the same directory and returns that name; `None` if there
    /// is nothing that can be renamed.
    pub(super) fn set_aside(&self, path: &str) -> Result<Option<String>, ReadError> {
        for n in 1..N_TRIES {
            let beside = format!("{path}.{n}.replaced");
            match self.kind(&beside)? {
                None if matches!(self.kind(path)?, None | Some(Kind::Dir)) => return Ok(None),
                None => return self.rename(path, &beside).map(|()| Some(beside)),
                Some(_) => {}
            }
        }
        Ok(None)
    }

    /// Appends bytes to a regular file in one write; creates the file if it is missing.
    pub fn append(&self, path: &str, bytes: &[u8]) -> Result<(), ReadError> {
        self.checked(path)?;
        let fail = |err| ReadError::from_open(self.shown(path), err);
        let (parent, name) = self.parent(path).map_err(fail)?;
        let file = sys::open_to_append(&parent, name, sys::MODE_PRIVATE_FILE).map_err(fail)?;
        match sys::stat_file(&file).map_err(fail)?.kind {
            Kind::File(_) => sys::write_all(&file, bytes).map_err(fail),
            kind => Err(ReadError::NotRegular {
                path: self.shown(path),
                kind,
            }),
        }
    }

    /// Opens a file that is only locked ([`File::lock`]); creates it, empty, if it is missing.
    pub fn open_lock(&self, path: &str) -> Result<File, ReadError> {
        self.checked(path)?;
        let fail = |err| ReadError::from_open(self.shown(path), err);
        let (parent, name) = made_parent(self, path).map_err(fail)?;
        sys::open_to_lock(&parent, name, sys::MODE_PRIVATE_FILE).map_err(fail)
    }

    /// Checks a path under which something is written.
    pub(super) fn checked(&self, path: &str) -> Result<(), ReadError> {
        check_relative(path).map_err(|err| ReadError::from_relative(self.shown(path), err))
    }

    /// Opens the parent directory of `path` without following a link; returns it with the last
    /// component.
    fn parent<'p>(&self, path: &'p str) -> sys::Result<(Dir, &'p str)> {
        let (parent, name) = path.rsplit_once('/').unwrap_or((".", path));
        Ok((sys::open_dir(self.dir(), parent)?, name))
    }
}

/// Like [`Root::parent`], after creating the missing directories.
fn made_parent<'p>(root: &Root, path: &'p str) -> sys::Result<(Dir, &'p str)> {
    match path.rsplit_once('/') {
        Some((parent, name)) => Ok((make_dirs(root.dir(), parent)?, name)),
        None => Ok((sys::open_dir(root.dir(), ".")?, path)),
    }
}

/// Creates a symbolic link; an entry that has the name already stays, and so does one that blocks
/// the path.
pub(super) fn link_to(to: &Root, path: &str, target: &str) -> Result<(), ReadError> {
    let linked = made_parent(to, path)
        .and_then(|(parent, name)| sys::symlink(Path::new(target), &parent, name));
    match linked {
        Ok(()) => Ok(()),
        Err(err)
            if matches!(
                err.cause,
                Cause::Exists | Cause::Link | Cause::NotADirectory
            ) =>
        {
            Ok(())
        }
        Err(err) => Err(PathError::new("link", to.shown(path), err).into()),
    }
}

/// Writes a temporary file, then gives it its name, so that a concurrent reader sees one whole
/// file. Returns whether the file got its name.
pub(super) fn write_new_name(
    to: &Root,
    path: &str,
    bytes: &[u8],
    mode: u32,
    on_existing: OnExisting,
) -> sys::Result<bool> {
    let (dir, name) = made_parent(to, path)?;
    let (beside, file) = create_beside(&dir, mode)?;
    let written = sys::write_all(&file, bytes);
    drop(file);
    let res = written.and_then(|()| match on_existing {
        OnExisting::Replace => sys::rename((&dir, &beside), (&dir, name)),
        OnExisting::Keep => sys::hard_link(&dir, &beside, name),
    });
    if res.is_err() || on_existing == OnExisting::Keep {
        let _ = sys::unlink(&dir, OsStr::new(&beside));
    }
    match res {
        Err(err) if err.cause == Cause::Exists && on_existing == OnExisting::Keep => Ok(false),
        res => res.map(|()| true),
    }
}

/// Creates a file under a free name, skipping names that other programs took.
fn create_beside(dir: &Dir, mode: u32) -> sys::Result<(String, File)> {
    let process = std::process::id();
    for _ in 0..N_TRIES {
        let nth = N_WRITTEN.fetch_add(1, Ordering::Relaxed);
        let beside = format!(".{process}.{nth}.mirror");
        match sys::create(dir, &beside, mode) {
            Err(err) if err.cause == Cause::Exists => {}
            res => return res.map(|file| (beside, file)),
        }
    }
    Err(SysError::because(
        Cause::Exists,
        "every temporary name is taken",
    ))
}

/// Returns whether [`Root::remove`] treats a failure as "nothing to remove".
fn is_not_removable(cause: Cause) -> bool {
    matches!(
        cause,
        Cause::Missing | Cause::NotADirectory | Cause::IsADirectory | Cause::Link | Cause::NotEmpty
    )
}
