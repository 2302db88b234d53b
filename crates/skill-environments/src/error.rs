//! The errors of preparing environments.

use skill_loader::fs::{PathError, ReadError};

/// An environment cannot be prepared. For a package that cannot be installed, see
/// [`MissingPackage`](crate::MissingPackage).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A directory of the store cannot be read or written.
    #[error(transparent)]
    Path(#[from] PathError),
    /// A file of the store cannot be read or written.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// Another process cannot be waited for.
    #[error("cannot lock {}: {source}", .path.display())]
    Lock {
        /// The file that is locked.
        path: std::path::PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
    /// The program that installs packages is missing.
    #[error("{wanted} is not on the PATH; install it to prepare {what}")]
    NoTool {
        /// The programs of which one is needed.
        wanted: &'static str,
        /// The packages that it would install.
        what: &'static str,
    },
    /// A program could not be run.
    #[error(transparent)]
    Start(#[from] skill_sandbox::Error),
    /// A program failed.
    #[error("{command} failed: {reason}")]
    Failed {
        /// The command line, without its directory.
        command: String,
        /// The last lines that it printed.
        reason: String,
    },
}
