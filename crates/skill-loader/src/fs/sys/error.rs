//! Errors of the system with the causes that matter here.

use std::io;

/// An operation of the system failed.
#[derive(Debug)]
pub(crate) struct SysError {
    /// The cause, if it matters.
    pub(crate) cause: Cause,
    /// The system's own error.
    source: io::Error,
}

/// The causes that are treated differently.
#[cfg_attr(
    windows,
    expect(dead_code, reason = "Windows does not report all of them")
)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cause {
    /// The entry does not exist.
    Missing,
    /// A component is not a directory.
    NotADirectory,
    /// The entry is a directory.
    IsADirectory,
    /// The entry is a link, or the path passes through one.
    Link,
    /// The path leaves the directory or its mount.
    Outside,
    /// The name is taken.
    Exists,
    /// The directory is not empty.
    NotEmpty,
    /// Permissions refuse it.
    Denied,
    /// The operation is not permitted at all.
    NotPermitted,
    /// A name is too long for the file system.
    NameTooLong,
    /// The system or the file system does not support it.
    Unsupported,
    /// The entry is a socket, or a FIFO without a reader.
    Socket,
    /// Any other cause.
    Other,
}

impl SysError {
    pub(super) fn new(cause: Cause, source: io::Error) -> Self {
        Self { cause, source }
    }

    /// Creates an error of this program, without one of the system.
    pub(crate) fn because(cause: Cause, why: &str) -> Self {
        let kind = match cause {
            Cause::Missing => io::ErrorKind::NotFound,
            Cause::Exists => io::ErrorKind::AlreadyExists,
            Cause::Unsupported => io::ErrorKind::Unsupported,
            _ => io::ErrorKind::Other,
        };
        Self::new(cause, io::Error::new(kind, why.to_owned()))
    }
}

impl From<SysError> for io::Error {
    fn from(error: SysError) -> Self {
        error.source
    }
}
