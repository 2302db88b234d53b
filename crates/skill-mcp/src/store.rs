//! The single source of all answers: the latest valid catalog and the manifests made from it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};
use std::time::Duration;

use skill_loader::Digest;
use skill_loader::catalog::{Catalog, CatalogCache, CatalogSettings, CatalogSkill};
use skill_loader::load::{
    Limits, LoadError, LoadedPrompt, LoadedText, Selection, check_resource_path, load_resource,
    load_skill_body,
};
use skill_model::is_withheld;
use skill_tokens::{Estimator, TokenCounter as _};
use tokio::sync::watch;

use crate::bodies::{self, Bodies, Body};
use crate::manifest::{File, Files, Manifest, NoEntry};
use crate::settings::Settings;
use skill_packages::files::{self, PublicFile, is_trigger_tests};

/// The maximum number of files of a skill that the tools list.
const MAX_LISTED: usize = 100;

/// The skills and what is known about their files.
#[derive(Debug)]
pub(crate) struct Store {
    settings: CatalogSettings,
    cache: OnceLock<CatalogCache>,
    manifests: RwLock<BTreeMap<String, Arc<Manifest>>>,
    bodies: Bodies,
    pub(crate) counter: Estimator,
    limits: Limits,
    recheck: Duration,
    /// The last snapshot announced to clients.
    announced: Mutex<Arc<Catalog>>,
    /// The number of changes so far.
    changes: watch::Sender<u64>,
}

/// The bytes of a file, and the entry of the manifest that they match.
pub(crate) struct Content {
    pub(crate) file: File,
    pub(crate) bytes: Vec<u8>,
}

/// The state of what is known about the files of a skill.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Freshness {
    /// Known and recent: an answer need not wait.
    Fresh,
    /// Known but old: the caller that gets this value revalidates it.
    Stale,
    /// Unknown: the directory was never read, or has changed.
    Missing,
}

/// The files of a skill for the tools; `None` if they cannot be listed.
pub(crate) struct SkillFiles(Option<Arc<Manifest>>);

impl SkillFiles {
    /// Returns the files besides `SKILL.md` and `METADATA.yml`, and the number of files that are
    /// left out.
    pub(crate) fn listed(&self) -> (Vec<PublicFile>, usize) {
        let Some(manifest) = &self.0 else {
            return (Vec::new(), 0);
        };
        let is_resource = |file: &&PublicFile| !matches!(&*file.path, "SKILL.md" | "METADATA.yml");
        let files = manifest.listed.iter().filter(is_resource);
        let n_more = files.clone().count().saturating_sub(MAX_LISTED) + manifest.n_unlisted;
        (files.take(MAX_LISTED).cloned().collect(), n_more)
    }

    /// Returns the manifest, by which callers notice a change.
    pub(crate) fn manifest(&self) -> Option<&Arc<Manifest>> {
        self.0.as_ref()
    }
}

impl Store {
    /// Creates a store that reads nothing until it is asked.
    pub(crate) fn new(settings: &Settings) -> Self {
        Self {
            settings: settings.catalog.clone(),
            cache: OnceLock::new(),
            manifests: RwLock::default(),
            bodies: Bodies::default(),
            counter: Estimator::default(),
            limits: settings.limits.clone(),
            recheck: settings.recheck,
            announced: Mutex::default(),
            changes: watch::Sender::new(0),
        }
    }

    /// Returns the catalog. The first caller reads it and the others wait.
    fn cache(&self) -> &CatalogCache {
        self.cache.get_or_init(|| {
            let cache = CatalogCache::new(self.settings.clone());
            *self
                .announced
                .lock()
                .unwrap_or_else(PoisonError::into_inner) = cache.current();
            cache
        })
    }

    /// Returns the current snapshot.
    pub(crate) fn catalog(&self) -> Arc<Catalog> {
        self.cache().current()
    }

    /// Returns a receiver that is notified of every change.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// Reads all directories again. Blocks on the disk.
    pub(crate) fn refresh(&self) -> Arc<Catalog> {
        let catalog = self.cache().refresh();
        self.announce(&catalog);
        catalog
    }

