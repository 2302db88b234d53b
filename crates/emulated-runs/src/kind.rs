//! The kinds of networks in place of the real one.

use std::str::FromStr;

/// A network in place of the real one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NetworkKind {
    /// Made-up answers.
    Emulate,
    /// Real answers, which are recorded.
    Record,
    /// Recorded answers.
    Replay,
}

impl NetworkKind {
    /// The words of the command line.
    pub const WORDS: [(&str, Self); 3] = [
        ("emulate", Self::Emulate),
        ("record", Self::Record),
        ("replay", Self::Replay),
    ];
}

impl FromStr for NetworkKind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::WORDS.iter().find(|(word, _)| *word == text);
        let found = found.map(|(_, kind)| *kind);
        found.ok_or_else(|| "expected emulate, record or replay".to_owned())
    }
}
