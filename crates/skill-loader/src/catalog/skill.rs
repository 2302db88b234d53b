//! A skill at level 1.

use skill_diagnostics::Diagnostic;
use skill_model::{Digest, Metadata};

use crate::fs::{FileInfo, Stamp};
use crate::load::{Limits, LoadError, LoadedPrompt, SkillPlace, Source, load_prompt};

/// A skill at level 1.
#[derive(Clone, PartialEq, Debug)]
pub struct CatalogSkill {
    /// Its name: never empty, without control characters.
    pub name: String,
    /// Its description, as written.
    pub description: String,
    /// The owner of the skill.
    pub source: Source,
    /// Its location, for levels 2 and 3.
    pub place: SkillPlace,
    /// Its `METADATA.yml`, if there is a readable one.
    pub metadata: Option<Box<Metadata>>,
    /// Digest of its `SKILL.md`.
    pub digest: Digest,
    /// Digest of its `METADATA.yml`, if there is a readable one.
    pub metadata_digest: Option<Digest>,
    /// The reason why nothing of its `METADATA.yml` can be used.
    pub metadata_flaw: Option<Box<Diagnostic>>,
    /// File information of `SKILL.md` and `METADATA.yml` when they were read.
    pub(super) stamps: [Option<FileInfo>; 2],
}

impl CatalogSkill {
    /// Reads its prompt.
    ///
    /// # Errors
    ///
    /// Those of [`load_prompt`].
    pub fn prompt(&self, limits: &Limits) -> Result<LoadedPrompt, LoadError> {
        load_prompt(&self.name, &self.place, self.metadata.as_deref(), limits)
    }

    /// Returns the stamps of `SKILL.md` and `METADATA.yml` when they were read.
    pub fn stamps(&self) -> [Option<Stamp>; 2] {
        self.stamps.map(|info| info.map(|info| info.stamp))
    }
}
