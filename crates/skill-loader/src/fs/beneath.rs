//! Changing what lies beneath a held directory.
//!
//! Others may write there at the same time. Each operation opens the parent directory component by
//! component without following a link, and then acts on one name in it.

use std::os::fd::OwnedFd;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::fs::{
    AtFlags, Mode, OFlags, RenameFlags, fstat, linkat, openat, readlinkat, renameat, renameat_with,
    statat, symlinkat, unlinkat,
};
use rustix::io::Errno;

use super::replace::{make_dirs, write_all};
use super::{Kind, PathError, ReadError, Root, check_relative, open};

/// Files written by this process so far: no two have one name at a time.
static N_WRITTEN: AtomicU64 = AtomicU64::new(0);
/// How often a free name is looked for.
const N_TRIES: u32 = 100;

/// What happens to a file that has the name already.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Placed {
    /// It is replaced.
    Replacing,
    /// It stays, and the new one is not written.
    IfFree,
}

impl Root {
    /// Opens a directory, after making it, and those above it, where they are missing: for this
    /// user alone.
    pub fn make(path: &Path) -> Result<Self, PathError> {
        use std::os::unix::fs::DirBuilderExt as _;
        let mut builder = std::fs::DirBuilder::new();
        let made = builder.recursive(true).mode(0o700).create(path);
        made.map_err(|source| PathError {
            action: "create",
            path: path.to_owned(),
            source,
        })?;
        Self::open_real(&super::resolve(path)?)
    }

    /// Makes a directory beneath, and those on the way to it.
    pub fn make_dir(&self, dir: &str) -> Result<(), ReadError> {
        self.checked(dir)?;
        make_dirs(self, dir)
            .map(drop)
            .map_err(|err| ReadError::from_open(self.shown(dir), err))
    }

    /// Writes a file beneath, whole, unless something has its name; says whether it did. Of many
    /// that try at once, one does.
    pub fn write_if_free(&self, path: &str, bytes: &[u8]) -> Result<bool, ReadError> {
        self.checked(path)?;
        write_new_name(self, path, bytes, 0o600, Placed::IfFree)
            .map_err(|err| PathError::new("write", self.shown(path), err).into())
    }

    /// Removes a file or a link beneath; none is fine, and so is a directory, which stays. A link
    /// on the way leads nowhere: nothing is removed then.
    pub fn remove(&self, path: &str) -> Result<(), ReadError> {
        self.remove_with(path, AtFlags::empty())
    }

    /// Removes an empty directory beneath; one that is not empty stays.
    pub fn remove_empty_dir(&self, path: &str) -> Result<(), ReadError> {
        self.remove_with(path, AtFlags::REMOVEDIR)
    }

    fn remove_with(&self, path: &str, flags: AtFlags) -> Result<(), ReadError> {
        self.checked(path)?;
        let removed = match self.parent(path) {
            Ok((parent, name)) => unlinkat(&parent, name, flags),
            Err(err) => Err(err),
        };
        match removed {
            Ok(())
            | Err(Errno::NOENT | Errno::NOTDIR | Errno::ISDIR | Errno::LOOP | Errno::NOTEMPTY) => {
                Ok(())
            }
            Err(err) => Err(PathError::new("remove", self.shown(path), err).into()),
        }
    }

    /// Gives a file, link or directory beneath another name beneath, where nothing has that name.
    pub fn rename(&self, from: &str, to: &str) -> Result<(), ReadError> {
        self.checked(from)?;
        self.checked(to)?;
        let fail = |err| ReadError::from(PathError::new("rename", self.shown(from), err));
        let (source, name) = self.parent(from).map_err(fail)?;
        let (target, new_name) = made_parent(self, to).map_err(fail)?;
        match renameat_with(&source, name, &target, new_name, RenameFlags::NOREPLACE) {
            // Not every file system can refuse.
            Err(Errno::INVAL) if statat(&target, new_name, AtFlags::SYMLINK_NOFOLLOW).is_err() => {
                renameat(&source, name, &target, new_name).map_err(fail)
            }
            res => res.map_err(fail),
        }
    }

    /// Makes a symbolic link beneath; one that leads there already is fine. Says whether the name
    /// is that link now.
    pub fn link(&self, path: &str, target: &str) -> Result<bool, ReadError> {
        self.checked(path)?;
        let fail = |err| ReadError::from(PathError::new("link", self.shown(path), err));
        let (parent, name) = made_parent(self, path).map_err(fail)?;
        match symlinkat(target, &parent, name) {
            Ok(()) => Ok(true),
            Err(Errno::EXIST) => {
                let found = readlinkat(&parent, name, Vec::new());
                Ok(found.is_ok_and(|found| found.to_bytes() == target.as_bytes()))
            }
            Err(err) => Err(fail(err)),
        }
    }

