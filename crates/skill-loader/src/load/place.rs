//! The location of a skill.

use std::path::PathBuf;
use std::sync::Arc;

use crate::fs::Root;

/// The owner of a skill, in order of precedence.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Source {
    /// The project's.
    Project,
    /// The user's.
    User,
    /// Shipped with a program.
    BuiltIn,
}

impl Source {
    /// Returns the word for reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Project => "project",
            Self::User => "user",
            Self::BuiltIn => "built-in",
        }
    }
}

/// One skill below an open root. Made by a [`Catalog`](crate::catalog::Catalog), or directly.
#[derive(Clone, Debug)]
pub struct SkillPlace {
    /// The open directory.
    pub root: Arc<Root>,
    /// The skill's directory relative to the root, empty for the root itself; `None` for a skill
    /// that is a single file and has no resources.
    pub dir: Option<String>,
    /// Its `SKILL.md`, or the single file, relative to the root.
    pub file: String,
}

impl PartialEq for SkillPlace {
    fn eq(&self, other: &Self) -> bool {
        self.location() == other.location() && self.dir == other.dir
    }
}

impl SkillPlace {
    /// Creates the place of the skill in the directory `dir` below `root`.
    pub fn directory(root: Arc<Root>, dir: &str) -> Self {
        let file = match dir {
            "" => "SKILL.md".to_owned(),
            _ => format!("{dir}/SKILL.md"),
        };
        Self {
            root,
            dir: Some(dir.to_owned()),
            file,
        }
    }

    /// Returns the path of the file, based on the path of the root.
    pub fn location(&self) -> PathBuf {
        self.root.path().join(&self.file)
    }
}
