//! A text, and the account of how it was made.

use skill_diagnostics::Diagnostic;

use crate::digest::Digest;

/// What a read gives.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loaded {
    /// The text.
    pub text: String,
    /// The account.
    pub report: LoadReport,
    /// The sections of the whole text, if not all of it is given.
    pub sections: Vec<String>,
    /// `section-not-found`, if that is so.
    pub findings: Vec<Diagnostic>,
}

/// How a text was made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoadReport {
    /// The file, beneath the skill.
    pub path: String,
    /// Of the whole file.
    pub sha256: Digest,
    /// Bytes that were read.
    pub bytes_read: u64,
    /// Bytes of the file.
    pub total_bytes: u64,
    /// Characters of the text that is given.
    pub chars_returned: usize,
    /// Lines of the file that it comes from.
    pub lines: Lines,
    /// Whether something was left out of what was asked for.
    pub truncated: bool,
    /// How the text was chosen.
    pub strategy: Strategy,
    /// The section that was found, as it is written: `## Usage`.
    pub section: Option<String>,
    /// Reads on, or reads what a shorter form leaves out.
    pub next_cursor: Option<String>,
    /// Where the whole text was put, relative to the directory of the storage.
    pub storage_ref: Option<String>,
}

/// Lines from 1, both included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lines {
    /// The first.
    pub first: usize,
    /// The last; one less than the first for an empty text.
    pub last: usize,
}

/// How a text was chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strategy {
    /// All of it.
    Whole,
    /// A shorter form with marks at the cuts.
    Trim,
    /// The section that was asked for.
    Section,
    /// The part that says what there is, because the text is too long.
    Overview,
    /// The beginning.
    Beginning,
    /// The page that a cursor names.
    Page,
}

impl Strategy {
    /// The word for reports.
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
