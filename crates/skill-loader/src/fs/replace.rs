//! Replacing one file of a directory that is not a store.

use std::os::fd::{AsFd, OwnedFd};

use rustix::fs::{
    AtFlags, Mode, OFlags, fchmod, fsync, mkdirat, openat, renameat, statat, unlinkat,
};
use rustix::io::{Errno, retry_on_intr};

use super::open;

/// Gives the file `name` in `dir` new content atomically: a reader sees the old file or the new
/// one.
pub(super) fn replace(dir: &OwnedFd, name: &str, bytes: &[u8]) -> Result<(), Errno> {
    let mode = Mode::from_raw_mode(statat(dir, name, AtFlags::SYMLINK_NOFOLLOW)?.st_mode);
    write_with(dir, name, bytes, mode)
}

/// Writes the file `name` in `dir` atomically, whatever had that name; a link is replaced, not
/// followed.
pub(super) fn write_whole(dir: &OwnedFd, name: &str, bytes: &[u8]) -> Result<(), Errno> {
    write_with(dir, name, bytes, Mode::RUSR | Mode::WUSR)
}

/// Opens a directory below `root`; creates missing components with mode 0700.
pub(super) fn make_dirs(root: impl AsFd, path: &str) -> Result<OwnedFd, Errno> {
    let ends = path.match_indices('/').map(|(at, _)| at);
    for end in ends.chain([path.len()]) {
        let (parent, name) = path[..end].rsplit_once('/').unwrap_or((".", &path[..end]));
        let parent = open::by_component(&root, parent, open::DIRECTORY)?;
        match mkdirat(&parent, name, Mode::RWXU) {
            Ok(()) | Err(Errno::EXIST) => {}
            Err(err) => return Err(err),
        }
    }
    // Reports a link as a link; `openat2` only says that it is not a directory.
    open::by_component(&root, path, open::DIRECTORY)
}

fn write_with(dir: &OwnedFd, name: &str, bytes: &[u8], mode: Mode) -> Result<(), Errno> {
    let (beside, file) = create(dir, name)?;
    let res = write_all(&file, bytes)
        .and_then(|()| fchmod(&file, mode))
        .and_then(|()| fsync(&file))
        .and_then(|()| renameat(dir, &beside, dir, name));
    if res.is_err() {
        let _ = unlinkat(dir, &beside, AtFlags::empty());
    }
    res
}

/// Creates a temporary file next to `name`, skipping one that a killed process left behind.
fn create(dir: &OwnedFd, name: &str) -> Result<(String, OwnedFd), Errno> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    for n in 0..100 {
        let beside = format!(".{name}.{n}.tmp");
        match openat(dir, &beside, flags, Mode::RUSR | Mode::WUSR) {
            Err(Errno::EXIST) => {}
            res => return res.map(|file| (beside, file)),
        }
    }
    Err(Errno::EXIST)
}

pub(super) fn write_all(file: impl AsFd, mut bytes: &[u8]) -> Result<(), Errno> {
    while !bytes.is_empty() {
        let n_written = retry_on_intr(|| rustix::io::write(&file, bytes))?;
        bytes = &bytes[n_written..];
    }
    Ok(())
}
