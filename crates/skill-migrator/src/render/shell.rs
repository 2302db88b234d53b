//! The shell of the commands in `SKILL.md`.

use std::fmt;
use std::str::FromStr;

/// The shells that the commands in `SKILL.md` are written for.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Shell {
    /// POSIX shells.
    #[default]
    Sh,
    /// Windows PowerShell 5.1 and PowerShell 7.
    PowerShell,
    /// Both, one after the other.
    Both,
}

impl Shell {
    /// Every choice.
    pub const ALL: [Self; 3] = [Self::Sh, Self::PowerShell, Self::Both];

    /// Returns the word for the command line.
    pub fn word(self) -> &'static str {
        match self {
            Self::Sh => "sh",
            Self::PowerShell => "powershell",
            Self::Both => "both",
        }
    }

    /// Returns true if commands for POSIX shells are written.
    pub(crate) fn has_sh(self) -> bool {
        self != Self::PowerShell
    }

    /// Returns true if commands for PowerShell are written.
    pub(crate) fn has_powershell(self) -> bool {
        self != Self::Sh
    }
}

impl FromStr for Shell {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|shell| shell.word() == text);
        found.ok_or_else(|| "expected sh, powershell or both".to_owned())
    }
}

impl fmt::Display for Shell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}
