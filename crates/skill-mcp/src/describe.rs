//! Descriptions of skills, kept as long as the skills say the same: for the tools and the page.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use skill_disclosure::{
    Budgets, CacheLimits, CacheStatistics, Description, DescriptionCache, Facts, FullError,
    LocalBodies, Phase, Version,
};
use skill_loader::catalog::CatalogSkill;
use skill_loader::load::Selection;

use crate::server::Shared;

/// Descriptions of one server; budgets and counter are always the same.
#[derive(Debug)]
pub(crate) struct Descriptions(Mutex<DescriptionCache>);

impl Default for Descriptions {
    fn default() -> Self {
        Self(Mutex::new(DescriptionCache::new(CacheLimits::default())))
    }
}

impl Descriptions {
    /// What became of the questions.
    pub(crate) fn statistics(&self) -> CacheStatistics {
        self.with(|cache| cache.statistics())
    }

    fn with<T>(&self, work: impl FnOnce(&mut DescriptionCache) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Shared {
    /// The description of a skill at a phase, by its `SKILL.md` as it lies there now.
    pub(crate) fn describe(
        &self,
        skill: &Arc<CatalogSkill>,
        phase: Phase,
    ) -> Result<Description, FullError> {
        // Asking for the body makes the snapshot follow a file that was changed.
        let body = match phase {
            Phase::Metadata => None,
            Phase::Brief | Phase::Full => self.store.body(&skill.name, &Selection::default()).ok(),
        };
        let skill = body.as_ref().map_or(skill, |(skill, _)| skill);
        let version = Version::from_skill(skill);
        let kept = (self.descriptions)
            .with(|cache| cache.get(&skill.name, phase, &version, Instant::now()));
        if let Some(kept) = kept {
            return Ok(kept);
        }
        let mut facts = Facts::from_skill(skill);
        if let Some((_, body)) = &body {
            facts = facts.with_body(&body.loaded.text);
        }
        let catalog = self.store.catalog();
        let bodies = LocalBodies::new(&catalog.skills, self.settings.limits.clone());
        let (budgets, counter) = (Budgets::default(), &self.store.counter);
        let made = skill_disclosure::describe(&facts, phase, &budgets, &bodies, counter)?;
        // What cannot be read now may be readable in a moment.
        if body.is_some() || phase == Phase::Metadata {
            let kept = made.clone();
            (self.descriptions).with(|cache| cache.put(kept, version, Instant::now()));
        }
        Ok(made)
    }
}
