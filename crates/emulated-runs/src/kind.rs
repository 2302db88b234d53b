//! The kinds of networks in place of the real one.

use std::path::{Path, PathBuf};
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

/// A directory was named that the network does not use.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Superfluous {
    /// Made-up answers are in no recording.
    #[error(
        "--network emulate uses no directory of recordings, but {0} is named; leave it out, or use record or replay"
    )]
    Recordings(PathBuf),
    /// Real and recorded answers come first.
    #[error("--answers is for --network emulate only; leave it out")]
    Answers,
}

impl NetworkKind {
    /// Checks that each directory that the user named is used.
    ///
    /// # Errors
    ///
    /// One is not.
    pub fn check(
        self,
        recordings: Option<&Path>,
        answers: Option<&Path>,
    ) -> Result<(), Superfluous> {
        match (self, recordings, answers) {
            (Self::Emulate, Some(dir), _) => Err(Superfluous::Recordings(dir.to_owned())),
            (Self::Record | Self::Replay, _, Some(_)) => Err(Superfluous::Answers),
            _ => Ok(()),
        }
    }
}

impl FromStr for NetworkKind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::WORDS.iter().find(|(word, _)| *word == text);
        let found = found.map(|(_, kind)| *kind);
        found.ok_or_else(|| "expected emulate, record or replay".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_that_are_not_used_are_errors() {
        let dir = Some(Path::new("dir"));
        let superfluous = Superfluous::Recordings("dir".into());
        for (kind, recordings, answers, expected) in [
            (NetworkKind::Emulate, None, dir, Ok(())),
            (NetworkKind::Emulate, dir, None, Err(superfluous)),
            (NetworkKind::Record, dir, None, Ok(())),
            (NetworkKind::Record, dir, dir, Err(Superfluous::Answers)),
            (NetworkKind::Replay, None, dir, Err(Superfluous::Answers)),
        ] {
            assert_eq!(kind.check(recordings, answers), expected, "{kind:?}");
        }
    }
}
