//! The one source of all answers: the newest good catalogue, and the manifests made from it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};
use std::time::Duration;

use skill_disclosure::tokens::{Estimator, TokenCounter as _};
use skill_loader::Digest;
use skill_loader::catalog::{Catalog, CatalogCache, CatalogSettings, CatalogSkill};
use skill_loader::load::{
    Limits, LoadError, LoadedText, Selection, check_resource_path, load_resource, load_skill_body,
};
use skill_model::is_withheld;
use tokio::sync::watch;

use crate::bodies::{self, Bodies, Body};
use crate::manifest::{File, Files, Listed, Manifest, NoEntry, read_file};
use crate::settings::Settings;

/// Most files of a skill that the tools tell of.
const MAX_LISTED: usize = 100;

/// Skills, and what is known of their files.
#[derive(Debug)]
pub(crate) struct Store {
    settings: CatalogSettings,
    cache: OnceLock<CatalogCache>,
    manifests: RwLock<BTreeMap<String, Arc<Manifest>>>,
    bodies: Bodies,
    pub(crate) counter: Estimator,
    limits: Limits,
    recheck: Duration,
    /// The snapshot that agents were told of last.
    told: Mutex<Arc<Catalog>>,
    /// How many changes there were.
    changes: watch::Sender<u64>,
}

/// A file as it lies there, and the manifest that it agrees with.
pub(crate) struct Content {
    pub(crate) file: File,
    pub(crate) bytes: Vec<u8>,
}

/// What an answer about a skill has to wait for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Warmth {
    /// Nothing: all it needs from the skill's directory is known.
    Warm,
    /// The directory is to be looked at again, by whoever is told so.
    Due,
    /// The directory was never looked at, or has changed.
    Cold,
}

/// The files of a skill as the tools tell of them; nothing if they cannot be listed.
pub(crate) struct FilesOf(Option<Arc<Manifest>>);

impl FilesOf {
    /// Those besides the instructions, and how many more there are.
    pub(crate) fn listed(&self) -> (Vec<Listed>, usize) {
        let Some(manifest) = &self.0 else {
            return (Vec::new(), 0);
        };
        let is_resource = |file: &&Listed| !matches!(&*file.path, "SKILL.md" | "METADATA.yml");
        let files = manifest.listed.iter().filter(is_resource);
        let n_more = files.clone().count().saturating_sub(MAX_LISTED) + manifest.n_unlisted;
        (files.take(MAX_LISTED).cloned().collect(), n_more)
    }

    /// By which it is told whether they are still the same.
    pub(crate) fn manifest(&self) -> Option<&Arc<Manifest>> {
        self.0.as_ref()
    }
}

impl Store {
    /// Nothing is read yet.
    pub(crate) fn new(settings: &Settings) -> Self {
        Self {
            settings: settings.catalog.clone(),
            cache: OnceLock::new(),
            manifests: RwLock::default(),
            bodies: Bodies::default(),
            counter: Estimator::default(),
            limits: settings.limits.clone(),
            recheck: settings.recheck,
            told: Mutex::default(),
            changes: watch::Sender::new(0),
        }
    }

    /// The catalogue, which is read by whoever needs it first; the others wait.
    fn cache(&self) -> &CatalogCache {
        self.cache.get_or_init(|| {
            let cache = CatalogCache::new(self.settings.clone());
            *self.told.lock().unwrap_or_else(PoisonError::into_inner) = cache.current();
            cache
        })
    }

    /// The snapshot as it is.
    pub(crate) fn catalog(&self) -> Arc<Catalog> {
        self.cache().current()
    }

    /// Tells of every change that was noticed.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// Looks at all directories again. Blocks on the disk.
    pub(crate) fn refresh(&self) -> Arc<Catalog> {
        let catalog = self.cache().refresh();
        self.announce(&catalog);
        catalog
    }

