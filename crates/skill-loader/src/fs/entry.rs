//! Entries of a directory and their kinds.

use std::fmt;

/// One name found by [`Root::walk`](super::Root::walk).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Path relative to the root, `/` between components; accepted by
    /// [`Root::read`](super::Root::read).
    pub path: String,
    /// Its kind.
    pub kind: Kind,
}

/// The kind of a directory entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A regular file.
    File(FileInfo),
    /// A directory.
    Dir,
    /// A symbolic link, whatever its target.
    Symlink,
    /// A named pipe.
    Fifo,
    /// A socket.
    Socket,
    /// A block or character device, or an unknown type.
    Device,
}

/// Facts about a regular file that are known without opening it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FileInfo {
    /// Size in bytes.
    pub size: u64,
    /// True if any execute bit is set.
    pub executable: bool,
    /// Number of hard links; more than one means that the file has other names.
    pub n_links: u64,
    /// Identity and times, to detect changes.
    pub stamp: Stamp,
}

/// Identity and times of a file. Equal stamps mean that the file was not changed in between, within
/// the resolution of the file system's clock.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Stamp {
    /// Inode number.
    pub inode: u64,
    /// Last change of the content, in nanoseconds since the Unix epoch.
    pub modified: i128,
    /// Last change of content, mode or links, in nanoseconds since the Unix epoch.
    pub changed: i128,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::File(_) => "file",
            Self::Dir => "directory",
            Self::Symlink => "symbolic link",
            Self::Fifo => "named pipe",
            Self::Socket => "socket",
            Self::Device => "device",
        })
    }
}
