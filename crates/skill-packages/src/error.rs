//! The reasons why a package cannot be written.

use skill_loader::catalog::RootsError;
use skill_loader::fs::{PathError, ReadError};
use thiserror::Error;

use crate::lock::PackageLockError;
use crate::version::{Version, VersionError};

/// A package cannot be written.
#[derive(Debug, Error)]
pub enum PackError {
    /// The directory of skills cannot be read.
    #[error(transparent)]
    Roots(#[from] RootsError),
    /// A path cannot be used.
    #[error(transparent)]
    Path(#[from] PathError),
    /// A file cannot be read or written.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The directory has another `skills.lock`.
    #[error(transparent)]
    Lock(#[from] PackageLockError),
    /// The version of the last package is not a version.
    #[error(transparent)]
    Version(#[from] VersionError),
    /// The package would be inside the skills, or the other way round.
    #[error("the package and the skills are inside each other; expected separate directories")]
    Inside,
    /// A name is not that of a package.
    #[error("`{0}` is not the name of a package; expected a-z, 0-9 and single hyphens, at most 64")]
    Name(String),
    /// A text is not a pattern of names.
    #[error(
        "`{0}` is not a pattern of names; expected a name, with `*` for any text and `?` for any character"
    )]
    Pattern(String),
    /// A version that was given is not a later one.
    #[error(
        "the version {given} is not later than {version}, that of the last package; expected a later one, or another directory"
    )]
    OldVersion {
        /// The version that was given.
        given: Version,
        /// The version of the last package.
        version: Version,
    },
    /// Files of the last package were edited.
    #[error(
        "{n} of the files in the directory of the package were edited by hand or are not of a package: {named}; move them or choose another directory"
    )]
    Edited {
        /// The number of files.
        n: usize,
        /// The first of them.
        named: String,
    },
}
