//! The error of this crate: a kind for programs, a message and hints for people.

use std::{fmt, io};

use skill_disclosure::{DescribeError, FullError};
use skill_executor::envelope::{ErrorCode, Failure, Warning};
use skill_executor::error_text;
use skill_loader::fs::PathError;
use skill_loader::load::LoadError;

/// An error, with hints about what to do.
///
/// `Display` gives the message alone:
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let dir = tempfile::tempdir()?;
/// # std::fs::create_dir(dir.path().join("dice"))?;
/// # std::fs::write(dir.path().join("dice/SKILL.md"), "---\nname: dice\ndescription: Rolls dice.\n---\n# Dice\n")?;
/// let library = skills::Library::open([dir.path()])?;
/// let error = library.read("dise").unwrap_err();
/// assert_eq!(error.kind(), skills::ErrorKind::NotFound);
/// assert_eq!(error.to_string(), "no skill is called `dise`");
/// assert_eq!(error.hints(), ["did you mean `dice`?"]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    kind: ErrorKind,
    message: String,
    hints: Vec<String>,
}

/// The kind of an [`Error`]. More kinds may be added.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// No skill, command, file or directory has this name.
    NotFound,
    /// A skill exists but cannot be read: broken frontmatter, a path that leads outside it, a file
    /// that is too large or is not text.
    Unreadable,
    /// A call of a skill failed; the code says why.
    Call(ErrorCode),
    /// [`init`](crate::init) was not called before a skill was run.
    NotInitialized,
    /// The options do not make sense together, or name something that is not what it should be: a
    /// file in place of a directory, a directory without plugins, an old cursor.
    Input,
    /// The file system refused.
    Io,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            hints: Vec::new(),
        }
    }

    #[must_use]
    pub(crate) fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// Adds the name of the skill that the error is about; the message names only its files.
    #[must_use]
    pub(crate) fn in_skill(mut self, name: &str) -> Self {
        self.message = format!("skill `{}`: {}", name.escape_debug(), self.message);
        self
    }

    /// Creates the error of a failed call. The warnings of the call are hints: an argument that is
    /// missing often explains the failure.
    pub(crate) fn from_call(failure: Failure, warnings: &[Warning]) -> Self {
        let warnings = warnings.iter().map(|warning| &warning.message);
        warnings.fold(Self::from(failure), Self::with_hint)
    }

    /// Returns the kind, for programs.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Returns what the user can do about it, best first; often empty.
    pub fn hints(&self) -> &[String] {
        &self.hints
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

impl From<PathError> for Error {
    fn from(error: PathError) -> Self {
        Self::new(path_kind(&error), format!("{error}: {}", error.source))
    }
}

/// Returns the kind of an error about a path: a wrong path is not a failure of the file system.
fn path_kind(error: &PathError) -> ErrorKind {
    match error.source.kind() {
        io::ErrorKind::NotFound => ErrorKind::NotFound,
        io::ErrorKind::NotADirectory => ErrorKind::Input,
        _ => ErrorKind::Io,
    }
}

impl From<LoadError> for Error {
    fn from(error: LoadError) -> Self {
        let kind = match &error {
            LoadError::SkillNotFound { .. } | LoadError::Missing { .. } => ErrorKind::NotFound,
            LoadError::StaleCursor { .. }
            | LoadError::NotAPrompt { .. }
            | LoadError::ArgumentsRefused(_) => ErrorKind::Input,
            LoadError::Io(inner) => path_kind(inner),
            _ => ErrorKind::Unreadable,
        };
        let res = Self::new(kind, error_text(&error));
        match error.help() {
            Some(help) => res.with_hint(help),
            None => res,
        }
    }
}

impl From<FullError> for Error {
    fn from(error: FullError) -> Self {
        let kind = match error {
            FullError::Load(error) => return error.into(),
            FullError::NotFound(_) => ErrorKind::NotFound,
            FullError::Node { .. } => ErrorKind::Io,
        };
        Self::new(kind, error.to_string())
    }
}

impl From<DescribeError> for Error {
    fn from(error: DescribeError) -> Self {
        match error {
            DescribeError::Unknown { error } => error.into(),
            DescribeError::Body(error) => error.into(),
        }
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        let suggestions = failure.details.get("suggestions");
        let names = suggestions
            .and_then(|names| names.as_array())
            .into_iter()
            .flatten();
        // The message of the failure names the first one itself, often also as the old host wrote it.
        let message = failure.message.to_lowercase();
        let names = names.filter_map(|name| Some(format!("`{}`", name.as_str()?)));
        let names = names.filter(|name| !message.contains(&name.to_lowercase()));
        let hints = names.map(|name| format!("did you mean {name}?"));
        Self {
            kind: match failure.code {
                ErrorCode::NotFound => ErrorKind::NotFound,
                code => ErrorKind::Call(code),
            },
            hints: hints.collect(),
            message: failure.message.clone(),
        }
    }
}

impl From<skill_pipeline::Error> for Error {
    fn from(error: skill_pipeline::Error) -> Self {
        use skill_pipeline::ErrorKind as Kind;
        let kind = match (&error, error.kind()) {
            (skill_pipeline::Error::Path(error), _) => path_kind(error),
            (_, Kind::Options | Kind::Input) => ErrorKind::Input,
            (_, Kind::System) => ErrorKind::Io,
        };
        let res = Self::new(kind, error_text(&error));
        match error.hint() {
            Some(hint) => res.with_hint(hint),
            None => res,
        }
    }
}

impl From<skill_checker::Error> for Error {
    fn from(error: skill_checker::Error) -> Self {
        let kind = match &error {
            skill_checker::Error::Path(error) => path_kind(error),
            _ => ErrorKind::Io,
        };
        Self::new(kind, error_text(&error))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(failure: Failure, warnings: &[&str], expected: &[&str]) {
        let warnings: Vec<Warning> = warnings
            .iter()
            .map(|message| Warning {
                code: "missing-argument",
                message: (*message).to_owned(),
                pointer: None,
            })
            .collect();
        assert_eq!(Error::from_call(failure, &warnings).hints(), expected);
    }

    #[test]
    fn hints_say_what_the_message_does_not() {
        let failure = || Failure::new(ErrorCode::NotFound, "no `a`; did you mean `b`?");
        let near = failure().with("suggestions", json!(["b", "c"]));
        check(near, &[], &["did you mean `c`?"]);
        let again = failure().with("suggestions", json!(["b", "B"]));
        check(again, &[], &[]);
        let failure = Failure::new(ErrorCode::PluginError, "KeyError('bill')");
        check(failure, &["bill is missing"], &["bill is missing"]);
    }
}
