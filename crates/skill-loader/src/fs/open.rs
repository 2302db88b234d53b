//! Opening one name beneath a directory handle.

use std::os::fd::{AsFd, OwnedFd};
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::fs::{Mode, OFlags, ResolveFlags, openat, openat2};
use rustix::io::Errno;

/// Regular files: never blocks on a FIFO, never becomes the controlling terminal.
pub(crate) const FILE: OFlags = OFlags::RDONLY
    .union(OFlags::NONBLOCK)
    .union(OFlags::NOCTTY)
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC);

/// Directories.
pub(crate) const DIRECTORY: OFlags = OFlags::RDONLY
    .union(OFlags::DIRECTORY)
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC);

const RESOLVE: ResolveFlags = ResolveFlags::BENEATH
    .union(ResolveFlags::NO_SYMLINKS)
    .union(ResolveFlags::NO_MAGICLINKS)
    .union(ResolveFlags::NO_XDEV);

/// How often a lookup that raced with a rename is tried again.
const N_TRIES: usize = 64;

/// Set once the kernel has said that it does not know `openat2`.
static WITHOUT_OPENAT2: AtomicBool = AtomicBool::new(false);

/// Opens `path` beneath `dir` without following a link anywhere. `path` may be `.`.
pub(crate) fn beneath(dir: impl AsFd, path: &str, flags: OFlags) -> Result<OwnedFd, Errno> {
    if WITHOUT_OPENAT2.load(Ordering::Relaxed) {
        return by_component(dir, path, flags);
    }
    for _ in 0..N_TRIES {
        match openat2(dir.as_fd(), path, flags, Mode::empty(), RESOLVE) {
            Err(Errno::AGAIN | Errno::INTR) => {}
            Err(Errno::NOSYS | Errno::PERM) => return without_openat2(dir, path, flags),
            res => return res,
        }
    }
    Err(Errno::AGAIN)
}

/// Some sandboxes say "not permitted" for system calls that they do not know, so that answer is
/// asked again the other way, and only a clear "not implemented" is remembered.
fn without_openat2(dir: impl AsFd, path: &str, flags: OFlags) -> Result<OwnedFd, Errno> {
    let probe = openat2(dir.as_fd(), ".", DIRECTORY, Mode::empty(), RESOLVE);
    if matches!(probe, Err(Errno::NOSYS)) {
        WITHOUT_OPENAT2.store(true, Ordering::Relaxed);
    }
    by_component(dir, path, flags)
}

/// The same with plain `openat`: each component from the handle of the one before.
pub(super) fn by_component(dir: impl AsFd, path: &str, flags: OFlags) -> Result<OwnedFd, Errno> {
    if path.starts_with('/') {
        return Err(Errno::XDEV);
    }
    let (parents, name) = path.rsplit_once('/').unwrap_or(("", path));
    let mut held: Option<OwnedFd> = None;
    for component in parents.split('/').filter(|part| !matches!(*part, "" | ".")) {
        held = Some(match &held {
            None => one(dir.as_fd(), component, DIRECTORY)?,
            Some(parent) => one(parent, component, DIRECTORY)?,
        });
    }
    match &held {
        None => one(dir, name, flags),
        Some(parent) => one(parent, name, flags),
    }
}

fn one(dir: impl AsFd, name: &str, flags: OFlags) -> Result<OwnedFd, Errno> {
    if name == ".." {
        return Err(Errno::XDEV);
    }
    match at(&dir, name, flags) {
        // With O_DIRECTORY a link is "not a directory"; say what it is.
        Err(Errno::NOTDIR) if is_link(&dir, name) => Err(Errno::LOOP),
        res => res,
    }
}

fn is_link(dir: impl AsFd, name: &str) -> bool {
    rustix::fs::statat(dir, name, rustix::fs::AtFlags::SYMLINK_NOFOLLOW)
        .is_ok_and(|stat| rustix::fs::FileType::from_raw_mode(stat.st_mode).is_symlink())
}

/// One plain `openat`, for a single name in a directory that is trusted not to hold links, or
/// with `O_NOFOLLOW` among the flags.
pub(crate) fn at(dir: impl AsFd, name: &str, flags: OFlags) -> Result<OwnedFd, Errno> {
    rustix::io::retry_on_intr(|| openat(dir.as_fd(), name, flags, Mode::empty()))
}
