//! Why a text is not given: one closed set for library, tool and protocol.

use skill_diagnostics::Diagnostic;
use thiserror::Error;

use super::PathTrick;
use crate::fs::{PathError, ReadError};

/// The words by which programs know a refusal. There are no others.
pub mod codes {
    use skill_diagnostics::Code;

    /// No skill has this name.
    pub const SKILL_NOT_FOUND: Code = Code("skill-not-found");
    /// The `SKILL.md` cannot be read as one.
    pub const INVALID_FRONTMATTER: Code = Code("invalid-frontmatter");
    /// The path leads, or might lead, outside the skill.
    pub const PATH_TRAVERSAL_BLOCKED: Code = Code("path-traversal-blocked");
    /// More than a limit allows.
    pub const FILE_TOO_LARGE: Code = Code("file-too-large");
    /// No heading has this name. Never an error: the beginning is given instead, with this
    /// finding.
    pub const SECTION_NOT_FOUND: Code = Code("section-not-found");
    /// A directory, a device, a type that is not allowed, or bytes that are no text.
    pub const NOT_A_TEXT_FILE: Code = Code("not-a-text-file");
    /// The system refused, or there is no such file.
    pub const IO: Code = Code("io");
}

/// A text was not given.
#[derive(Debug, Error)]
pub enum LoadError {
    /// No skill has this name.
    #[error("no skill is called `{}`", .name.escape_debug())]
    SkillNotFound {
        /// What was asked for.
        name: String,
        /// The most similar names, best first.
        nearest: Vec<String>,
        /// All names there are, sorted.
        available: Vec<String>,
    },
    /// The `SKILL.md` cannot be read as one.
    #[error("{path}: {}", .finding.message)]
    InvalidFrontmatter {
        /// Path of the file beneath its root.
        path: String,
        /// What is wrong, with line and column.
        finding: Box<Diagnostic>,
    },
    /// The path does not stay inside the skill as it is written.
    #[error("`{}` {trick}", .path.escape_debug())]
    PathTrick {
        /// What was asked for.
        path: String,
        /// What is wrong with it.
        trick: PathTrick,
    },
    /// The path stays inside, but what lies there leads elsewhere.
    #[error("`{}` {why}", .path.escape_debug())]
    LeadsOutside {
        /// What was asked for.
        path: String,
        /// How.
        why: &'static str,
    },
    /// More than a limit allows.
    #[error("`{}` has more than {limit}", .path.escape_debug())]
    FileTooLarge {
        /// Which file.
        path: String,
        /// The limit with its unit.
        limit: String,
        /// What to do about it.
        help: String,
    },
    /// Nothing that is given as text.
    #[error("`{}` {why}", .path.escape_debug())]
    NotAText {
        /// What was asked for.
        path: String,
        /// Why not.
        why: String,
    },
    /// There is no such file.
    #[error("`{}`: {why}", .path.escape_debug())]
    Missing {
        /// What was asked for.
        path: String,
        /// What is not there.
        why: &'static str,
    },
    /// The cursor is not of this text as it is now.
    #[error("the cursor `{}` does not fit `{path}`, which may have changed since", .cursor.escape_debug())]
    StaleCursor {
        /// Which file.
        path: String,
        /// What was given.
        cursor: String,
    },
    /// The system refused.
    #[error(transparent)]
    Io(#[from] PathError),
}

impl LoadError {
    /// The word for programs.
    pub fn code(&self) -> skill_diagnostics::Code {
        match self {
            Self::SkillNotFound { .. } => codes::SKILL_NOT_FOUND,
            Self::InvalidFrontmatter { .. } => codes::INVALID_FRONTMATTER,
            Self::PathTrick { .. } | Self::LeadsOutside { .. } => codes::PATH_TRAVERSAL_BLOCKED,
            Self::FileTooLarge { .. } => codes::FILE_TOO_LARGE,
            Self::NotAText { .. } => codes::NOT_A_TEXT_FILE,
            Self::Missing { .. } | Self::StaleCursor { .. } | Self::Io(_) => codes::IO,
        }
    }

    /// What the reader can do about it.
    pub fn help(&self) -> Option<String> {
        match self {
            Self::SkillNotFound { nearest, .. } => {
                let first = nearest.first()?;
                Some(format!("did you mean `{first}`?"))
            }
            Self::InvalidFrontmatter { finding, .. } => finding.help.clone(),
            Self::PathTrick { .. } => {
                Some("name a file as it lies in the skill: references/notes.md".to_owned())
            }
            Self::FileTooLarge { help, .. } => Some(help.clone()),
            Self::StaleCursor { .. } => Some("read it again from the beginning".to_owned()),
            _ => None,
        }
    }

    /// The refusal for what the file system's door said of `path`.
    pub(crate) fn from_read(path: &str, error: ReadError) -> Self {
        let path = path.to_owned();
        match error {
            ReadError::Missing { .. } => Self::Missing {
                path,
                why: "no such file",
            },
            ReadError::Link { .. } => Self::LeadsOutside {
                path,
                why: "is or passes a symbolic link",
            },
            ReadError::Outside { .. } => Self::LeadsOutside {
                path,
                why: "leads outside the skill",
            },
            ReadError::NotRegular { kind, .. } => Self::NotAText {
                path,
                why: format!("is a {kind}"),
            },
            ReadError::TooLarge { limit, .. } => Self::FileTooLarge {
                path,
                limit: format!("{limit} bytes"),
                help: "split the file, or raise the limit of bytes".to_owned(),
            },
            ReadError::Io(error) => Self::Io(error),
        }
    }
}
