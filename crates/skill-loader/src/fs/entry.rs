//! What a name in a directory stands for.

use std::fmt;

use rustix::fs::{FileType, Stat};

/// One name found by [`Root::walk`](super::Root::walk).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Path relative to the root, `/` between components; fit for
    /// [`Root::read`](super::Root::read).
    pub path: String,
    /// What it is.
    pub kind: Kind,
}

/// The kinds of things in a file system.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A regular file.
    File(FileInfo),
    /// A directory.
    Dir,
    /// A symbolic link, wherever it points.
    Symlink,
    /// A named pipe.
    Fifo,
    /// A socket.
    Socket,
    /// A block or character device, or something unheard of.
    Device,
}

/// What is known of a regular file without opening it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FileInfo {
    /// Size in bytes.
    pub size: u64,
    /// Whether anybody may execute it.
    pub executable: bool,
    /// How many names it has; more than one is a hard link.
    pub n_links: u64,
    /// Changes whenever the file does.
    pub stamp: Stamp,
}

/// Identity and times of a file: equal stamps mean that it was not touched between the two
/// looks, as far as the clock of the file system can tell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Stamp {
    /// Inode number.
    pub inode: u64,
    /// Last change of the content, in nanoseconds of the system's clock.
    pub modified: i128,
    /// Last change of content, mode or links, in the same.
    pub changed: i128,
}

impl Kind {
    pub(crate) fn of(stat: &Stat) -> Self {
        match FileType::from_raw_mode(stat.st_mode) {
            FileType::RegularFile => Self::File(FileInfo::of(stat)),
            other => Self::of_type(other),
        }
    }

    /// For every type but regular files.
    pub(crate) fn of_type(file_type: FileType) -> Self {
        match file_type {
            FileType::Directory => Self::Dir,
            FileType::Symlink => Self::Symlink,
            FileType::Fifo => Self::Fifo,
            FileType::Socket => Self::Socket,
            _ => Self::Device,
        }
    }
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

impl FileInfo {
    pub(crate) fn of(stat: &Stat) -> Self {
        Self {
            size: u64::try_from(stat.st_size).unwrap_or(0),
            executable: stat.st_mode & 0o111 != 0,
            n_links: stat.st_nlink,
            stamp: Stamp {
                inode: stat.st_ino,
                modified: nanoseconds(stat.st_mtime, stat.st_mtime_nsec),
                changed: nanoseconds(stat.st_ctime, stat.st_ctime_nsec),
            },
        }
    }
}

fn nanoseconds(seconds: i64, rest: u64) -> i128 {
    i128::from(seconds) * 1_000_000_000 + i128::from(rest)
}
