//! Opening one name below a directory handle: `openat2` on Linux, one component at a time elsewhere.

use std::os::fd::{AsFd, OwnedFd};
#[cfg(target_os = "linux")]
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::fs::{Mode, OFlags, openat};
#[cfg(target_os = "linux")]
use rustix::fs::{ResolveFlags, openat2};
use rustix::io::Errno;

/// Flags for regular files: never blocks on a FIFO, never acquires a controlling terminal.
pub(crate) const FILE: OFlags = OFlags::RDONLY
    .union(OFlags::NONBLOCK)
    .union(OFlags::NOCTTY)
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC);

/// Flags for directories.
pub(crate) const DIRECTORY: OFlags = OFlags::RDONLY
    .union(OFlags::DIRECTORY)
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC);

#[cfg(target_os = "linux")]
const RESOLVE: ResolveFlags = ResolveFlags::BENEATH
    .union(ResolveFlags::NO_SYMLINKS)
    .union(ResolveFlags::NO_MAGICLINKS)
    .union(ResolveFlags::NO_XDEV);

/// Number of attempts of a lookup that raced with a rename.
#[cfg(target_os = "linux")]
const N_TRIES: usize = 64;

/// Set once the kernel has reported that it does not support `openat2`.
#[cfg(target_os = "linux")]
static WITHOUT_OPENAT2: AtomicBool = AtomicBool::new(false);

/// Opens `path` below `dir` without following a link anywhere. `path` may be `.`.
#[cfg(not(target_os = "linux"))]
pub(crate) use by_component as beneath;

/// Opens `path` below `dir` without following a link anywhere. `path` may be `.`.
#[cfg(target_os = "linux")]
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

/// Falls back to [`by_component`]. Some sandboxes answer "not permitted" to unknown system calls,
/// so that answer triggers the fallback once, and only a clear "not implemented" is remembered.
#[cfg(target_os = "linux")]
fn without_openat2(dir: impl AsFd, path: &str, flags: OFlags) -> Result<OwnedFd, Errno> {
    let probe = openat2(dir.as_fd(), ".", DIRECTORY, Mode::empty(), RESOLVE);
    if matches!(probe, Err(Errno::NOSYS)) {
        WITHOUT_OPENAT2.store(true, Ordering::Relaxed);
    }
    by_component(dir, path, flags)
}

/// Does the same with plain `openat`, opening each component from the handle of the previous one.
pub(crate) fn by_component(dir: impl AsFd, path: &str, flags: OFlags) -> Result<OwnedFd, Errno> {
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
        // O_DIRECTORY reports a link as "not a directory"; report it as a link.
        Err(Errno::NOTDIR) if is_link(&dir, name) => Err(Errno::LOOP),
        res => res,
    }
}

fn is_link(dir: impl AsFd, name: &str) -> bool {
    rustix::fs::statat(dir, name, rustix::fs::AtFlags::SYMLINK_NOFOLLOW)
        .is_ok_and(|stat| rustix::fs::FileType::from_raw_mode(stat.st_mode).is_symlink())
}

/// One plain `openat`, for a single name in a directory that is trusted not to contain links, or
/// with `O_NOFOLLOW` among the flags.
pub(crate) fn at(dir: impl AsFd, name: &str, flags: OFlags) -> Result<OwnedFd, Errno> {
    rustix::io::retry_on_intr(|| openat(dir.as_fd(), name, flags, Mode::empty()))
}
