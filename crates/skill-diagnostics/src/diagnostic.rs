//! A finding and its parts.

use std::fmt;

use crate::Span;

/// The code of a kind of finding, in kebab-case. It names the flaw and reads well after "allow".
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Code(pub &'static str);

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// The severity of a finding. Only errors affect exit codes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// The finding is worth knowing but needs no action.
    Note,
    /// A person should look at the finding.
    Warning,
    /// The input is wrong, or something was not done.
    Error,
}

impl Severity {
    /// Returns the lower-case word for all output formats.
    pub fn word(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// The location of a finding. Every part is optional, because some findings lack it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct Place {
    /// The path of the file relative to the root of the check, with `/` between components.
    pub file: Option<String>,
    /// The position in the text of the file.
    pub span: Option<Span>,
    /// A JSON Pointer (RFC 6901) into a JSON or YAML document.
    pub pointer: Option<String>,
}

/// A finding: what is wrong, where, and what to do about it.
///
/// ```
/// use skill_diagnostics::{Code, Diagnostic};
///
/// let finding = Diagnostic::error(Code("name-missing"), "the frontmatter has no name")
///     .in_file("tea/SKILL.md")
///     .with_help("add `name: tea`");
/// assert_eq!(finding.place.file.as_deref(), Some("tea/SKILL.md"));
/// ```
///
/// The message is a lower-case phrase without a period that makes sense alone. The help is a second
/// sentence on its own line.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Diagnostic {
    /// The kind of finding.
    pub code: Code,
    /// The severity.
    pub severity: Severity,
    /// The message: what was found, and what was expected.
    pub message: String,
    /// The location.
    pub place: Place,
    /// The action that the reader can take.
    pub help: Option<String>,
}

impl Diagnostic {
    /// Creates a finding without a location.
    pub fn new(severity: Severity, code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            severity,
            message: message.into(),
            place: Place::default(),
            help: None,
        }
    }

    /// Creates an error.
    pub fn error(code: Code, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, message)
    }

    /// Creates a warning.
    pub fn warning(code: Code, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, message)
    }

    /// Creates a note.
    pub fn note(code: Code, message: impl Into<String>) -> Self {
        Self::new(Severity::Note, code, message)
    }

    /// Returns the finding with a file.
    #[must_use]
    pub fn in_file(mut self, file: impl Into<String>) -> Self {
        self.place.file = Some(file.into());
        self
    }

    /// Returns the finding with a position.
    #[must_use]
    pub fn at(mut self, span: Span) -> Self {
        self.place.span = Some(span);
        self
    }

    /// Returns the finding with a JSON Pointer.
    #[must_use]
    pub fn at_pointer(mut self, pointer: impl Into<String>) -> Self {
        self.place.pointer = Some(pointer.into());
        self
    }

    /// Returns the finding with a help text.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}
