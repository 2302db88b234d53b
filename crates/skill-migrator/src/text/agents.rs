//! The treatment of the agents of a package.

use std::{fmt, str::FromStr};

/// The treatment of agents.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Agents {
    /// Each becomes a skill.
    #[default]
    Skills,
    /// Each becomes a reference, `references/agents/NAME.md`, of the other skills of its package.
    References,
    /// They are left out.
    Skip,
}

impl Agents {
    const ALL: [Self; 3] = [Self::Skills, Self::References, Self::Skip];

    /// Returns the word for the command line.
    pub fn word(self) -> &'static str {
        match self {
            Self::Skills => "skills",
            Self::References => "references",
            Self::Skip => "skip",
        }
    }
}

impl FromStr for Agents {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|agents| agents.word() == text);
        found.ok_or_else(|| "expected skills, references or skip".to_owned())
    }
}

impl fmt::Display for Agents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}
