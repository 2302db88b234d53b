//! Load errors: one closed set for library, tool and protocol.

use plugin_template::ExpandError;
use skill_diagnostics::Diagnostic;
use skill_model::Unmet;
use thiserror::Error;

use super::PathTrick;
use crate::fs::{PathError, ReadError, RelativeError};

/// The error codes for programs. This list is complete.
pub mod codes {
    use skill_diagnostics::Code;

    /// There is no skill of this name.
    pub const SKILL_NOT_FOUND: Code = Code("skill-not-found");
    /// The frontmatter of `SKILL.md` cannot be parsed.
    pub const INVALID_FRONTMATTER: Code = Code("invalid-frontmatter");
    /// The path leads, or might lead, outside the skill.
    pub const PATH_TRAVERSAL_BLOCKED: Code = Code("path-traversal-blocked");
    /// A limit is exceeded.
    pub const FILE_TOO_LARGE: Code = Code("file-too-large");
    /// There is no such heading. Never an error: the beginning is returned instead, with this
    /// finding.
    pub const SECTION_NOT_FOUND: Code = Code("section-not-found");
    /// A directory, a device, a type that is not allowed, or binary content.
    pub const NOT_A_TEXT_FILE: Code = Code("not-a-text-file");
    /// Arguments for a skill that is not a prompt.
    pub const NOT_A_PROMPT: Code = Code("not-a-prompt");
    /// The host of a prompt would refuse the arguments.
    pub const ARGUMENTS_REFUSED: Code = Code("arguments-refused");
    /// A skill that this one builds on is missing, or has no version in the range.
    pub const REQUIRED_SKILL_MISSING: Code = Code("required-skill-missing");
    /// A system call failed, or the file does not exist.
    pub const IO: Code = Code("io");
}

/// The reason why a text could not be loaded.
#[derive(Debug, Error)]
pub enum LoadError {
    /// There is no skill of this name.
    #[error("no skill is called `{}`", .name.escape_debug())]
    SkillNotFound {
        /// The requested name.
        name: String,
        /// The most similar names, best first.
        nearest: Vec<String>,
        /// All existing names, sorted.
        available: Vec<String>,
    },
    /// The frontmatter of `SKILL.md` cannot be parsed.
    #[error("{path}: {}", .finding.message)]
    InvalidFrontmatter {
        /// Path of the file relative to its root.
        path: String,
        /// The problem, with line and column.
        finding: Box<Diagnostic>,
    },
    /// The path does not stay inside the skill as written.
    #[error("`{}` {trick}", .path.escape_debug())]
    PathTrick {
        /// The requested path.
        path: String,
        /// The problem with the path.
        trick: PathTrick,
    },
    /// The path stays inside, but the entry leads elsewhere.
    #[error("`{}` {why}", .path.escape_debug())]
    LeadsOutside {
        /// The requested path.
        path: String,
        /// The way in which it leaves the skill.
        why: &'static str,
    },
    /// A limit is exceeded.
    #[error("`{}` has more than {limit}", .path.escape_debug())]
    FileTooLarge {
        /// The file concerned.
        path: String,
        /// The limit with its unit.
        limit: String,
        /// A remedy.
        help: String,
    },
    /// The entry cannot be given as text.
    #[error("`{}` {why}", .path.escape_debug())]
    NotAText {
        /// The requested path.
        path: String,
        /// The reason.
        why: String,
    },
    /// The file does not exist.
    #[error("`{}`: {why}", .path.escape_debug())]
    Missing {
        /// The requested path.
        path: String,
        /// The missing item.
        why: &'static str,
    },
    /// The cursor does not belong to the current content.
    #[error("the cursor `{}` does not fit `{path}`, which may have changed since", .cursor.escape_debug())]
    StaleCursor {
        /// The file concerned.
        path: String,
        /// The given cursor.
        cursor: String,
    },
    /// The skill is not a prompt, so it takes no arguments.
    #[error("the skill `{}` is not a prompt of another host, so it takes no arguments", .name.escape_debug())]
    NotAPrompt {
        /// Name of the skill.
        name: String,
        /// The command line that runs it, with the names of its commands; empty if nothing runs it.
        call: String,
    },
    /// The host of the prompt would refuse the arguments.
    #[error(transparent)]
    ArgumentsRefused(#[from] ExpandError),
    /// A skill that this one builds on is missing, or has no version in the range.
    #[error("`{}` cannot be read with what it requires: {why}", .name.escape_debug())]
    RequiredMissing {
        /// The name of the skill with the requirement.
        name: String,
        /// The reason, with the name of the missing skill.
        why: Unmet,
    },
    /// A system call failed.
    #[error(transparent)]
    Io(#[from] PathError),
}

impl LoadError {
    /// Returns the error code for programs.
    pub fn code(&self) -> skill_diagnostics::Code {
        match self {
            Self::SkillNotFound { .. } => codes::SKILL_NOT_FOUND,
            Self::InvalidFrontmatter { .. } => codes::INVALID_FRONTMATTER,
            Self::PathTrick { .. } | Self::LeadsOutside { .. } => codes::PATH_TRAVERSAL_BLOCKED,
            Self::FileTooLarge { .. } => codes::FILE_TOO_LARGE,
            Self::NotAText { .. } => codes::NOT_A_TEXT_FILE,
            Self::NotAPrompt { .. } => codes::NOT_A_PROMPT,
            Self::ArgumentsRefused(_) => codes::ARGUMENTS_REFUSED,
            Self::RequiredMissing { .. } => codes::REQUIRED_SKILL_MISSING,
            Self::Missing { .. } | Self::StaleCursor { .. } | Self::Io(_) => codes::IO,
        }
    }

    /// Returns a remedy for the reader, if there is one.
    pub fn help(&self) -> Option<String> {
        match self {
            Self::SkillNotFound { nearest, .. } => {
                let first = nearest.first()?;
                Some(format!("did you mean `{first}`?"))
            }
            Self::InvalidFrontmatter { finding, .. } => finding.help.clone(),
            Self::PathTrick { .. } => {
                Some("use a path relative to the skill, such as references/notes.md".to_owned())
            }
            Self::FileTooLarge { help, .. } => Some(help.clone()),
            Self::NotAPrompt { call, .. } if call.is_empty() => {
                Some("read it without arguments".to_owned())
            }
            Self::NotAPrompt { call, .. } => {
                Some(format!("read it without arguments, or run it: {call}"))
            }
            Self::StaleCursor { .. } => Some("read it again from the beginning".to_owned()),
            _ => None,
        }
    }

    /// Converts an error of [`crate::fs`] about `path`.
    pub(crate) fn from_read(path: &str, error: ReadError) -> Self {
        let path = path.to_owned();
        match error {
            ReadError::Missing { .. } => Self::Missing {
                path,
                why: "no such file",
            },
            ReadError::Link { .. } => Self::LeadsOutside {
                path,
                why: "is or passes through a symbolic link",
            },
            ReadError::Outside { .. } => Self::LeadsOutside {
                path,
                why: "leads outside the skill",
            },
            ReadError::NotPortable { flaw, .. } => Self::PathTrick {
                path,
                trick: RelativeError::NotPortable(flaw).into(),
            },
            ReadError::NotRegular { kind, .. } => Self::NotAText {
                path,
                why: format!("is a {kind}"),
            },
            ReadError::TooLarge { limit, .. } => Self::FileTooLarge {
                path,
                limit: format!("{limit} bytes"),
                help: "split the file, or raise the byte limit".to_owned(),
            },
            ReadError::Io(error) => Self::Io(error),
        }
    }
}
