//! Sources of the bodies of skills.

use skill_loader::catalog::Catalog;
use skill_loader::load::{Limits, LoadError, Selection, load_skill_body};

use thiserror::Error;

/// The reason why there is no body.
#[derive(Debug, Error)]
pub enum FullError {
    /// The skill does not exist.
    #[error("there is no skill `{0}`")]
    NotFound(String),
    /// The file of the skill cannot be read.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The node of the skill did not provide the body.
    #[error("the node of `{skill}` did not provide its body: {reason}")]
    Node {
        /// The name of the skill.
        skill: String,
        /// The reason that the node or the network reported.
        reason: String,
    },
}

/// A source of bodies, on disk or on another node.
pub trait FullSource {
    /// Returns the Markdown after the frontmatter of `SKILL.md`.
    ///
    /// # Errors
    ///
    /// Returns a [`FullError`] if the skill does not exist, cannot be read, or its node does not
    /// provide it.
    fn body(&self, skill: &str) -> Result<String, FullError>;
}

/// The bodies of a catalog.
#[derive(Clone, Debug)]
pub struct LocalBodies<'a> {
    catalog: &'a Catalog,
    limits: Limits,
}

impl<'a> LocalBodies<'a> {
    /// Creates a source that keeps the loader's limits: a longer body is trimmed, with marks.
    pub fn new(catalog: &'a Catalog, limits: Limits) -> Self {
        Self { catalog, limits }
    }
}

impl FullSource for LocalBodies<'_> {
    fn body(&self, skill: &str) -> Result<String, FullError> {
        let found = self.catalog.find(skill);
        let found = found.map_err(|_| FullError::NotFound(skill.to_owned()))?;
        let loaded = load_skill_body(&found.place, &Selection::default(), &self.limits)?;
        Ok(loaded.text)
    }
}
