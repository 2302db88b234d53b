//! The errors that end a run.

use std::path::PathBuf;
use std::string::FromUtf8Error;

use skill_loader::fs::{PathError, ReadError};
use skill_loader::store::StoreError;
use skill_migrator::TemplateError;

/// The error that ends a run. A problem of one plugin is an [`Outcome`](crate::Outcome).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The output is inside the input, or the input inside the output.
    #[error(
        "the output {} and the input {} are inside one another; choose a directory next to the input",
        .out.display(), .input.display()
    )]
    Nested {
        /// The directory of skills.
        out: PathBuf,
        /// The directory of plugins.
        input: PathBuf,
    },
    /// The state directory, which gets secrets, is inside the input or the output, or the other way
    /// around.
    #[error(
        "the state directory {} and {} are inside one another; name another one with --state, because a directory of plugins or skills is passed on and the state has your secrets",
        .state.display(), .other.display()
    )]
    StateInside {
        /// The state directory.
        state: PathBuf,
        /// The input or the output.
        other: PathBuf,
    },
    /// The output is inside one of the shards that are merged, or the shard inside the output.
    #[error("{} and the output are inside one another", .shard.display())]
    NestedShard {
        /// The directory of the shard.
        shard: PathBuf,
    },
    /// A shard that is to be merged is missing.
    #[error("there is no directory {}", .path.display())]
    NoDirectory {
        /// The path of the shard.
        path: PathBuf,
    },
    /// The directory of templates has no template.
    #[error("{} has no template; expected SKILL.md.jinja or commands.md.jinja", .directory.display())]
    NoTemplate {
        /// The directory that was opened or searched.
        directory: PathBuf,
    },
    /// The directory of the old host is not one.
    #[error("{} is not the directory of a host; expected one with Plugin.js and Plugin/", .path.display())]
    NoHost {
        /// The directory that the user named.
        path: PathBuf,
    },
    /// A template is not UTF-8.
    #[error("the template {path} is not UTF-8")]
    TemplateEncoding {
        /// The path in the directory of templates.
        path: String,
        /// The encoding error, with the position.
        source: FromUtf8Error,
    },
    /// A template cannot be used.
    #[error(transparent)]
    Template(#[from] TemplateError),
    /// The input has too many entries to be searched.
    #[error("the input has more than {limit} entries outside plugin directories")]
    TooManyEntries {
        /// The maximum number of entries.
        limit: usize,
    },
    /// A skill of a shard cannot be copied.
    #[error("cannot copy the skill `{name}` of {}", .path.display())]
    Copy {
        /// The name of the skill.
        name: String,
        /// The directory of the shard.
        path: PathBuf,
        /// The cause.
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
    /// The settings of the old host cannot be read or stored.
    #[error(transparent)]
    Settings(#[from] skill_settings::Error),
    /// The texts of a model cannot be read.
    #[error(transparent)]
    Polish(#[from] skill_polish::BrokenLock),
    /// The worker threads cannot be started.
    #[error(transparent)]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// The kinds of an [`Error`], by who can resolve it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ErrorKind {
    /// The options contradict each other: change them.
    Options,
    /// A file or directory that the options name is missing or not as expected.
    Input,
    /// The operating system reported an error.
    System,
}

impl Error {
    /// Returns the kind.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Nested { .. } | Self::NestedShard { .. } | Self::StateInside { .. } => {
                ErrorKind::Options
            }
            Self::NoDirectory { .. }
            | Self::NoHost { .. }
            | Self::NoTemplate { .. }
            | Self::TemplateEncoding { .. }
            | Self::Template(_)
            | Self::TooManyEntries { .. }
            | Self::Polish(_)
            | Self::Read(ReadError::Missing { .. })
            | Self::Store(StoreError::NotADirectory { .. } | StoreError::BrokenLock { .. }) => {
                ErrorKind::Input
            }
            Self::Copy { source, .. } => source.kind(),
            Self::Gone
            | Self::Path(_)
            | Self::Read(_)
            | Self::Store(_)
            | Self::Settings(_)
            | Self::Threads(_) => ErrorKind::System,
        }
    }

    /// Returns advice beyond the message, if there is any.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::NestedShard { .. } => Some("choose an output next to the shards"),
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
