//! Entries of a directory and their kinds.

use std::fmt;

use rustix::fs::{FileType, Stat};

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

impl Kind {
    pub(crate) fn from_stat(stat: &Stat) -> Self {
        match FileType::from_raw_mode(stat.st_mode) {
            FileType::RegularFile => Self::File(FileInfo::from_stat(stat)),
            other => Self::from_type(other),
        }
    }

    /// Converts every type except regular files.
    pub(crate) fn from_type(file_type: FileType) -> Self {
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
    pub(crate) fn from_stat(stat: &Stat) -> Self {
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
