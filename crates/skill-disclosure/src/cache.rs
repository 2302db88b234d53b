//! A cache of descriptions.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use skill_loader::Digest;
use skill_loader::catalog::CatalogSkill;
use skill_loader::fs::Stamp;

use crate::{Description, Phase};

/// The limits of a cache.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CacheLimits {
    /// The lifetime of a description, by phase; `None` if it is valid as long as the content is the
    /// same.
    pub lifetimes: [Option<Duration>; 3],
    /// The maximum number of descriptions, by phase.
    pub capacities: [usize; 3],
}

impl Default for CacheLimits {
    /// Metadata has no lifetime, brief has 30 minutes and full has 15; the capacities are 10,000,
    /// 256 and 128.
    fn default() -> Self {
        let minutes = |n: u64| Some(Duration::from_secs(60 * n));
        Self {
            lifetimes: [None, minutes(30), minutes(15)],
            capacities: [10_000, 256, 128],
        }
    }
}

/// The version of the files that a description was made from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Version {
    /// The digest of `SKILL.md`.
    pub digest: Digest,
    /// The digest of `METADATA.yml`, if there is one.
    pub metadata_digest: Option<Digest>,
    /// The sizes and times of both files; `None` for a source that is not a file.
    pub stamps: [Option<Stamp>; 2],
}

impl Version {
    /// Returns the version of a skill in a catalog.
    pub fn from_skill(skill: &CatalogSkill) -> Self {
        Self {
            digest: skill.digest,
            metadata_digest: skill.metadata_digest,
            stamps: skill.stamps(),
        }
    }

    /// Metadata depends on content alone. For the body, times count as well, because other files
    /// may have changed with them.
    fn still_holds(&self, now: &Self, phase: Phase) -> bool {
        let same_content = self.digest == now.digest && self.metadata_digest == now.metadata_digest;
        same_content && (phase == Phase::Metadata || self.stamps == now.stamps)
    }
}

/// Hit and miss counters of one phase.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct PhaseStatistics {
    /// Lookups that found a description.
    pub hits: u64,
    /// Lookups that did not, for any reason.
    pub misses: u64,
    /// Misses because the description was too old.
    pub expired: u64,
    /// Misses because the skill had changed.
    pub invalidated: u64,
    /// Descriptions removed because others were used more recently.
    pub evicted: u64,
    /// Descriptions that are in the cache now.
    pub entries: usize,
}

/// The counters of all phases.
pub type CacheStatistics = BTreeMap<Phase, PhaseStatistics>;

/// A cache of the most recently used descriptions, by skill and phase. Only descriptions are
/// cached; the absence of a skill is not.
///
/// Descriptions with other budgets, counters or settings need another cache.
#[derive(Debug)]
pub struct DescriptionCache {
    limits: CacheLimits,
    phases: [PhaseCache; 3],
}

#[derive(Default, Debug)]
struct PhaseCache {
    entries: BTreeMap<String, Entry>,
    /// The names, by last use.
    uses: BTreeMap<u64, String>,
    n_uses: u64,
    statistics: PhaseStatistics,
}

#[derive(Debug)]
struct Entry {
    description: Description,
    version: Version,
    made: Instant,
    last_use: u64,
}

impl DescriptionCache {
    /// Creates an empty cache.
    pub fn new(limits: CacheLimits) -> Self {
        let phases = Default::default();
        Self { limits, phases }
    }

    /// Returns a description of this version that is still valid at `now`.
    pub fn get(
        &mut self,
        skill: &str,
        phase: Phase,
        version: &Version,
        now: Instant,
    ) -> Option<Description> {
        let lifetime = self.limits.lifetimes[phase as usize];
        let cache = &mut self.phases[phase as usize];
        let Some(entry) = cache.entries.get(skill) else {
            cache.statistics.misses += 1;
            return None;
        };
        let is_old =
            lifetime.is_some_and(|lifetime| now.saturating_duration_since(entry.made) >= lifetime);
        if !entry.version.still_holds(version, phase) || is_old {
            let same = entry.version.still_holds(version, phase);
            cache.statistics.misses += 1;
            cache.statistics.expired += u64::from(same);
            cache.statistics.invalidated += u64::from(!same);
            cache.remove(skill);
            return None;
        }
        cache.statistics.hits += 1;
        cache.touch(skill)
    }

