//! Where a skill lies.

use std::path::PathBuf;
use std::sync::Arc;

use crate::fs::Root;

/// Whose skill it is, in the order of precedence.
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
    /// The word for reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Project => "project",
            Self::User => "user",
            Self::BuiltIn => "built-in",
        }
    }
}

/// One skill beneath a held root. Made by a [`Catalog`](crate::catalog::Catalog), or by hand.
#[derive(Clone, Debug)]
pub struct SkillPlace {
    /// The directory that is held open.
    pub root: Arc<Root>,
    /// The skill's directory beneath it, empty for the root itself; nothing for a skill that is
    /// a single file and has no resources.
    pub dir: Option<String>,
    /// Its `SKILL.md`, or the single file, beneath the root.
    pub file: String,
}

impl PartialEq for SkillPlace {
    fn eq(&self, other: &Self) -> bool {
        self.location() == other.location() && self.dir == other.dir
    }
}

impl SkillPlace {
    /// A skill in the directory `dir` beneath `root`.
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

    /// The file by the path that the root was opened by.
    pub fn location(&self) -> PathBuf {
        self.root.path().join(&self.file)
    }
}
