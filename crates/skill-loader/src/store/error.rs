//! Errors of the store.

use std::path::PathBuf;

use thiserror::Error;

use crate::fs::{PathError, ReadError, RelativeError, shown};

/// The reason why a store operation failed. The skills stay intact.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The output directory, or one of the store's own directories, is another kind of entry.
    #[error("{}: {found}, expected a directory", shown(.path))]
    NotADirectory {
        /// The path concerned.
        path: PathBuf,
        /// The kind found: `is a file`, `is a symbolic link` …
        found: String,
    },
    /// `skills.lock` cannot be parsed.
    #[error("{}: is not a lock file of this tool: {problem}", shown(.path))]
    BrokenLock {
        /// The file concerned.
        path: PathBuf,
        /// The problem in it.
        problem: String,
    },
    /// The name cannot be a directory of the store.
    #[error("`{}` cannot be the name of a skill", .name.escape_debug())]
    BadName {
        /// The name.
        name: String,
    },
    /// The path cannot be in a skill.
    #[error("`{}` cannot be a path in a skill: {why}", .path.escape_debug())]
    BadPath {
        /// The path.
        path: String,
        /// The reason.
        why: RelativeError,
    },
    /// The entry for `skills.lock` does not list the staged files.
    #[error("skill `{name}`: `{}` must be both staged and listed", .path.escape_debug())]
    NotAsListed {
        /// The name of the skill.
        name: String,
        /// The first path that differs.
        path: String,
    },
    /// A source file changed after it was examined.
    #[error("{}: changed while it was copied", shown(.path))]
    Changed {
        /// The file concerned.
        path: PathBuf,
    },
    /// The store was opened read-only.
    #[error("{}: opened for reading only", shown(.path))]
    ReadOnly {
        /// The output directory.
        path: PathBuf,
    },
    /// A file to copy could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A system call failed.
    #[error(transparent)]
    Io(#[from] PathError),
}
