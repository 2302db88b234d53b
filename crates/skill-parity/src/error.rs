//! Errors of a comparison.

use std::path::PathBuf;

use skill_loader::fs::{PathError, ReadError};
use skill_loader::store::StoreError;

/// The reason why plugins and skills cannot be compared. A plugin that cannot be run is not an error
/// but a [`PluginResult`](crate::PluginResult).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A directory of plugins cannot be read.
    #[error("{place}: {why}")]
    NotSearched {
        /// The path, relative to the directory of plugins.
        place: String,
        /// The reason.
        why: String,
    },
    /// The selection matches no plugin.
    #[error("no plugin in {} matches the selection", .plugins.display())]
    NoPlugin {
        /// The directory of plugins.
        plugins: PathBuf,
    },
    /// The directory for the files of the runs cannot be created.
    #[error("cannot create a directory for the runs")]
    NoDirectory(#[source] PathError),
    /// The caller interrupted the runs.
    #[error("interrupted; nothing was recorded")]
    Interrupted,
    /// The results cannot be recorded.
    #[error(transparent)]
    Record(#[from] Box<parity_record::Error>),
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
    /// The server in place of the network cannot be started.
    #[error(transparent)]
    Network(#[from] emulated_internet::StartError),
    /// The directory of recordings cannot be used.
    #[error(transparent)]
    Recordings(#[from] emulated_runs::DeckError),
    /// The worker threads cannot be started.
    #[error(transparent)]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// The reason why a file of cases cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CaseError {
    /// The file as a whole is not usable.
    #[error("{0}")]
    File(String),
    /// One case of it is wrong.
    #[error("case {number}")]
    Case {
        /// The number of the case, counted from 1.
        number: usize,
        /// The mistake.
        source: Flaw,
    },
}

/// A mistake in a case, with what was expected.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct Flaw(pub(crate) String);

impl From<&str> for Flaw {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}
