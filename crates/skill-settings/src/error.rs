//! The errors of settings.

use std::path::PathBuf;

use skill_loader::fs::{PathError, ReadError, shown};

/// Settings cannot be read or stored.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A directory cannot be read or created.
    #[error(transparent)]
    Path(#[from] PathError),
    /// A file cannot be read or written.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A file of the store is not one that this project wrote.
    #[error("{} has no stored settings that can be read; mend or remove the file", shown(.path))]
    Broken {
        /// The file.
        path: PathBuf,
    },
    /// Another process cannot be waited for.
    #[error("cannot lock {}: {source}", shown(.path))]
    Lock {
        /// The file that is locked.
        path: PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
}
