//! What a child may reach beyond the system, as descriptors that came with the job.

use std::ffi::OsString;
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, fstat, readlink};
use rustix::io::Errno;

use crate::held;
use crate::policy::Walls;

/// How often a file that was renamed while it was looked for is looked for again.
const N_TRIES: usize = 8;

/// A file or directory that is held open, and where the child sees it.
#[derive(Debug)]
pub(crate) struct Place {
    pub(crate) at: PathBuf,
    pub(crate) fd: OwnedFd,
}

/// Everything that a policy gives.
#[derive(Debug)]
pub(crate) struct Given {
    pub(crate) read: Vec<Place>,
    pub(crate) write: Vec<Place>,
    pub(crate) protect: Vec<Place>,
}

impl Given {
    /// Takes the descriptors that belong to the places of the policy; `None` when some are missing,
    /// which happens when too many files are open.
    pub(crate) fn take(walls: &Walls, fds: Vec<OwnedFd>) -> Option<Self> {
        let mut fds = fds.into_iter();
        let mut places = |paths: &[PathBuf]| -> Option<Vec<Place>> {
            let places = paths.iter().map(|at| {
                let (at, fd) = (at.clone(), fds.next()?);
                Some(Place { at, fd })
            });
            places.collect()
        };
        Some(Self {
            read: places(&walls.read)?,
            write: places(&walls.write)?,
            protect: places(&walls.protect)?,
        })
    }

    /// Whether everything may be written.
    pub(crate) fn is_all(&self) -> bool {
        self.write.iter().any(|place| place.at == Path::new("/"))
    }

    /// Whether the real `/tmp` is given.
    pub(crate) fn has_tmp(&self) -> bool {
        let mut all = self.read.iter().chain(&self.write);
        all.any(|place| Path::new(super::TMP).starts_with(&place.at))
    }
}

/// Opens a file again, in a mount namespace that was entered after it was opened.
///
/// A mount of another namespace cannot be cloned (`open_tree(2)`), so the file is opened by its path,
/// without following a link, and must be the very same: anybody may have renamed it meanwhile.
/// With it comes that path.
pub(crate) fn again(fd: &OwnedFd) -> Result<(OwnedFd, PathBuf), Errno> {
    let wanted = fstat(fd)?;
    for _ in 0..N_TRIES {
        let path = readlink(format!("/proc/self/fd/{}", fd.as_raw_fd()), Vec::new())?;
        let path = PathBuf::from(OsString::from_vec(path.into_bytes()));
        let Ok(opened) = held::open(CWD, Path::new("/"), &path) else {
            continue;
        };
        let found = fstat(&opened)?;
        if (found.st_dev, found.st_ino) == (wanted.st_dev, wanted.st_ino) {
            return Ok((opened, path));
        }
    }
    Err(Errno::STALE)
}
