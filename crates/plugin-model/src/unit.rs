//! The units of a package.

use std::fmt;
use std::sync::Arc;

use crate::{Api, Hook, Program, Server, Text};

/// A part of a package that becomes one skill.
#[derive(Clone, PartialEq, Debug)]
pub struct Unit {
    /// The key of the unit within its package.
    pub key: UnitKey,
    /// Path of the document that declares the unit, relative to the package.
    pub file: Arc<str>,
    /// The content of the unit.
    pub kind: UnitKind,
}

/// The kinds of units. A reader of another format adds the kinds that its host has (a server, for
/// example), and `skill-migrator` plans each kind in a file of its own.
#[derive(Clone, PartialEq, Debug)]
pub enum UnitKind {
    /// A program or module that a host starts or loads.
    Program(Box<Program>),
    /// A prompt that a user starts, with arguments.
    Prompt(Box<Text>),
    /// A `SKILL.md` of another host.
    Instructions(Box<Text>),
    /// The description of an agent that works for the main one.
    Agent(Box<Text>),
    /// A service over HTTP.
    Api(Box<Api>),
    /// An MCP server.
    Server(Box<Server>),
    /// A hook that only prints.
    Hook(Box<Hook>),
}

impl UnitKind {
    /// Returns the text of a unit that is one.
    pub fn text(&self) -> Option<&Text> {
        match self {
            Self::Program(_) | Self::Api(_) | Self::Server(_) | Self::Hook(_) => None,
            Self::Prompt(text) | Self::Instructions(text) | Self::Agent(text) => Some(text),
        }
    }
}

/// The key of a unit: stable from run to run and unique within its package, for example
/// `command/review`. The key of a package that is a single unit is empty.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct UnitKey(String);

impl UnitKey {
    /// The key of the only unit of a package.
    pub const ONLY: Self = Self(String::new());

    /// Creates a key from the kind and the name of a unit.
    ///
    /// ```
    /// let key = plugin_model::UnitKey::new("command", "review");
    /// assert_eq!(key.within("plugins/tea"), "plugins/tea#command/review");
    /// assert_eq!(plugin_model::UnitKey::ONLY.within("plugins/tea"), "plugins/tea");
    /// ```
    pub fn new(kind: &str, name: &str) -> Self {
        Self(format!("{kind}/{name}"))
    }

    /// Returns the key of the unit among all units of a collection: the directory of its package,
    /// followed by `#` and the key if the package has more than one unit.
    pub fn within(&self, directory: &str) -> String {
        if self.0.is_empty() {
            directory.to_owned()
        } else {
            format!("{directory}#{}", self.0)
        }
    }
}

impl fmt::Display for UnitKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