    fn announce(&self, catalog: &Arc<Catalog>) {
        let mut announced = self
            .announced
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let is_new = !has_same_content(&announced, catalog);
        *announced = catalog.clone();
        drop(announced);
        if is_new {
            self.changes.send_modify(|n| *n += 1);
        }
    }

    /// Returns the skill called `name` in the snapshot.
    pub(crate) fn skill(&self, name: &str) -> Result<Arc<CatalogSkill>, LoadError> {
        self.catalog().find(name).cloned()
    }

    /// Returns the instructions of a skill as they are on the disk. If they have changed, the
    /// snapshot is updated.
    pub(crate) fn body(
        &self,
        name: &str,
        selection: &Selection,
    ) -> Result<(Arc<CatalogSkill>, Arc<Body>), LoadError> {
        let skill = self.skill(name)?;
        let info = bodies::file_info(&skill);
        if *selection == Selection::default()
            && let Some(info) = &info
            && let Some(body) = self.bodies.get(&skill, info)
        {
            return Ok((skill, body));
        }
        let mut skill = skill;
        let mut loaded = load_skill_body(&skill.place, selection, &self.limits)?;
        if loaded.report.sha256 != skill.digest {
            let catalog = self.cache().refresh_skill(name);
            self.announce(&catalog);
            skill = catalog.find(name)?.clone();
            loaded = load_skill_body(&skill.place, selection, &self.limits)?;
        }
        let tokens = self.counter.count(&loaded.text);
        let body = match info.filter(|_| *selection == Selection::default()) {
            Some(info) => self.bodies.keep(&skill.name, loaded, tokens, info),
            None => Arc::new(Body::uncached(loaded, tokens)),
        };
        Ok((skill, body))
    }

    /// Returns the prompt of a skill.
    pub(crate) fn prompt(&self, skill: &CatalogSkill) -> Result<LoadedPrompt, LoadError> {
        skill.prompt(&self.limits)
    }

    /// Returns a part of a file of a skill, as text.
    pub(crate) fn resource(
        &self,
        name: &str,
        path: &str,
        selection: &Selection,
    ) -> Result<(Arc<CatalogSkill>, LoadedText), LoadError> {
        let skill = self.skill(name)?;
        let is_private = is_withheld(path) || is_trigger_tests(path);
        if check_resource_path(path).is_ok() && is_private {
            return Err(LoadError::Missing {
                path: path.to_owned(),
                why: "is private and not served",
            });
        }
        let loaded = load_resource(&skill.place, path, selection, &self.limits)?;
        Ok((skill, loaded))
    }

    /// Returns the files of a skill. Blocks on the disk unless they are known and recent.
    pub(crate) fn manifest(&self, skill: &Arc<CatalogSkill>) -> Result<Arc<Manifest>, NoEntry> {
        if let Some(manifest) = self.recent(skill) {
            return Ok(manifest);
        }
        let known = self.known(&skill.name);
        if let Some(known) = known.filter(|known| known.is_current(skill)) {
            return Ok(known);
        }
        Ok(self.keep(skill, Manifest::read(skill)?))
    }

    /// Returns the files of a skill if they are known and were checked recently.
    fn recent(&self, skill: &CatalogSkill) -> Option<Arc<Manifest>> {
        let known = self.consistent(skill)?;
        known.is_fresh(self.recheck).then_some(known)
    }

    /// Returns the state of what is known about the files of a skill.
    pub(crate) fn freshness(&self, skill: &CatalogSkill) -> Freshness {
        match self.consistent(skill) {
            None => Freshness::Missing,
            Some(known) if known.claim_check(self.recheck) => Freshness::Stale,
            Some(_) => Freshness::Fresh,
        }
    }

