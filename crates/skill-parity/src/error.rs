//! Why plugins and skills cannot be compared.

use std::path::PathBuf;

use skill_loader::fs::{PathError, ReadError};
use skill_loader::store::StoreError;

/// Why plugins and skills cannot be compared. A plugin that cannot be run is an
/// [`Account`](crate::Account).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A directory of plugins cannot be read.
    #[error("{place}: {why}")]
    NotSearched {
        /// Its path, relative to the directory of plugins.
        place: String,
        /// Why not.
        why: String,
    },
    /// The selection fits no plugin.
    #[error("no plugin in {} is to be looked at", .plugins.display())]
    NoPlugin {
        /// Directory of plugins.
        plugins: PathBuf,
    },
    /// The runs have no place for their files.
    #[error("no directory to run in")]
    NoDirectory(#[source] PathError),
    /// The caller gave up.
    #[error("interrupted; nothing was recorded")]
    Interrupted,
    /// The directory of skills disappeared.
    #[error("there is no directory of skills")]
    Gone,
    /// The plugins cannot be searched.
    #[error(transparent)]
    Pipeline(#[from] Box<skill_pipeline::Error>),
    /// A file or directory cannot be opened.
    #[error(transparent)]
    Path(#[from] PathError),
    /// A file or directory cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The directory of skills cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The worker threads cannot be started.
    #[error(transparent)]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// Why a file of cases cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CaseError {
    /// The file as a whole.
    #[error("{0}")]
    File(String),
    /// One case of it.
    #[error("case {number}")]
    Case {
        /// Counted from 1.
        number: usize,
        /// What was found and what is expected.
        source: Flaw,
    },
}

/// What is wrong with a case.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct Flaw(pub(crate) String);

impl From<&str> for Flaw {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}
