//! Why the store cannot do something.

use std::path::PathBuf;

use thiserror::Error;

use crate::fs::{PathError, ReadError, RelativeError, shown};

/// Why the store cannot do something. Nothing is torn when one of these is returned.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The output directory, or one of the store's own names in it, is something else.
    #[error("{}: {found}, where a directory is wanted", shown(.path))]
    NotADirectory {
        /// Which path.
        path: PathBuf,
        /// `is a file`, `is a symbolic link` …
        found: String,
    },
    /// `skills.lock` cannot be understood.
    #[error("{}: is not a lock file of this tool: {problem}", shown(.path))]
    BrokenLock {
        /// Which file.
        path: PathBuf,
        /// What is wrong in it.
        problem: String,
    },
    /// A name that cannot be a directory of the store.
    #[error("`{}` cannot be the name of a skill", .name.escape_debug())]
    BadName {
        /// The name.
        name: String,
    },
    /// A path that cannot be in a skill.
    #[error("`{}` cannot be a path in a skill: {why}", .path.escape_debug())]
    BadPath {
        /// The path.
        path: String,
        /// Why.
        why: RelativeError,
    },
    /// The entry for `skills.lock` does not list the files that were staged.
    #[error("skill `{name}`: `{}` is not both staged and listed", .path.escape_debug())]
    NotAsListed {
        /// The skill.
        name: String,
        /// The first path that differs.
        path: String,
    },
    /// A source file changed since it was looked at.
    #[error("{}: changed while it was copied", shown(.path))]
    Changed {
        /// Which file.
        path: PathBuf,
    },
    /// The store was opened to look only.
    #[error("{}: opened for reading only", shown(.path))]
    ReadOnly {
        /// The output directory.
        path: PathBuf,
    },
    /// A file to copy could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The system refused.
    #[error(transparent)]
    Io(#[from] PathError),
}
