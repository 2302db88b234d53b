//! The things a test may need, by the words that `SKILLS_TEST_REQUIRE` knows.

use std::fmt;

/// A thing that a test needs beyond Rust and that a machine may lack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Need {
    /// A `nats-server`.
    Nats,
    /// Node.js on `PATH`.
    Node,
    /// Python 3 on `PATH`.
    Python,
    /// A kernel that confines children fully: Landlock, seccomp and namespaces.
    Sandbox,
    /// Chromium.
    Browser,
    /// Test data that may not be kept in the repository, in `../shared`.
    Corpora,
    /// The official MCP clients.
    Clients,
    /// A program of the system: bash, git, perl, tar.
    Programs,
    /// `strace` with the right to trace.
    Strace,
    /// The time zone database.
    Zones,
}

impl Need {
    /// Every need.
    pub const ALL: &[Self] = &[
        Self::Nats,
        Self::Node,
        Self::Python,
        Self::Sandbox,
        Self::Browser,
        Self::Corpora,
        Self::Clients,
        Self::Programs,
        Self::Strace,
        Self::Zones,
    ];

    /// Returns the word for it in `SKILLS_TEST_REQUIRE`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Nats => "nats",
            Self::Node => "node",
            Self::Python => "python",
            Self::Sandbox => "sandbox",
            Self::Browser => "browser",
            Self::Corpora => "corpora",
            Self::Clients => "clients",
            Self::Programs => "programs",
            Self::Strace => "strace",
            Self::Zones => "zones",
        }
    }

    /// Returns what a person does to have it.
    pub fn remedy(self) -> &'static str {
        match self {
            Self::Nats => "apt-get install nats-server, or cargo xtask nats-server",
            Self::Node => "install Node.js 22 or later",
            Self::Python => "install Python 3 with PyYAML",
            Self::Sandbox => "run on Linux 6.2 or later with user namespaces, or as root",
            Self::Browser => "apt-get install chromium",
            Self::Corpora => {
                "put the corpora into ../shared; only the maintainers have all of them"
            }
            Self::Clients => "cargo xtask clients",
            Self::Programs => "install it from your distribution",
            Self::Strace => "apt-get install strace, and allow ptrace",
            Self::Zones => "apt-get install tzdata",
        }
    }

    /// Returns the need that `word` names.
    pub fn from_word(word: &str) -> Option<Self> {
        let mut all = Self::ALL.iter().copied();
        all.find(|need| need.word() == word)
    }
}

impl fmt::Display for Need {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}
