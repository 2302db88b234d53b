//! One test: a request, and the skills that it is to trigger.

use std::fmt;

/// The behaviour that a test expects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expected {
    /// One of the skills is triggered.
    First,
    /// One of the skills is among this many first matches, with the confidence of a triggered one.
    Among(usize),
    /// None of the skills is triggered; another one may be.
    NotThese,
    /// No skill is triggered.
    Nothing,
}

impl Expected {
    /// Returns what the words of a file mean: `first`, `among N` or `none`.
    pub(crate) fn from_words(words: &str) -> Option<Self> {
        match words.trim() {
            "first" => Some(Self::First),
            "none" => Some(Self::Nothing),
            words => {
                let number = words.strip_prefix("among ")?.trim().parse().ok()?;
                (number > 0).then_some(Self::Among(number))
            }
        }
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::First => f.write_str("first"),
            Self::Among(number) => write!(f, "among {number}"),
            Self::NotThese => f.write_str("not first"),
            Self::Nothing => f.write_str("none"),
        }
    }
}

/// One test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Case {
    /// The request, in a user's words.
    pub query: String,
    /// The names of the skills that are equally right; empty for [`Expected::Nothing`].
    pub skills: Vec<String>,
    /// The behaviour that is expected of them.
    pub expected: Expected,
    /// The file, as the user named it.
    pub file: String,
    /// The line in the file, from 1.
    pub line: usize,
}
