//! A snapshot of all skills.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use skill_diagnostics::{Diagnostic, nearest};
use skill_model::{Digest, Hasher};

use super::read::{own_name, read};
use super::scan::{Candidate, SearchedDirectory, scan};
use super::skill::CatalogSkill;
use super::{Bounds, CatalogSettings, findings};
use crate::load::{Limits, LoadError, Selection, SkillPlace, load_skill_body};

/// Number of similar names offered.
const N_NEAREST: usize = 3;

/// A snapshot of all skills. Equal trees have equal catalogs.
#[derive(Clone, Default, Debug)]
pub struct Catalog {
    /// The skills by name.
    pub skills: BTreeMap<String, Arc<CatalogSkill>>,
    /// The parts of a host, by name: found by their names and never offered to an agent. No name is
    /// also in `skills`.
    pub hosted: BTreeMap<String, Arc<CatalogSkill>>,
    /// Findings about skills that were left out, sorted.
    pub findings: Vec<Diagnostic>,
    /// Every directory that was searched.
    pub searched: Vec<SearchedDirectory>,
    /// Skills whose name another one took first, such as other versions, in their order: no name leads to
    /// them, but a requirement of another skill may.
    pub shadowed: Vec<Arc<CatalogSkill>>,
    /// Skills that cannot be read, by the name of their directory.
    broken: BTreeMap<String, (SkillPlace, Diagnostic)>,
}

impl Catalog {
    /// Scans all roots.
    pub fn read(settings: &CatalogSettings) -> Self {
        Self::renew(settings, &Self::default())
    }

    /// Scans all roots again and reads only what has changed since `last`. A skill that can no
    /// longer be read keeps its last good state.
    pub(super) fn renew(settings: &CatalogSettings, last: &Self) -> Self {
        let (candidates, findings, searched) = scan(settings);
        let known = last.by_location();
        let mut res = Self {
            findings,
            searched,
            ..Self::default()
        };
        let (hosted, visible): (Vec<&Candidate>, Vec<&Candidate>) =
            candidates.iter().partition(|it| it.is_hosted);
        for candidate in visible.into_iter().chain(hosted) {
            let last = known.get(&candidate.place.location()).copied();
            res.add(candidate, &settings.bounds, last);
        }
        res.findings.sort();
        res
    }

    /// Returns the skills and the parts of a host.
    pub fn all(&self) -> impl Iterator<Item = &Arc<CatalogSkill>> {
        self.skills.values().chain(self.hosted.values())
    }

    fn by_location(&self) -> BTreeMap<PathBuf, &Arc<CatalogSkill>> {
        self.all()
            .chain(&self.shadowed)
            .map(|skill| (skill.place.location(), skill))
            .collect()
    }

    fn add(&mut self, candidate: &Candidate, bounds: &Bounds, last: Option<&Arc<CatalogSkill>>) {
        let skill = match (read(candidate, bounds, last), last) {
            (Ok(None), _) => return,
            (Ok(Some(skill)), _) => {
                let flaw = skill.metadata_flaw.as_deref();
                self.findings.extend(flaw.map(findings::metadata_unusable));
                skill
            }
            (Err(finding), Some(last)) => {
                let kept = findings::kept(&last.name, &candidate.path(), &finding);
                self.findings.push(kept);
                last.clone()
            }
            (Err(finding), None) => {
                self.findings.push((*finding).clone());
                let broken = (candidate.place.clone(), *finding);
                self.broken.entry(own_name(candidate)).or_insert(broken);
                return;
            }
        };
        let known = self.skills.get(&skill.name);
        if let Some(first) = known.or_else(|| self.hosted.get(&skill.name)) {
            // A package keeps other versions of a skill for those that require them.
            if !candidate.is_hosted || own_name(candidate) != skill.versioned_name() {
                let by = crate::fs::shown(&first.place.location()).to_string();
                let finding = findings::shadowed(&skill.name, &candidate.path(), &by);
                self.findings.push(finding);
            }
            self.shadowed.push(skill);
            return;
        }
        let place = if candidate.is_hosted {
            &mut self.hosted
        } else {
            &mut self.skills
        };
        place.insert(skill.name.clone(), skill);
    }

    /// Returns the skill, or the part of a host, called `name`; `NAME@RANGE` is that of a version, also
    /// where another version has the name.
    ///
    /// # Errors
    ///
    /// [`LoadError::SkillNotFound`] with the most similar names if there is no such skill, or the
    /// reason why it could not be read.
    pub fn find(&self, name: &str) -> Result<&Arc<CatalogSkill>, LoadError> {
        let known = self.skills.get(name);
        if let Some(skill) = known.or_else(|| self.hosted.get(name)) {
            return Ok(skill);
        }
        if let Some((place, finding)) = self.broken.get(name) {
            return Err(broken(place, finding));
        }
        if let Some(skill) = name.contains('@').then(|| self.version(name)).flatten() {
            return Ok(skill);
        }
        Err(LoadError::SkillNotFound {
            name: name.to_owned(),
            nearest: self.nearest(name),
            available: self.skills.keys().cloned().collect(),
        })
    }

    /// Returns the skill that a user named: by its name, or by its [`directory`], which is then the only
    /// one that was searched.
    ///
    /// # Errors
    ///
    /// As for [`Catalog::find`].
    pub fn find_named(&self, named: &str) -> Result<&Arc<CatalogSkill>, LoadError> {
        let is_itself = |place: &SkillPlace| place.dir.as_deref() == Some("");
        let at_root = self.skills.values().find(|skill| is_itself(&skill.place));
        match (directory(named), at_root) {
            (None, _) => self.find(named),
            (Some(_), Some(skill)) => Ok(skill),
            (Some(_), None) => {
                let mut broken_ones = self.broken.values();
                let at_root = broken_ones.find(|(place, _)| is_itself(place));
                Err(at_root.map_or_else(
                    || LoadError::SkillNotFound {
                        name: named.to_owned(),
                        nearest: Vec::new(),
                        available: self.skills.keys().cloned().collect(),
                    },
                    |(place, finding)| broken(place, finding),
                ))
            }
        }
    }

    fn nearest(&self, name: &str) -> Vec<String> {
        let mut res: Vec<String> = Vec::new();
        while res.len() < N_NEAREST {
            let names = self.skills.keys().map(String::as_str);
            let rest = names.filter(|name| !res.iter().any(|known| known == name));
            match nearest(name, rest) {
                Some(found) => res.push(found.to_owned()),
                None => break,
            }
        }
        res
    }

    /// Returns a digest over the names, places and contents of all skills.
    pub fn digest(&self) -> Digest {
        let mut hasher = Hasher::default();
        for skill in self.all() {
            for part in [&skill.name, &skill.place.file, &skill.digest.to_string()] {
                hasher.update(part.as_bytes());
                hasher.update(b"\0");
            }
        }
        hasher.finish()
    }
}

/// Returns the directory that a user named in place of a skill: `.`, `..`, or a path with `/`.
pub fn directory(named: &str) -> Option<PathBuf> {
    let is_path = named.contains('/') || matches!(named, "." | "..");
    is_path.then(|| PathBuf::from(named))
}

/// Returns the error of reading a skill that the catalog left out.
fn broken(place: &SkillPlace, finding: &Diagnostic) -> LoadError {
    let read = load_skill_body(place, &Selection::default(), &Limits::default());
    read.err().unwrap_or_else(|| LoadError::InvalidFrontmatter {
        path: place.file.clone(),
        finding: Box::new(finding.clone()),
    })
}