    fn announce(&self, catalog: &Arc<Catalog>) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let is_new = !says_same(&told, catalog);
        *told = catalog.clone();
        drop(told);
        if is_new {
            self.changes.send_modify(|n| *n += 1);
        }
    }

    /// The skill of a name, by the snapshot.
    pub(crate) fn skill(&self, name: &str) -> Result<Arc<CatalogSkill>, LoadError> {
        self.catalog().find(name).cloned()
    }

    /// The instructions of a skill as they lie there; if they have changed, so does the snapshot.
    pub(crate) fn body(
        &self,
        name: &str,
        selection: &Selection,
    ) -> Result<(Arc<CatalogSkill>, Arc<Body>), LoadError> {
        let skill = self.skill(name)?;
        let info = bodies::look(&skill);
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
            None => Arc::new(Body::once(loaded, tokens)),
        };
        Ok((skill, body))
    }

    /// A part of a file of a skill, as text.
    pub(crate) fn resource(
        &self,
        name: &str,
        path: &str,
        selection: &Selection,
    ) -> Result<(Arc<CatalogSkill>, LoadedText), LoadError> {
        let skill = self.skill(name)?;
        if check_resource_path(path).is_ok() && is_withheld(path) {
            return Err(LoadError::Missing {
                path: path.to_owned(),
                why: "is private and not served",
            });
        }
        let loaded = load_resource(&skill.place, path, selection, &self.limits)?;
        Ok((skill, loaded))
    }

    /// The files of a skill. Blocks on the disk if they are not known or not fresh.
    pub(crate) fn manifest(&self, skill: &Arc<CatalogSkill>) -> Result<Arc<Manifest>, NoEntry> {
        if let Some(manifest) = self.fresh(skill) {
            return Ok(manifest);
        }
        let known = self.known(&skill.name);
        if let Some(known) = known.filter(|known| known.is_current(skill)) {
            return Ok(known);
        }
        Ok(self.keep(skill, Manifest::read(skill)?))
    }

    /// The files of a skill, if they are known and were looked at a moment ago.
    fn fresh(&self, skill: &CatalogSkill) -> Option<Arc<Manifest>> {
        let known = self.agreeing(skill)?;
        known.is_fresh(self.recheck).then_some(known)
    }

    /// What an answer about a skill has to wait for.
    pub(crate) fn warmth(&self, skill: &CatalogSkill) -> Warmth {
        match self.agreeing(skill) {
            None => Warmth::Cold,
            Some(known) if known.is_due(self.recheck) => Warmth::Due,
            Some(_) => Warmth::Warm,
        }
    }

    /// Looks whether the files of a skill are still what is known of them. Blocks on the disk.
    pub(crate) fn look_at(&self, skill: &Arc<CatalogSkill>) {
        let known = self.agreeing(skill);
        if known.is_none_or(|known| !known.is_current(skill))
            && let Ok(manifest) = Manifest::read(skill)
        {
            self.keep(skill, manifest);
        }
    }

    /// What is known of the files of a skill, unless the snapshot is newer: that makes it stale at
    /// once.
    fn agreeing(&self, skill: &CatalogSkill) -> Option<Arc<Manifest>> {
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

    /// Keeps a manifest. If it speaks of another `SKILL.md` than the snapshot, the snapshot
    /// follows.
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

    /// The files of a skill, for the tools.
    pub(crate) fn files_of(&self, skill: &Arc<CatalogSkill>) -> FilesOf {
        FilesOf(self.manifest(skill).ok())
    }

    /// The files of a skill besides its instructions, and how many more there are. None if they
    /// cannot be listed.
    pub(crate) fn listed(&self, name: &str) -> (Vec<Listed>, usize) {
        let skill = self.skill(name).ok();
        let files = FilesOf(skill.and_then(|skill| self.manifest(&skill).ok()));
        files.listed()
    }

    /// A file of a skill with exactly the bytes that its manifest speaks of: if they have
    /// changed, the manifest is made anew first. Nothing if the skill does not serve it.
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

/// Whether two snapshots say the same of every skill, whatever was touched meanwhile.
pub(crate) fn says_same(a: &Catalog, b: &Catalog) -> bool {
    let is_same = |(a, b): (&Arc<CatalogSkill>, &Arc<CatalogSkill>)| {
        let is_equal = || a.digest == b.digest && a.metadata == b.metadata && a.place == b.place;
        Arc::ptr_eq(a, b) || (a.name == b.name && is_equal())
    };
    let is_one = std::ptr::eq(a, b);
    is_one
        || a.skills.len() == b.skills.len() && a.skills.values().zip(b.skills.values()).all(is_same)
}

fn content(skill: &CatalogSkill, files: &Files, path: &str) -> Option<Content> {
    let file = files.file(path)?;
    let bytes = read_file(skill, path, file.size).ok()?;
    (Digest::from_content(&bytes) == file.digest).then(|| Content {
        file: file.clone(),
        bytes,
    })
}
