//! Plugins and the skills that were made of them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use skill_diagnostics::Diagnostic;
use skill_executor::package::SkillPackage;
use skill_loader::dir_in;
use skill_loader::fs::{Kind, Root, WalkLimits};
use skill_loader::store::Store;
use skill_model::{Lock, wildcard};
use skill_pipeline::{Candidate, MigrateOptions, Pipeline};

use crate::error::Error;

/// The plugins of a directory, and the skills that were made of them.
#[derive(Debug)]
pub struct Pairs {
    /// The plugins as a migration without further options finds them.
    pipeline: Pipeline,
    /// The directory of skills.
    pub out: PathBuf,
    /// The lock file, which records the plugin of each skill.
    pub lock: Lock,
    /// All plugins.
    pub(crate) all: Vec<Pair>,
    /// The selected plugins, sorted by directory.
    pub pairs: Vec<Pair>,
}

/// A plugin, and the skill that was made of it.
#[derive(Clone, Debug)]
pub struct Pair {
    /// The place of the plugin.
    pub found: Candidate,
    /// The name of the skill, if it was migrated.
    pub skill: Option<String>,
}

impl Pairs {
    /// Returns the skills that exist and can be read.
    pub fn skills(&self) -> Vec<SkillPackage> {
        let names = self.pairs.iter().filter_map(|pair| pair.skill.as_deref());
        let skills = names.filter_map(|name| SkillPackage::read(&dir_in(&self.out, name)).ok());
        skills.collect()
    }

    /// Finds the plugins in `plugins` that match one of the patterns `only`, and their skills in `skills`.
    /// All plugins match if there is no pattern.
    ///
    /// # Errors
    ///
    /// When a directory cannot be read, or no plugin matches.
    pub fn open(plugins: &Path, skills: &Path, only: &[String]) -> Result<Self, Error> {
        Self::with_host(plugins, skills, only, None)
    }

    /// Like [`Pairs::open`], with the directory of the old host. Without one, it is the one that `plugins`
    /// is in.
    ///
    /// # Errors
    ///
    /// Also when `host` is not the directory of a host.
    pub fn with_host(
        plugins: &Path,
        skills: &Path,
        only: &[String],
        host: Option<PathBuf>,
    ) -> Result<Self, Error> {
        let input = skill_loader::fs::resolve(plugins)?;
        let mut options = MigrateOptions::new(input, skills);
        options.host = host;
        let pipeline = Pipeline::search(options).map_err(Box::new)?;
        let collection = pipeline.collection();
        if let Some(finding) = collection.not_searched.iter().find(|it| is_error(it)) {
            return Err(Error::NotSearched {
                place: finding.place.file.clone().unwrap_or_default(),
                why: finding.message.clone(),
            });
        }
        let out = skill_loader::fs::resolve(skills)?;
        let lock = Store::open_read_only(&out)?.lock().clone();
        let names = names(&out, &lock)?;
        let pairs = collection.plugins.iter().map(|found| {
            let skill = names.get(&found.key);
            let skill = skill.or_else(|| names.get(last(&found.directory))).cloned();
            Pair {
                found: found.clone(),
                skill,
            }
        });
        let all: Vec<Pair> = pairs.collect();
        let pairs = all.iter().filter(|pair| pair.matches(only));
        let pairs: Vec<_> = pairs.cloned().collect();
        if pairs.is_empty() {
            return Err(Error::NoPlugin {
                plugins: plugins.to_owned(),
            });
        }
        Ok(Self {
            pipeline,
            out,
            lock,
            all,
            pairs,
        })
    }

    /// Computes the digest of a plugin as it is now, in the way of the migration.
    pub(crate) fn digest(&self, found: &Candidate) -> Result<String, String> {
        let digest = self.pipeline.source_digest(found);
        Ok(digest.map_err(|finding| finding.message)?.to_string())
    }

    /// Returns true for a plugin that has only parts that no skill can have.
    pub(crate) fn has_nothing(&self, found: &Candidate) -> bool {
        found.naming.is_none() && self.pipeline.has_nothing(found)
    }

    /// Returns the directory of the old host, if it is known.
    pub(crate) fn host(&self) -> Option<&Root> {
        self.pipeline.host()
    }

    /// Returns the path of the plugin whose directory has this name.
    pub(crate) fn dir_of(&self, name: &str) -> Option<PathBuf> {
        let mut plugins = self.pipeline.collection().plugins.iter();
        let found = plugins.find(|found| last(&found.directory) == name)?;
        Some(self.plugin_dir(found))
    }

    /// Returns the directory of a plugin.
    pub(crate) fn plugin_dir(&self, found: &Candidate) -> PathBuf {
        self.pipeline.input().path().join(&found.directory)
    }
}

impl Pair {
    /// Returns the names by which a user may select the plugin.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let directory = self.found.directory.as_str();
        let names = [
            Some(directory),
            Some(last(directory)),
            self.found.name.as_deref(),
            self.skill.as_deref(),
        ];
        names.into_iter().flatten().filter(|name| !name.is_empty())
    }

    fn matches(&self, only: &[String]) -> bool {
        let matches = |name| only.iter().any(|glob| wildcard::matches(glob, name));
        only.is_empty() || self.names().any(matches)
    }
}

fn is_error(finding: &Diagnostic) -> bool {
    finding.severity == skill_diagnostics::Severity::Error
}

/// Returns the last component of a path.
fn last(directory: &str) -> &str {
    directory.rsplit('/').next().unwrap_or_default()
}

/// Returns the names of the skills by the directory of their plugin: from the lock file, and from the
/// METADATA.yml of skills that the lock file does not have.
fn names(out: &Path, lock: &Lock) -> Result<BTreeMap<String, String>, Error> {
    let locked = lock.skills.iter();
    let mut res: BTreeMap<_, _> = locked
        .map(|(name, skill)| (skill.source.directory.clone(), name.clone()))
        .collect();
    let known: BTreeSet<&str> = lock.skills.keys().map(String::as_str).collect();
    let top = WalkLimits {
        depth: 0,
        ..WalkLimits::default()
    };
    for entry in Root::open(out)?.walk("", &top, &|_| true)?.entries {
        let is_own = entry.path.starts_with('.') || known.contains(entry.path.as_str());
        if is_own || entry.kind != Kind::Dir {
            continue;
        }
        let Ok(skill) = SkillPackage::read(&out.join(&entry.path)) else {
            continue;
        };
        if let Some(legacy) = skill.metadata.legacy {
            res.entry(legacy.directory).or_insert(entry.path);
        }
    }
    Ok(res)
}