    /// Adds a description that was made at `now`.
    pub fn put(&mut self, description: Description, version: Version, now: Instant) {
        let at = description.phase as usize;
        let cache = &mut self.phases[at];
        cache.insert(description, version, now);
        while cache.entries.len() > self.limits.capacities[at] {
            let oldest = cache.uses.values().next().cloned();
            let Some(oldest) = oldest else { break };
            cache.remove(&oldest);
            cache.statistics.evicted += 1;
        }
    }

    /// Returns the counters.
    pub fn statistics(&self) -> CacheStatistics {
        let with_entries = |cache: &PhaseCache| PhaseStatistics {
            entries: cache.entries.len(),
            ..cache.statistics
        };
        Phase::ALL
            .into_iter()
            .zip(self.phases.iter().map(with_entries))
            .collect()
    }
}

impl PhaseCache {
    fn insert(&mut self, description: Description, version: Version, made: Instant) {
        let skill = description.skill.clone();
        self.remove(&skill);
        self.n_uses += 1;
        let last_use = self.n_uses;
        self.uses.insert(last_use, skill.clone());
        self.entries.insert(
            skill,
            Entry {
                description,
                version,
                made,
                last_use,
            },
        );
    }

    fn remove(&mut self, skill: &str) {
        if let Some(entry) = self.entries.remove(skill) {
            self.uses.remove(&entry.last_use);
        }
    }

    fn touch(&mut self, skill: &str) -> Option<Description> {
        let entry = self.entries.get_mut(skill)?;
        self.uses.remove(&entry.last_use);
        self.n_uses += 1;
        entry.last_use = self.n_uses;
        self.uses.insert(self.n_uses, skill.to_owned());
        Some(entry.description.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Omissions;

    fn description(skill: &str, phase: Phase) -> Description {
        Description {
            skill: skill.to_owned(),
            phase,
            text: skill.to_owned(),
            tokens: 1,
            counter: "estimate",
            left_out: Omissions::default(),
        }
    }

    fn version(text: &str) -> Version {
        Version {
            digest: Digest::from_content(text.as_bytes()),
            metadata_digest: None,
            stamps: [None, None],
        }
    }

    #[track_caller]
    fn check(phase: Phase, minutes: u64, content: &str, is_kept: bool) {
        let start = Instant::now();
        let mut cache = DescriptionCache::new(CacheLimits::default());
        cache.put(description("a", phase), version("1"), start);
        let now = start + Duration::from_secs(60 * minutes);
        let found = cache.get("a", phase, &version(content), now);
        assert_eq!(found.is_some(), is_kept);
        let again = cache.get("a", phase, &version(content), now);
        assert_eq!(again.is_some(), is_kept);
    }

    #[test]
    fn each_phase_has_its_lifetime_and_no_change_is_missed() {
        check(Phase::Metadata, 100_000, "1", true);
        check(Phase::Metadata, 0, "2", false);
        check(Phase::Brief, 29, "1", true);
        check(Phase::Brief, 30, "1", false);
        check(Phase::Brief, 0, "2", false);
        check(Phase::Full, 14, "1", true);
        check(Phase::Full, 15, "1", false);
    }

    #[test]
    fn what_was_used_last_stays() {
        let now = Instant::now();
        let limits = CacheLimits {
            capacities: [2, 2, 2],
            ..CacheLimits::default()
        };
        let mut cache = DescriptionCache::new(limits);
        for skill in ["a", "b"] {
            cache.put(description(skill, Phase::Brief), version("1"), now);
        }
        assert!(cache.get("a", Phase::Brief, &version("1"), now).is_some());
        cache.put(description("c", Phase::Brief), version("1"), now);
        assert!(cache.get("b", Phase::Brief, &version("1"), now).is_none());
        assert!(cache.get("a", Phase::Brief, &version("1"), now).is_some());
        let statistics = cache.statistics()[&Phase::Brief];
        assert_eq!(
            (
                statistics.hits,
                statistics.misses,
                statistics.evicted,
                statistics.entries
            ),
            (2, 1, 1, 2)
        );
    }
}
