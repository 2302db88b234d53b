//! The few calls that change a directory, each naming one entry of an open directory.

use std::ffi::OsStr;

use super::StoreError;
use crate::fs::sys::{self, Cause, File, SysError};
use crate::fs::{Kind, PathError, ReadError, Root, WalkLimits};

/// Limits that list a skill of the store completely.
pub(super) const EVERYTHING: WalkLimits = WalkLimits {
    depth: usize::MAX,
    entries: usize::MAX,
};
/// Mode of directories and of executable files.
pub(super) const MODE_EXECUTABLE: u32 = 0o755;
/// Mode of other files.
pub(super) const MODE_FILE: u32 = 0o644;

/// Opens a directory, creating it first if it does not exist.
pub(super) fn make(parent: &Root, name: &str) -> Result<Root, StoreError> {
    match sys::make_dir(parent.dir(), name, MODE_EXECUTABLE) {
        Err(err) if err.cause != Cause::Exists => return Err(failed("create", parent, name, err)),
        _ => {}
    }
    open(parent, name)?.ok_or_else(|| removed_meanwhile(parent, name))
}

/// Opens a directory; `None` if it does not exist.
pub(super) fn open(parent: &Root, name: &str) -> Result<Option<Root>, StoreError> {
    let err = match sys::open_one(parent.dir(), name) {
        Ok(handle) => return Ok(Some(Root::new(handle, parent.shown(name)))),
        Err(err) => err,
    };
    match err.cause {
        Cause::Missing => Ok(None),
        Cause::NotADirectory | Cause::Link => Err(match kind(parent, name)? {
            Some(kind) => StoreError::NotADirectory {
                path: parent.shown(name),
                found: format!("is a {kind}"),
            },
            None => failed("open", parent, name, err),
        }),
        _ => Err(failed("open", parent, name, err)),
    }
}

/// Returns the kind of an entry; `None` if it does not exist.
pub(super) fn kind(parent: &Root, name: &str) -> Result<Option<Kind>, PathError> {
    match sys::stat(parent.dir(), name) {
        Ok(stat) => Ok(Some(stat.kind)),
        Err(err) if err.cause == Cause::Missing => Ok(None),
        Err(err) => Err(PathError::new("look at", parent.shown(name), err)),
    }
}

/// Creates a file that does not exist yet. `name` may contain directories that the store made.
pub(super) fn create(parent: &Root, name: &str, mode: u32) -> Result<File, PathError> {
    sys::create(parent.dir(), name, mode)
        .map_err(|err| PathError::new("create", parent.shown(name), err))
}

/// Creates a small file with its content, replacing a leftover of the same name.
pub(super) fn write(parent: &Root, name: &str, bytes: &[u8], sync: bool) -> Result<(), PathError> {
    unlink(parent, name)?;
    let file = create(parent, name, MODE_FILE)?;
    let fail = |err| PathError::new("write", parent.shown(name), err);
    sys::write_all(&file, bytes).map_err(fail)?;
    sys::set_mode(&file, MODE_FILE).map_err(fail)?;
    if sync {
        sync_file(&file).map_err(fail)?;
    }
    Ok(())
}

/// Waits until the content of a file is on disk.
pub(super) fn sync_file(file: &File) -> sys::Result<()> {
    Ok(file.sync_all()?)
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
    match sys::unlink(parent.dir(), OsStr::new(name)) {
        Err(err) if err.cause != Cause::Missing => {
            Err(PathError::new("delete", parent.shown(name), err))
        }
        _ => Ok(()),
    }
}

/// Renames a file, replacing an existing one.
pub(super) fn rename_over(from: (&Root, &str), to: (&Root, &str)) -> Result<(), PathError> {
    sys::rename((from.0.dir(), from.1), (to.0.dir(), to.1))
        .map_err(|err| PathError::new("rename", from.0.shown(from.1), err))
}

/// Renames to a name that must be free; fails with [`Cause::Exists`] otherwise.
pub(super) fn rename_new(from: (&Root, &str), to: (&Root, &str)) -> sys::Result<()> {
    sys::rename_new((from.0.dir(), from.1), (to.0.dir(), to.1))
}

/// Exchanges two names in one step. Returns false if the system or the file system does not support
/// that.
pub(super) fn exchange(a: (&Root, &str), b: (&Root, &str)) -> sys::Result<bool> {
    sys::exchange((a.0.dir(), a.1), (b.0.dir(), b.1))
}

/// Waits until the directory's entries are on disk.
pub(super) fn sync(dir: &Root) -> Result<(), PathError> {
    sys::sync_dir(dir.dir()).map_err(|err| PathError::new("sync", dir.path(), err))
}

/// Creates a system error about one name.
pub(super) fn failed(action: &'static str, dir: &Root, name: &str, error: SysError) -> StoreError {
    PathError::new(action, dir.shown(name), error).into()
}

/// Creates the error for a directory that was created and then removed by another program.
pub(super) fn removed_meanwhile(parent: &Root, name: &str) -> StoreError {
    let why = "another program removed it meanwhile";
    failed("open", parent, name, SysError::because(Cause::Missing, why))
}
