//! What can go wrong with a path.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use rustix::io::Errno;
use thiserror::Error;

use super::Kind;

/// The system refused something. The message is `cannot {action} {path}`; the reason is the
/// source.
#[derive(Debug, Error)]
#[error("cannot {action} {}", shown(.path))]
pub struct PathError {
    /// What was tried: a verb, `read`, `create` …
    pub action: &'static str,
    /// On what.
    pub path: PathBuf,
    /// Why not.
    pub source: io::Error,
}

impl PathError {
    pub(crate) fn new(action: &'static str, path: impl Into<PathBuf>, errno: Errno) -> Self {
        Self {
            action,
            path: path.into(),
            source: errno.into(),
        }
    }

    /// A reason that is not the system's.
    pub(crate) fn because(action: &'static str, path: impl Into<PathBuf>, why: &str) -> Self {
        Self {
            action,
            path: path.into(),
            source: io::Error::other(why.to_owned()),
        }
    }
}

/// A file could not be read.
#[derive(Debug, Error)]
pub enum ReadError {
    /// There is no such file.
    #[error("{}: no such file", shown(.path))]
    Missing {
        /// Which one.
        path: PathBuf,
    },
    /// The file, or a directory on the way to it, is a link.
    #[error("{}: is or passes a symbolic link", shown(.path))]
    Link {
        /// Which one.
        path: PathBuf,
    },
    /// The path is absolute, has `..`, or leaves the root in another way.
    #[error("{}: leads outside", shown(.path))]
    Outside {
        /// Which one.
        path: PathBuf,
    },
    /// It is a directory, a FIFO, a socket or a device.
    #[error("{}: is a {kind}, not a regular file", shown(.path))]
    NotRegular {
        /// Which one.
        path: PathBuf,
        /// What it is.
        kind: Kind,
    },
    /// It has more bytes than the caller allows.
    #[error("{}: more than {limit} bytes", shown(.path))]
    TooLarge {
        /// Which one.
        path: PathBuf,
        /// How many are allowed.
        limit: u64,
    },
    /// The system refused.
    #[error(transparent)]
    Io(#[from] PathError),
}

impl ReadError {
    /// Names the errno of opening `path`.
    pub(crate) fn from_open(path: PathBuf, errno: Errno) -> Self {
        match errno {
            Errno::NOENT | Errno::NOTDIR => Self::Missing { path },
            Errno::LOOP => Self::Link { path },
            Errno::XDEV => Self::Outside { path },
            Errno::NXIO => Self::NotRegular {
                path,
                kind: Kind::Socket,
            },
            _ => PathError::new("open", path, errno).into(),
        }
    }
}

/// A path for people: lossy, control characters escaped, so that no name plays with a terminal.
pub fn shown(path: &Path) -> impl fmt::Display {
    Shown(path.to_string_lossy().into_owned())
}

struct Shown(String);

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for char in self.0.chars() {
            if char.is_control() {
                write!(f, "{}", char.escape_default())?;
            } else {
                fmt::Write::write_char(f, char)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_name_action_and_path() {
        let err = PathError::new("read", "a/b\n\u{1b}[8m", Errno::IO);
        assert_eq!(err.to_string(), "cannot read a/b\\n\\u{1b}[8m");
        let err = ReadError::from_open("x".into(), Errno::LOOP);
        assert_eq!(err.to_string(), "x: is or passes a symbolic link");
    }
}
