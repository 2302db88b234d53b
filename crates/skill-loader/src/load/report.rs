//! A loaded text and the report about it.

use skill_diagnostics::Diagnostic;

use skill_model::Digest;

/// The result of a read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoadedText {
    /// The text.
    pub text: String,
    /// The report about the text.
    pub report: LoadReport,
    /// The sections of the whole text, if only a part is returned.
    pub sections: Vec<String>,
    /// The finding `section-not-found`, if it applies.
    pub findings: Vec<Diagnostic>,
}

/// The selection that produced a text, and its source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoadReport {
    /// Path of the file relative to the skill.
    pub path: String,
    /// Digest of the whole file.
    pub sha256: Digest,
    /// Number of bytes read.
    pub bytes_read: u64,
    /// Size of the file in bytes.
    pub total_bytes: u64,
    /// Number of characters of the returned text.
    pub chars_returned: usize,
    /// Lines of the file that the text comes from.
    pub lines: Lines,
    /// True if a part of the selection was left out.
    pub truncated: bool,
    /// The strategy that selected the text.
    pub strategy: Strategy,
    /// The section found, as written: `## Usage`.
    pub section: Option<String>,
    /// Cursor for the next page, or for the parts that a shortened text leaves out.
    pub next_cursor: Option<String>,
    /// Path of the stored whole text, relative to the storage directory.
    pub storage_ref: Option<String>,
}

/// A range of lines, counted from 1, both ends included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lines {
    /// The first line.
    pub first: usize,
    /// The last line; one less than the first for an empty text.
    pub last: usize,
}

/// The way in which a text was selected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strategy {
    /// The whole text.
    Whole,
    /// A shortened text with marks at the cuts.
    Trim,
    /// The requested section.
    Section,
    /// The overview section, because the text is too long.
    Overview,
    /// The beginning.
    Beginning,
    /// The page that a cursor names.
    Page,
}

impl Strategy {
    /// Returns the word for reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Whole => "whole",
            Self::Trim => "trim",
            Self::Section => "section",
            Self::Overview => "overview",
            Self::Beginning => "beginning",
            Self::Page => "page",
        }
    }
}
