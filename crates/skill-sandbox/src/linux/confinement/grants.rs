//! The files that a policy grants, as descriptors that came with the job.

use std::ffi::OsString;
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, fstat, readlink};
use rustix::io::Errno;

use crate::linux::open_path;
use crate::linux::orders::Restrictions;

/// The number of times that a file is looked for if it was renamed meanwhile.
const N_TRIES: usize = 8;

/// An open file or directory and the path at which the child sees it.
#[derive(Debug)]
pub(crate) struct Place {
    pub(crate) at: PathBuf,
    pub(crate) fd: OwnedFd,
}

/// Everything that a policy grants besides the system.
#[derive(Debug)]
pub(crate) struct Grants {
    pub(crate) read: Vec<Place>,
    pub(crate) write: Vec<Place>,
    pub(crate) protect: Vec<Place>,
}

impl Grants {
    /// Assigns the descriptors to the paths of the policy; `None` if some are missing, which
    /// happens when too many files are open.
    pub(crate) fn take(restrictions: &Restrictions, fds: Vec<OwnedFd>) -> Option<Self> {
        let mut fds = fds.into_iter();
        let mut places = |paths: &[PathBuf]| -> Option<Vec<Place>> {
            let places = paths.iter().map(|at| {
                let (at, fd) = (at.clone(), fds.next()?);
                Some(Place { at, fd })
            });
            places.collect()
        };
        Some(Self {
            read: places(&restrictions.read)?,
            write: places(&restrictions.write)?,
            protect: places(&restrictions.protect)?,
        })
    }

    /// Returns true if everything may be written.
    pub(crate) fn is_all(&self) -> bool {
        self.write.iter().any(|place| place.at == Path::new("/"))
    }

    /// Returns true if the real `/tmp` is granted.
    pub(crate) fn has_tmp(&self) -> bool {
        let mut all = self.read.iter().chain(&self.write);
        all.any(|place| Path::new(super::TMP).starts_with(&place.at))
    }
}

/// Opens a file again, in a mount namespace that was entered after it was opened, and returns it
/// with its path.
///
/// A mount of another namespace cannot be cloned (`open_tree(2)`), so the file is opened by its
/// path, without following links. It must be the very same file: anybody may have renamed it
/// meanwhile.
pub(crate) fn reopen(fd: &OwnedFd) -> Result<(OwnedFd, PathBuf), Errno> {
    let wanted = fstat(fd)?;
    for _ in 0..N_TRIES {
        let path = readlink(format!("/proc/self/fd/{}", fd.as_raw_fd()), Vec::new())?;
        let path = PathBuf::from(OsString::from_vec(path.into_bytes()));
        let Ok(opened) = open_path::open(CWD, Path::new("/"), &path) else {
            continue;
        };
        let found = fstat(&opened)?;
        if (found.st_dev, found.st_ino) == (wanted.st_dev, wanted.st_ino) {
            return Ok((opened, path));
        }
    }
    Err(Errno::STALE)
}
