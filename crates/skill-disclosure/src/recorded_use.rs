//! The record of use, which orders short lists and calibrates the confidence.

use std::path::{Path, PathBuf};

use skill_loader::fs::{ReadError, read_named};
use skill_search::usage::{self, Usage};
use thiserror::Error;

/// The maximum size of a record, in bytes.
const MAX_BYTES: u64 = 1 << 30;

/// The reason why a record of use cannot be read.
#[derive(Debug, Error)]
pub enum UsageError {
    /// The file cannot be read.
    #[error(transparent)]
    Unreadable(#[from] ReadError),
    /// The file is not UTF-8.
    #[error("{} is not UTF-8", .0.display())]
    NotUtf8(PathBuf),
    /// A line is not a record.
    #[error("{}, line {line}: this is not a record of use", .path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
    },
}

/// Reads a record of use.
///
/// # Errors
///
/// The file cannot be read, or a line is not a record; its number is given.
pub fn read_usage(path: &Path) -> Result<Usage, UsageError> {
    let bytes = read_named(path, MAX_BYTES)?;
    let text = String::from_utf8(bytes).map_err(|_| UsageError::NotUtf8(path.to_owned()))?;
    usage::parse(&text).map_err(|line| UsageError::Malformed {
        path: path.to_owned(),
        line,
    })
}