    /// Renames a file beneath to a free name beside it, which is returned; `None` where there is
    /// nothing that can be renamed.
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

    /// Adds bytes to the end of a regular file beneath, which is made where it is missing, in one
    /// write.
    pub fn append(&self, path: &str, bytes: &[u8]) -> Result<(), ReadError> {
        self.checked(path)?;
        let fail = |err| ReadError::from_open(self.shown(path), err);
        let (parent, name) = self.parent(path).map_err(fail)?;
        // A FIFO that nobody reads is an error instead of a wait.
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::APPEND | OFlags::NONBLOCK;
        let flags = flags | OFlags::NOFOLLOW | OFlags::NOCTTY | OFlags::CLOEXEC;
        let file = openat(&parent, name, flags, Mode::RUSR | Mode::WUSR).map_err(fail)?;
        match Kind::of(&fstat(&file).map_err(fail)?) {
            Kind::File(_) => write_all(&file, bytes).map_err(fail),
            kind => Err(ReadError::NotRegular {
                path: self.shown(path),
                kind,
            }),
        }
    }

    /// Opens a file beneath that is there to be locked (`flock(2)`); made, empty, where it is missing.
    pub fn open_lock(&self, path: &str) -> Result<OwnedFd, ReadError> {
        self.checked(path)?;
        let fail = |err| ReadError::from_open(self.shown(path), err);
        let (parent, name) = made_parent(self, path).map_err(fail)?;
        let flags = OFlags::RDONLY | OFlags::CREATE | OFlags::NONBLOCK;
        let flags = flags | OFlags::NOFOLLOW | OFlags::NOCTTY | OFlags::CLOEXEC;
        openat(&parent, name, flags, Mode::RUSR | Mode::WUSR).map_err(fail)
    }

    fn checked(&self, path: &str) -> Result<(), ReadError> {
        check_relative(path).map_err(|_| ReadError::Outside {
            path: self.shown(path),
        })
    }

    /// The directory that a path lies in, opened without following a link, and the last name.
    fn parent<'p>(&self, path: &'p str) -> Result<(OwnedFd, &'p str), Errno> {
        let (parent, name) = path.rsplit_once('/').unwrap_or((".", path));
        Ok((open::beneath(self, parent, open::DIRECTORY)?, name))
    }
}

/// The same, after making the directories that are missing.
fn made_parent<'p>(root: &Root, path: &'p str) -> Result<(OwnedFd, &'p str), Errno> {
    match path.rsplit_once('/') {
        Some((parent, name)) => Ok((make_dirs(root, parent)?, name)),
        None => Ok((open::beneath(root, ".", open::DIRECTORY)?, path)),
    }
}

/// Makes a symbolic link; what has the name already stays, and so does what is in the way.
pub(super) fn link_to(to: &Root, path: &str, target: &str) -> Result<(), ReadError> {
    let linked = made_parent(to, path).and_then(|(parent, name)| symlinkat(target, &parent, name));
    match linked {
        Ok(()) | Err(Errno::EXIST | Errno::LOOP | Errno::NOTDIR) => Ok(()),
        Err(err) => Err(PathError::new("link", to.shown(path), err).into()),
    }
}

/// Writes a file beside, then gives it its name, so that a program that runs meanwhile sees one
/// whole file. Says whether it has its name.
pub(super) fn write_new_name(
    to: &Root,
    path: &str,
    bytes: &[u8],
    mode: u32,
    placed: Placed,
) -> Result<bool, Errno> {
    let (dir, name) = made_parent(to, path)?;
    let (beside, file) = create_beside(&dir, Mode::from_raw_mode(mode))?;
    let res = write_all(&file, bytes).and_then(|()| match placed {
        Placed::Replacing => renameat(&dir, &beside, &dir, name),
        Placed::IfFree => linkat(&dir, &beside, &dir, name, AtFlags::empty()),
    });
    if res.is_err() || placed == Placed::IfFree {
        let _ = unlinkat(&dir, &beside, AtFlags::empty());
    }
    match res {
        Err(Errno::EXIST) if placed == Placed::IfFree => Ok(false),
        res => res.map(|()| true),
    }
}

/// A new file under a name that nothing has yet: what a program put there is passed over.
fn create_beside(dir: &OwnedFd, mode: Mode) -> Result<(String, OwnedFd), Errno> {
    let process = rustix::process::getpid().as_raw_nonzero();
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    for _ in 0..N_TRIES {
        let nth = N_WRITTEN.fetch_add(1, Ordering::Relaxed);
        let beside = format!(".{process}.{nth}.mirror");
        match openat(dir, &beside, flags, mode) {
            Err(Errno::EXIST) => {}
            res => return res.map(|file| (beside, file)),
        }
    }
    Err(Errno::EXIST)
}
