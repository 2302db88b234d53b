//! One finding and what it is made of.

use std::fmt;

use crate::Span;

/// The id of a kind of finding: kebab-case, names the flaw, reads as "allow ⟨code⟩".
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Code(pub &'static str);

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// How much a finding weighs. Errors decide exit codes; warnings and notes do not.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// Worth knowing, nothing to do.
    Note,
    /// Something a person should look at.
    Warning,
    /// The input is wrong or something was not done.
    Error,
}

impl Severity {
    /// The lower-case word that every output format uses.
    pub fn word(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// Where a finding is. Every part is optional, because not every finding has every part.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct Place {
    /// Path of the file, relative to what was looked at, `/` between components.
    pub file: Option<String>,
    /// Position in the text of the file.
    pub span: Option<Span>,
    /// JSON Pointer (RFC 6901) into the document, for JSON and YAML.
    pub pointer: Option<String>,
}

/// One finding: what is wrong, where, and what to do about it.
///
/// The message is a lower-case phrase without a period that stands alone; help is a second
/// sentence on its own line.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Diagnostic {
    /// Kind of finding.
    pub code: Code,
    /// Weight.
    pub severity: Severity,
    /// What was found, and what was expected.
    pub message: String,
    /// Where.
    pub place: Place,
    /// What the reader can do about it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// A finding of the given weight with no place yet.
    pub fn new(severity: Severity, code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            severity,
            message: message.into(),
            place: Place::default(),
            help: None,
        }
    }

    /// An error.
    pub fn error(code: Code, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, message)
    }

    /// A warning.
    pub fn warning(code: Code, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, message)
    }

    /// A note.
    pub fn note(code: Code, message: impl Into<String>) -> Self {
        Self::new(Severity::Note, code, message)
    }

    /// The same finding in a file.
    #[must_use]
    pub fn in_file(mut self, file: impl Into<String>) -> Self {
        self.place.file = Some(file.into());
        self
    }

    /// The same finding at a position.
    #[must_use]
    pub fn at(mut self, span: Span) -> Self {
        self.place.span = Some(span);
        self
    }

    /// The same finding at a JSON Pointer.
    #[must_use]
    pub fn at_pointer(mut self, pointer: impl Into<String>) -> Self {
        self.place.pointer = Some(pointer.into());
        self
    }

    /// The same finding with a hint.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}
