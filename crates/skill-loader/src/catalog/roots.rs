//! The directories of skills, and their order.
//!
//! The order is the same in every tool: the directories that the user named, or else those of the
//! project; then the user's, then built-in ones, then the skills of other machines. The first skill
//! of a name wins.

use std::path::{Path, PathBuf};

use thiserror::Error;

use super::SkillRoot;
use crate::fs::{PathError, Root};
use crate::load::Source;

/// The directories in which a project keeps its skills, in their order.
pub const PROJECT_ROOTS: [&str; 3] = [".agents/skills", "skills", ".claude/skills"];

/// Directories of skills, by their place in the order.
#[derive(Clone, Debug, Default)]
pub struct SkillRoots {
    /// The directories that the user named. If there are none, those of [`PROJECT_ROOTS`] that
    /// exist.
    pub project: Vec<PathBuf>,
    /// The user's own directories.
    pub user: Vec<PathBuf>,
    /// The directories that come with a program.
    pub built_in: Vec<PathBuf>,
    /// The directory into which the skills of other machines are written.
    pub nodes: Option<PathBuf>,
}

/// The reason why there are no directories of skills.
#[derive(Debug, Error)]
pub enum RootsError {
    /// A directory that was named cannot be opened.
    #[error("cannot read the directory of skills")]
    Unreadable(#[source] PathError),
    /// No directory was named, and the project has none.
    #[error("found none of {}, expected {expected}", PROJECT_ROOTS.join(", "))]
    Missing {
        /// The argument that names a directory.
        expected: String,
    },
}

impl SkillRoots {
    /// Returns the directories in their order. `expected` is the argument that names one.
    ///
    /// # Errors
    ///
    /// A directory that was named cannot be opened, or there are no directories at all.
    pub fn resolve(&self, expected: &str) -> Result<Vec<SkillRoot>, RootsError> {
        let named = [
            (&self.project, Source::Project),
            (&self.user, Source::User),
            (&self.built_in, Source::BuiltIn),
        ];
        let mut res = Vec::new();
        if self.project.is_empty() {
            let paths = PROJECT_ROOTS.iter().map(Path::new);
            let present = paths.filter(|path| Root::open(path).is_ok());
            res.extend(present.map(|path| root(path, Source::Project)));
        }
        for (paths, source) in named {
            for path in paths {
                Root::open_following(path).map_err(RootsError::Unreadable)?;
                res.push(root(path, source));
            }
        }
        let nodes = self.nodes.as_deref();
        res.extend(nodes.map(|path| root(path, Source::BuiltIn)));
        if res.is_empty() {
            let expected = expected.to_owned();
            return Err(RootsError::Missing { expected });
        }
        Ok(res)
    }
}

fn root(path: &Path, source: Source) -> SkillRoot {
    SkillRoot {
        path: path.to_owned(),
        source,
    }
}