    /// Checks that the files of a skill are unchanged, and reads them again if not. Blocks on the
    /// disk.
    pub(crate) fn revalidate(&self, skill: &Arc<CatalogSkill>) {
        let known = self.consistent(skill);
        if known.is_none_or(|known| !known.is_current(skill))
            && let Ok(manifest) = Manifest::read(skill)
        {
            self.keep(skill, manifest);
        }
    }

    /// Returns the known manifest of a skill unless its `SKILL.md` differs from the one of the
    /// snapshot.
    fn consistent(&self, skill: &CatalogSkill) -> Option<Arc<Manifest>> {
        let known = self.known(&skill.name)?;
        let agrees = known.entry.as_ref().map_or(true, |files| {
            let file = files.file("SKILL.md");
            file.is_some_and(|file| file.digest == skill.digest)
        });
        agrees.then_some(known)
    }

    fn known(&self, name: &str) -> Option<Arc<Manifest>> {
        let manifests = self.manifests.read();
        let manifests = manifests.unwrap_or_else(PoisonError::into_inner);
        manifests.get(name).cloned()
    }

    /// Stores a manifest. If its `SKILL.md` differs from the one of the snapshot, the snapshot is
    /// updated.
    fn keep(&self, skill: &CatalogSkill, manifest: Manifest) -> Arc<Manifest> {
        let manifest = Arc::new(manifest);
        let file = manifest
            .entry
            .as_ref()
            .ok()
            .and_then(|files| files.file("SKILL.md"));
        if file.is_some_and(|file| file.digest != skill.digest) {
            let catalog = self.cache().refresh_skill(&skill.name);
            self.announce(&catalog);
        }
        let manifests = self.manifests.write();
        let mut manifests = manifests.unwrap_or_else(PoisonError::into_inner);
        let last = manifests.insert(skill.name.clone(), manifest.clone());
        drop(manifests);
        if last.is_some() {
            self.changes.send_modify(|n| *n += 1);
        }
        manifest
    }

    /// Returns the files of a skill, for the tools.
    pub(crate) fn files_of(&self, skill: &Arc<CatalogSkill>) -> SkillFiles {
        SkillFiles(self.manifest(skill).ok())
    }

    /// Returns the files of a skill besides its instructions, and the number of files that are left
    /// out. Both are empty if the files cannot be listed.
    pub(crate) fn listed(&self, name: &str) -> (Vec<PublicFile>, usize) {
        let skill = self.skill(name).ok();
        let files = SkillFiles(skill.and_then(|skill| self.manifest(&skill).ok()));
        files.listed()
    }

    /// Returns a file of a skill with exactly the bytes that its manifest describes. If they have
    /// changed, the manifest is made again first. Returns `None` if the skill does not serve the
    /// file.
    pub(crate) fn content(&self, skill: &Arc<CatalogSkill>, path: &str) -> Option<Content> {
        let manifest = self.manifest(skill).ok()?;
        let files = manifest.entry.as_ref().ok()?;
        if let Some(content) = content(skill, files, path) {
            return Some(content);
        }
        files.file(path)?;
        let manifest = self.keep(skill, Manifest::read(skill).ok()?);
        content(skill, manifest.entry.as_ref().ok()?, path)
    }
}

/// Returns true if the skills of two snapshots have the same content, even if their files were
/// touched.
pub(crate) fn has_same_content(a: &Catalog, b: &Catalog) -> bool {
    let is_same = |(a, b): (&Arc<CatalogSkill>, &Arc<CatalogSkill>)| {
        let is_equal = || a.digest == b.digest && a.metadata == b.metadata && a.place == b.place;
        Arc::ptr_eq(a, b) || (a.name == b.name && is_equal())
    };
    let is_one = std::ptr::eq(a, b);
    is_one
        || a.skills.len() == b.skills.len() && a.skills.values().zip(b.skills.values()).all(is_same)
}

fn content(skill: &CatalogSkill, known: &Files, path: &str) -> Option<Content> {
    let file = known.file(path)?;
    let bytes = files::read(skill, path, file.size).ok()?;
    (Digest::from_content(&bytes) == file.digest).then(|| Content {
        file: file.clone(),
        bytes,
    })
}
