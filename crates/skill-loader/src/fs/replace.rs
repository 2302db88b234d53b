//! Replacing one file of a directory that is not a store.

use std::os::fd::{AsFd, OwnedFd};

use rustix::fs::{AtFlags, Mode, OFlags, fchmod, fsync, openat, renameat, statat, unlinkat};
use rustix::io::{Errno, retry_on_intr};

/// Gives `name` in `dir` new bytes: at every instant it is the old file or the new one.
pub(super) fn replace(dir: &OwnedFd, name: &str, bytes: &[u8]) -> Result<(), Errno> {
    let mode = Mode::from_raw_mode(statat(dir, name, AtFlags::SYMLINK_NOFOLLOW)?.st_mode);
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

/// A new file beside `name`; one that a killed process left behind is passed over.
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

fn write_all(file: impl AsFd, mut bytes: &[u8]) -> Result<(), Errno> {
    while !bytes.is_empty() {
        let n_written = retry_on_intr(|| rustix::io::write(&file, bytes))?;
        bytes = &bytes[n_written..];
    }
    Ok(())
}
