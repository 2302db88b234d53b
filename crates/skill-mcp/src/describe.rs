//! A cache of descriptions, valid as long as the skills are unchanged. It serves the tools and the
//! web page.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use skill_disclosure::{
    Budgets, CacheLimits, CacheStatistics, Description, DescriptionCache, Facts, FullError,
    LocalBodies, Phase, Version,
};
use skill_loader::catalog::CatalogSkill;
use skill_loader::load::{Limits, Selection};

use crate::store::Store;

/// The descriptions of one server. Budgets and token counter are always the same.
#[derive(Debug)]
pub(crate) struct Descriptions(Mutex<DescriptionCache>);

impl Default for Descriptions {
    fn default() -> Self {
        Self(Mutex::new(DescriptionCache::new(CacheLimits::default())))
    }
}

impl Descriptions {
    /// Returns the hit and miss counters.
    pub(crate) fn statistics(&self) -> CacheStatistics {
        self.with(|cache| cache.statistics())
    }

    /// Returns the description of a skill at a phase, from the current `SKILL.md` on the disk.
    pub(crate) fn describe(
        &self,
        store: &Store,
        limits: &Limits,
        skill: &Arc<CatalogSkill>,
        phase: Phase,
    ) -> Result<Description, FullError> {
        // Reading the body updates the snapshot if the file was changed.
        let body = match phase {
            Phase::Metadata => None,
            Phase::Brief | Phase::Full => store.body(&skill.name, &Selection::default()).ok(),
        };
        let skill = body.as_ref().map_or(skill, |(skill, _)| skill);
        let version = Version::from_skill(skill);
        let cached = self.with(|cache| cache.get(&skill.name, phase, &version, Instant::now()));
        if let Some(cached) = cached {
            return Ok(cached);
        }
        let mut facts = Facts::from_skill(skill);
        if let Some((_, body)) = &body {
            facts = facts.with_body(&body.loaded.text);
        }
        let catalog = store.catalog();
        let bodies = LocalBodies::new(&catalog, limits.clone());
        let (budgets, counter) = (Budgets::default(), &store.counter);
        let made = skill_disclosure::describe(&facts, phase, &budgets, &bodies, counter)?;
        // A body that cannot be read now may be readable a moment later.
        if body.is_some() || phase == Phase::Metadata {
            let cached = made.clone();
            self.with(|cache| cache.put(cached, version, Instant::now()));
        }
        Ok(made)
    }
    fn with<T>(&self, work: impl FnOnce(&mut DescriptionCache) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
