//! Why a run was not possible.

use std::path::PathBuf;
use std::string::FromUtf8Error;

use skill_loader::fs::{PathError, ReadError};
use skill_loader::store::StoreError;
use skill_migrator::TemplateError;

/// Why a run was not possible. What is wrong with one plugin is an [`Outcome`](crate::Outcome).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The output is inside the input, or the input inside the output.
    #[error(
        "the output {} and the input {} lie in one another; choose a directory beside it",
        .out.display(), .input.display()
    )]
    Nested {
        /// Directory of skills.
        out: PathBuf,
        /// Directory of plugins.
        input: PathBuf,
    },
    /// The output is inside one of the shards that are merged, or the shard inside the output.
    #[error("{} and the output lie in one another", .shard.display())]
    NestedShard {
        /// Directory of the shard.
        shard: PathBuf,
    },
    /// A shard that is to be merged is missing.
    #[error("there is no directory {}", .path.display())]
    NoDirectory {
        /// Its path.
        path: PathBuf,
    },
    /// The directory of templates holds none.
    #[error("{} holds no template; expected SKILL.md.hbs or commands.md.hbs", .directory.display())]
    NoTemplate {
        /// The directory.
        directory: PathBuf,
    },
    /// A template is not UTF-8.
    #[error("the template {path} is not UTF-8")]
    TemplateEncoding {
        /// Its path in the directory of templates.
        path: String,
        /// Where the text ends.
        source: FromUtf8Error,
    },
    /// A template cannot be used.
    #[error(transparent)]
    Template(#[from] TemplateError),
    /// The input holds too many entries to be searched.
    #[error("the input holds more than {limit} entries outside plugin directories")]
    TooManyEntries {
        /// Most entries that are looked at.
        limit: usize,
    },
    /// A skill of a shard cannot be copied.
    #[error("cannot take the skill `{name}` of {}", .path.display())]
    Copy {
        /// Name of the skill.
        name: String,
        /// Directory of the shard.
        path: PathBuf,
        /// What failed.
        source: Box<Error>,
    },
    /// A directory disappeared during the run.
    #[error("the directory is gone")]
    Gone,
    /// A file or directory cannot be opened.
    #[error(transparent)]
    Path(#[from] PathError),
    /// A file or directory cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The output cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The worker threads cannot be started.
    #[error(transparent)]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// Who can do something about an [`Error`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ErrorKind {
    /// The options do not make sense together.
    Options,
    /// Something that the options name is not what it should be.
    Input,
    /// The system refused.
    System,
}

impl Error {
    /// Who can do something about it.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Nested { .. } | Self::NestedShard { .. } => ErrorKind::Options,
            Self::NoDirectory { .. }
            | Self::NoTemplate { .. }
            | Self::TemplateEncoding { .. }
            | Self::Template(_)
            | Self::TooManyEntries { .. }
            | Self::Read(ReadError::Missing { .. })
            | Self::Store(StoreError::NotADirectory { .. } | StoreError::BrokenLock { .. }) => {
                ErrorKind::Input
            }
            Self::Copy { source, .. } => source.kind(),
            Self::Gone | Self::Path(_) | Self::Read(_) | Self::Store(_) | Self::Threads(_) => {
                ErrorKind::System
            }
        }
    }

    /// What to do about it, where that is more than the message says.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::NestedShard { .. } => Some("choose an output beside the shards"),
            Self::NoDirectory { .. } => Some("run skills-migrate with --shard for it first"),
            Self::TooManyEntries { .. } => Some("migrate its directories one by one"),
            Self::Store(StoreError::BrokenLock { .. }) => {
                Some("restore skills.lock from version control, or migrate into a new directory")
            }
            Self::Copy { source, .. } => source.hint(),
            _ => None,
        }
    }
}
