//! Where the body of a skill comes from.

use skill_loader::catalog::CatalogSkill;
use skill_loader::load::{Limits, LoadError, Selection, load_skill_body};
use std::collections::BTreeMap;
use std::sync::Arc;

use thiserror::Error;

/// Why there is no body.
#[derive(Debug, Error)]
pub enum FullError {
    /// There is no such skill.
    #[error("there is no skill `{0}`")]
    NotFound(String),
    /// Its file cannot be read.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The node that has it did not give it.
    #[error("the node of `{skill}` does not give it: {reason}")]
    Node {
        /// The skill.
        skill: String,
        /// What the node or the network said.
        reason: String,
    },
}

/// Gives the bodies of skills, from a disk or from another node.
pub trait FullSource {
    /// The Markdown after the frontmatter of `SKILL.md`.
    fn body(&self, skill: &str) -> Result<String, FullError>;
}

/// The bodies of a catalogue.
#[derive(Clone, Debug)]
pub struct LocalBodies<'a> {
    skills: &'a BTreeMap<String, Arc<CatalogSkill>>,
    limits: Limits,
}

impl<'a> LocalBodies<'a> {
    /// Bodies within the loader's limits: a longer one is trimmed, with marks.
    pub fn new(skills: &'a BTreeMap<String, Arc<CatalogSkill>>, limits: Limits) -> Self {
        Self { skills, limits }
    }
}

impl FullSource for LocalBodies<'_> {
    fn body(&self, skill: &str) -> Result<String, FullError> {
        let found = self.skills.get(skill);
        let found = found.ok_or_else(|| FullError::NotFound(skill.to_owned()))?;
        let loaded = load_skill_body(&found.place, &Selection::default(), &self.limits)?;
        Ok(loaded.text)
    }
}
