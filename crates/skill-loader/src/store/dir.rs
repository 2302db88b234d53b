//! The few calls that change a directory, each naming one entry of an open directory.

use std::io;
use std::os::fd::OwnedFd;

use rustix::fs::{AtFlags, Mode, OFlags, RenameFlags};
use rustix::io::{Errno, retry_on_intr};

use super::StoreError;
use crate::fs::{DIRECTORY, Kind, PathError, ReadError, Root, at};

/// Mode of directories and of executable files.
pub(super) const MODE_EXECUTABLE: Mode = Mode::from_raw_mode(0o755);
/// Mode of other files.
pub(super) const MODE_FILE: Mode = Mode::from_raw_mode(0o644);

const NEW_FILE: OFlags = OFlags::WRONLY
    .union(OFlags::CREATE)
    .union(OFlags::EXCL)
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC);

/// Opens a directory, creating it first if it does not exist.
pub(super) fn make(parent: &Root, name: &str) -> Result<Root, StoreError> {
    match rustix::fs::mkdirat(parent, name, MODE_EXECUTABLE) {
        Ok(()) | Err(Errno::EXIST) => {}
        Err(err) => return Err(PathError::new("create", parent.shown(name), err).into()),
    }
    open(parent, name)?
        .ok_or_else(|| PathError::new("open", parent.shown(name), Errno::NOENT).into())
}

/// Opens a directory; `None` if it does not exist.
pub(super) fn open(parent: &Root, name: &str) -> Result<Option<Root>, StoreError> {
    match at(parent, name, DIRECTORY) {
        Ok(handle) => Ok(Some(Root::new(handle, parent.shown(name)))),
        Err(Errno::NOENT) => Ok(None),
        Err(err @ (Errno::NOTDIR | Errno::LOOP)) => Err(match kind(parent, name)? {
            Some(kind) => StoreError::NotADirectory {
                path: parent.shown(name),
                found: format!("is a {kind}"),
            },
            None => PathError::new("open", parent.shown(name), err).into(),
        }),
        Err(err) => Err(PathError::new("open", parent.shown(name), err).into()),
    }
}

/// Returns the kind of an entry; `None` if it does not exist.
pub(super) fn kind(parent: &Root, name: &str) -> Result<Option<Kind>, PathError> {
    match rustix::fs::statat(parent, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => Ok(Some(Kind::from_stat(&stat))),
        Err(Errno::NOENT) => Ok(None),
        Err(err) => Err(PathError::new("look at", parent.shown(name), err)),
    }
}

/// Creates a file that does not exist yet. `name` may contain directories that the store made.
pub(super) fn create(parent: &Root, name: &str, mode: Mode) -> Result<OwnedFd, PathError> {
    retry_on_intr(|| rustix::fs::openat(parent, name, NEW_FILE, mode))
        .map_err(|err| PathError::new("create", parent.shown(name), err))
}

/// Creates a small file with its content, replacing a leftover of the same name.
pub(super) fn write(parent: &Root, name: &str, bytes: &[u8], sync: bool) -> Result<(), PathError> {
    unlink(parent, name)?;
    let file = create(parent, name, MODE_FILE)?;
    let fail = |err| PathError::new("write", parent.shown(name), err);
    write_all(&file, bytes).map_err(fail)?;
    rustix::fs::fchmod(&file, MODE_FILE).map_err(fail)?;
    if sync {
        rustix::fs::fsync(&file).map_err(fail)?;
    }
    Ok(())
}

/// Writes all of `bytes`.
pub(super) fn write_all(file: &OwnedFd, mut bytes: &[u8]) -> Result<(), Errno> {
    while !bytes.is_empty() {
        match retry_on_intr(|| rustix::io::write(file, bytes))? {
            0 => return Err(Errno::IO),
            n_written => bytes = &bytes[n_written..],
        }
    }
    Ok(())
}

/// Reads a whole regular file; `None` if it does not exist.
pub(super) fn read(parent: &Root, name: &str) -> Result<Option<Vec<u8>>, ReadError> {
    match parent.read(name, u64::MAX) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(ReadError::Missing { .. }) => Ok(None),
        Err(err) => Err(err),
    }
}

/// Deletes one file if it exists.
pub(super) fn unlink(parent: &Root, name: &str) -> Result<(), PathError> {
    match rustix::fs::unlinkat(parent, name, AtFlags::empty()) {
        Ok(()) | Err(Errno::NOENT) => Ok(()),
        Err(err) => Err(PathError::new("delete", parent.shown(name), err)),
    }
}

/// Renames a file, replacing an existing one.
pub(super) fn rename_over(from: (&Root, &str), to: (&Root, &str)) -> Result<(), PathError> {
    rustix::fs::renameat(from.0, from.1, to.0, to.1)
        .map_err(|err| PathError::new("rename", from.0.shown(from.1), err))
}

/// Renames to a name that must be free; fails with `EXIST` otherwise.
pub(super) fn rename_new(from: (&Root, &str), to: (&Root, &str)) -> Result<(), Errno> {
    let res = rustix::fs::renameat_with(from.0, from.1, to.0, to.1, RenameFlags::NOREPLACE);
    if !is_unsupported(res) {
        return res;
    }
    match rustix::fs::statat(to.0, to.1, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(_) => Err(Errno::EXIST),
        Err(Errno::NOENT) => rustix::fs::renameat(from.0, from.1, to.0, to.1),
        Err(err) => Err(err),
    }
}

/// Exchanges two names in one step. Returns false if the file system does not support that.
pub(super) fn exchange(a: (&Root, &str), b: (&Root, &str)) -> Result<bool, Errno> {
    let res = rustix::fs::renameat_with(a.0, a.1, b.0, b.1, RenameFlags::EXCHANGE);
    if is_unsupported(res) {
        return Ok(false);
    }
    res.map(|()| true)
}

fn is_unsupported(res: Result<(), Errno>) -> bool {
    matches!(res, Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP))
}

/// Waits until the directory's entries are on disk.
pub(super) fn sync(dir: &Root) -> Result<(), PathError> {
    rustix::fs::fsync(dir).map_err(|err| PathError::new("sync", dir.path(), err))
}

/// Creates a system error about one name.
pub(super) fn failed(action: &'static str, dir: &Root, name: &str, errno: Errno) -> StoreError {
    PathError {
        action,
        path: dir.shown(name),
        source: io::Error::from(errno),
    }
    .into()
}
