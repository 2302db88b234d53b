//! The operations of the system on files: one module per system with the same functions.
//!
//! Every function acts on one open directory and a path in it, and follows no link unless it says
//! so. Callers check paths with [`check_relative`](super::check_relative) first.
//!
//! | guarantee | Linux | macOS | Windows |
//! |---|---|---|---|
//! | a path stays inside, no link is followed | `openat2`, or one component at a time | one component at a time | one component at a time; reparse points count as links |
//! | no other mount | `openat2` only | no | no |
//! | a directory swapped between two calls leads nowhere | yes | yes | yes for opening; renames and deletions go by the path of a directory that is held open |
//! | reading does not wait for a FIFO | yes | yes | directories have no FIFOs |
//! | two directories are exchanged in one step | yes, if the file system can | yes, if the file system can | no: two renames, which the journal repairs |
//! | a rename that does not replace | one step | one step | a check, then the rename |
//! | data reaches the disk | file and directory | file and directory (`F_FULLFSYNC`) | file |
//! | permissions and the executable bit | yes | yes | no |

mod error;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

use super::{FileInfo, Kind};

pub(crate) use error::{Cause, SysError};
#[cfg(unix)]
pub(crate) use unix::*;
#[cfg(windows)]
pub(crate) use windows::*;

/// The result of an operation of the system.
pub(crate) type Result<T> = std::result::Result<T, SysError>;

/// Mode of files and directories that only their owner can use; ignored on Windows.
pub(crate) const MODE_PRIVATE_FILE: u32 = 0o600;
/// Mode of directories that only their owner can use; ignored on Windows.
pub(crate) const MODE_PRIVATE_DIRECTORY: u32 = 0o700;

/// Facts about an entry of a directory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stat {
    /// Its kind.
    pub(crate) kind: Kind,
    /// Size, links and times, which directories have too.
    pub(crate) info: FileInfo,
}

/// A name in a directory.
pub(crate) struct Name<'n> {
    /// The name; if it is not UTF-8, the error has it with U+FFFD in place of other bytes.
    pub(crate) text: std::result::Result<&'n str, String>,
    /// Its kind; `None` if only [`stat`] can tell.
    pub(crate) kind: Option<Kind>,
}

/// Creates a directory for this user only, with its missing parents.
pub(crate) fn make_private_dirs(path: &std::path::Path) -> std::io::Result<()> {
    private_dir_builder().recursive(true).create(path)
}

/// Creates a directory for this user only; fails if the name is taken.
pub(crate) fn make_private_dir(path: &std::path::Path) -> std::io::Result<()> {
    private_dir_builder().create(path)
}
