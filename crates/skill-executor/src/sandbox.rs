//! The confinement that a host wants for the programs of skills.

use std::collections::BTreeSet;
use std::path::PathBuf;

pub use skill_sandbox::{Launcher, Level, Server};

/// The confinement of the children of this process.
#[derive(Clone, Debug)]
pub struct Sandbox {
    /// The minimum level; `None` for no confinement.
    pub at_least: Option<Level>,
    /// The program that applies the restrictions.
    pub launcher: Launcher,
    /// Directories that every child may read besides what its skill gives it.
    pub also_read: Vec<PathBuf>,
    /// Directories that every child may write besides what its skill gives it.
    pub also_write: Vec<PathBuf>,
    /// Permits of METADATA.yml and settings for more than the skill's own directories do not count.
    pub is_own_only: bool,
    /// A server that answers for every host which a program may reach.
    pub emulation: Option<Emulation>,
}

/// A server that takes the place of the internet.
#[derive(Clone, Debug)]
pub struct Emulation {
    /// The server, and the mark by which it recognizes the programs.
    pub server: Server,
    /// The TCP ports at which every host answers a program that may reach all hosts.
    pub ports: BTreeSet<u16>,
}

impl Sandbox {
    /// Returns a setting without confinement: children can access what this process can.
    pub fn off() -> Self {
        Self {
            at_least: None,
            launcher: Launcher::this_program(),
            also_read: Vec::new(),
            also_write: Vec::new(),
            is_own_only: false,
            emulation: None,
        }
    }

    /// Returns a setting with the sandbox of macOS, which is experimental. On other systems no child
    /// is started with it.
    pub fn seatbelt() -> Self {
        Self {
            at_least: Some(Level::Partial),
            launcher: Launcher::seatbelt(),
            also_read: Vec::new(),
            also_write: Vec::new(),
            is_own_only: false,
            emulation: None,
        }
    }

    /// Returns a setting with all restrictions that this machine supports, and at least `level`.
    /// This program's `main` must begin with `skill_sandbox::launcher_main`.
    pub fn at_least(level: Level) -> Self {
        Self {
            at_least: Some(level),
            launcher: Launcher::this_program(),
            also_read: Vec::new(),
            also_write: Vec::new(),
            is_own_only: false,
            emulation: None,
        }
    }
}
