//! Errors about paths.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use skill_model::NameFlaw;
use thiserror::Error;

use super::sys::{Cause, SysError};
use super::{Kind, RelativeError};

/// A system call failed. The message is `cannot {action} {path}`; the reason is the source.
#[derive(Debug, Error)]
#[error("cannot {action} {}", shown(.path))]
pub struct PathError {
    /// The verb of the attempted action: `read`, `create` …
    pub action: &'static str,
    /// The path concerned.
    pub path: PathBuf,
    /// The reason.
    pub source: io::Error,
}

impl PathError {
    pub(crate) fn new(
        action: &'static str,
        path: impl Into<PathBuf>,
        source: impl Into<io::Error>,
    ) -> Self {
        Self {
            action,
            path: path.into(),
            source: source.into(),
        }
    }

    /// Creates an error whose reason does not come from the system.
    pub(crate) fn because(action: &'static str, path: impl Into<PathBuf>, why: &str) -> Self {
        Self {
            action,
            path: path.into(),
            source: io::Error::other(why.to_owned()),
        }
    }
}

/// The reason why a file could not be read.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The file does not exist.
    #[error("{}: no such file", shown(.path))]
    Missing {
        /// The path concerned.
        path: PathBuf,
    },
    /// The file, or a directory on the way to it, is a link.
    #[error("{}: is or passes through a symbolic link", shown(.path))]
    Link {
        /// The path concerned.
        path: PathBuf,
    },
    /// The path is absolute, contains `..`, or leaves the root in another way.
    #[error("{}: leads outside", shown(.path))]
    Outside {
        /// The path concerned.
        path: PathBuf,
    },
    /// A component of the path means something else on Windows. It is refused on every system.
    #[error("{}: the name {flaw}, expected a name that every system can store", shown(.path))]
    NotPortable {
        /// The path concerned.
        path: PathBuf,
        /// The reason.
        flaw: NameFlaw,
    },
    /// It is a directory, a FIFO, a socket or a device.
    #[error("{}: is a {kind}, not a regular file", shown(.path))]
    NotRegular {
        /// The path concerned.
        path: PathBuf,
        /// Its kind.
        kind: Kind,
    },
    /// It is larger than the caller allows.
    #[error("{}: more than {limit} bytes", shown(.path))]
    TooLarge {
        /// The path concerned.
        path: PathBuf,
        /// The limit in bytes.
        limit: u64,
    },
    /// A system call failed.
    #[error(transparent)]
    Io(#[from] PathError),
}

impl ReadError {
    /// Converts the reason why `path` is not relative.
    pub(crate) fn from_relative(path: PathBuf, error: RelativeError) -> Self {
        match error {
            RelativeError::NotPortable(flaw) => Self::NotPortable { path, flaw },
            _ => Self::Outside { path },
        }
    }

    /// Converts the error of opening `path`.
    pub(crate) fn from_open(path: PathBuf, error: SysError) -> Self {
        match error.cause {
            Cause::Missing | Cause::NotADirectory => Self::Missing { path },
            Cause::Link => Self::Link { path },
            Cause::Outside => Self::Outside { path },
            Cause::Socket => Self::NotRegular {
                path,
                kind: Kind::Socket,
            },
            _ => PathError::new("open", path, error).into(),
        }
    }
}

/// Returns a path for display: lossy, with control characters escaped, so that a name cannot
/// manipulate a terminal.
pub fn shown(path: &Path) -> impl fmt::Display {
    Escaped(path.to_string_lossy().into_owned())
}

struct Escaped(String);

impl fmt::Display for Escaped {
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
        let err = PathError::because("read", "a/b\n\u{1b}[8m", "broken");
        assert_eq!(err.to_string(), "cannot read a/b\\n\\u{1b}[8m");
        let err = ReadError::from_open("x".into(), SysError::because(Cause::Link, "a link"));
        assert_eq!(err.to_string(), "x: is or passes through a symbolic link");
    }
}
