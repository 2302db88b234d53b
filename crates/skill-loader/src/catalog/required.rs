//! The skills that a skill builds on: those in its `requires.skills`, and those that they require.

use std::path::PathBuf;
use std::sync::Arc;

use skill_model::{RequirementCandidate, Unmet, choose, closure};

use super::{Catalog, CatalogSkill};
use crate::load::{Limits, LoadError, LoadedText, Selection, load_skill_body};

/// Everything that a skill builds on.
#[derive(Clone, Default, Debug)]
pub struct Required {
    /// The skills, each once and after what it requires itself.
    pub skills: Vec<Arc<CatalogSkill>>,
    /// The requirements that are not met, each with the name of the skill that has it.
    pub unmet: Vec<(String, Unmet)>,
}

/// A skill that another one builds on, and its instructions.
#[derive(Clone, Debug)]
pub struct RequiredText {
    /// The skill.
    pub skill: Arc<CatalogSkill>,
    /// Its instructions; `None` if they have no room.
    pub loaded: Option<LoadedText>,
}

impl Catalog {
    /// Reads the instructions of everything that a skill builds on, each once and after what it requires
    /// itself. Together they have at most `room` characters; the others are named only.
    ///
    /// # Errors
    ///
    /// [`LoadError::RequiredMissing`], or a skill cannot be read.
    pub fn read_required(
        &self,
        skill: &CatalogSkill,
        limits: &Limits,
        mut room: usize,
    ) -> Result<Vec<RequiredText>, LoadError> {
        let found = self.required(skill);
        if let Some((name, why)) = found.unmet.into_iter().next() {
            return Err(LoadError::RequiredMissing { name, why });
        }
        let read = found.skills.into_iter().map(|skill| {
            let loaded = load_skill_body(&skill.place, &Selection::default(), limits)?;
            let rest = room.checked_sub(loaded.report.chars_returned);
            room = rest.unwrap_or(room);
            Ok(RequiredText {
                skill,
                loaded: rest.map(|_| loaded),
            })
        });
        read.collect()
    }

    /// Returns what a skill builds on. Skills of a name that another one took count too, because they may
    /// have another version.
    pub fn required(&self, skill: &CatalogSkill) -> Required {
        let all = self.in_order(skill);
        let candidates: Vec<_> = all.iter().map(|skill| skill.as_candidate()).collect();
        if candidates.is_empty() {
            return Required::default();
        }
        let found = closure(0, &candidates);
        let unmet = found.unmet.into_iter();
        Required {
            skills: found.order.into_iter().map(|at| all[at].clone()).collect(),
            unmet: unmet.map(|(by, why)| (all[by].name.clone(), why)).collect(),
        }
    }

    /// Returns the skills that a skill requires itself, each text with the skill that meets it.
    pub fn requirements<'c>(
        &'c self,
        skill: &'c CatalogSkill,
    ) -> Vec<(&'c str, Option<&'c Arc<CatalogSkill>>)> {
        let all = self.in_order(skill);
        let candidates: Vec<_> = all.iter().map(|skill| skill.as_candidate()).collect();
        let met = skill.requires().iter().map(|text| {
            let found = choose(text, &candidates).ok();
            (text.as_str(), found.map(|at| all[at]))
        });
        met.collect()
    }

    /// Returns the skill that meets a requirement with a range of versions: `tea@2.0.0`, `tea@^2`.
    pub(super) fn version(&self, requirement: &str) -> Option<&Arc<CatalogSkill>> {
        let all: Vec<&Arc<CatalogSkill>> = self.all().chain(&self.shadowed).collect();
        let candidates: Vec<_> = all.iter().map(|skill| skill.as_candidate()).collect();
        choose(requirement, &candidates).ok().map(|at| all[at])
    }

    /// Returns the versions of a skill besides its own that others may require, in their order.
    pub fn other_versions(&self, skill: &CatalogSkill) -> Vec<&str> {
        let mut res = Vec::new();
        for other in self.shadowed.iter().filter(|it| it.name == skill.name) {
            let version = other.version();
            if !version.is_empty() && version != skill.version() && !res.contains(&version) {
                res.push(version);
            }
        }
        res
    }

    /// Returns the names and the directories of everything that a skill builds on. They have the order of
    /// the catalog, so that a requirement resolved among them alone is met by the same skill. The versions
    /// outside of a range are among them too, so that its error names them.
    pub fn required_places(&self, skill: &CatalogSkill) -> Vec<(String, PathBuf)> {
        let all = self.in_order(skill);
        let candidates: Vec<_> = all.iter().map(|skill| skill.as_candidate()).collect();
        if candidates.is_empty() {
            return Vec::new();
        }
        let found = closure(0, &candidates);
        let mut order = found.order;
        for (_, why) in &found.unmet {
            let Unmet::Version { name, .. } = why else {
                continue;
            };
            let others = candidates.iter().enumerate().skip(1);
            let name = name.as_str();
            let others = others.filter(|(_, it)| it.name == name || it.plugin == Some(name));
            order.extend(others.map(|(at, _)| at));
        }
        order.sort_unstable();
        order.dedup();
        let places = order.into_iter().filter_map(|at| {
            let place = &all[at].place;
            let dir = place.root.path().join(place.dir.as_ref()?);
            Some((all[at].name.clone(), dir))
        });
        places.collect()
    }

    /// Returns all skills in their order, behind this one, so that its own name means itself; none if it
    /// requires nothing.
    fn in_order(&self, skill: &CatalogSkill) -> Vec<&Arc<CatalogSkill>> {
        if skill.requires().is_empty() {
            return Vec::new();
        }
        let mut all: Vec<&Arc<CatalogSkill>> = self.all().chain(&self.shadowed).collect();
        let is_it = |other: &&Arc<CatalogSkill>| other.place.location() == skill.place.location();
        let Some(start) = all.iter().position(is_it) else {
            return Vec::new();
        };
        all[..=start].rotate_right(1);
        all
    }
}

impl CatalogSkill {
    /// Returns the skills that it requires, as its METADATA.yml names them.
    pub fn requires(&self) -> &[String] {
        let metadata = self.metadata.as_deref();
        metadata.map_or(&[], |metadata| &metadata.requires.skills)
    }

    /// Returns its version; empty if it has no METADATA.yml.
    pub fn version(&self) -> &str {
        let metadata = self.metadata.as_deref();
        metadata.map_or("", |metadata| &metadata.version)
    }

    /// Returns its name with its version, the name of its directory beside another version.
    pub fn versioned_name(&self) -> String {
        format!("{}@{}", self.name, self.version())
    }

    fn as_candidate(&self) -> RequirementCandidate<'_> {
        let legacy = self.metadata.as_deref().and_then(|it| it.legacy.as_ref());
        RequirementCandidate {
            name: &self.name,
            version: self.version(),
            plugin: legacy.map(|legacy| legacy.directory.as_str()),
            requires: self.requires(),
        }
    }
}
