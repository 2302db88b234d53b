//! Makes the environments of skills.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use skill_loader::fs::{TreeSize, remove_tree, share_tree, tree_size};

use crate::closure::InstalledTree;
use crate::error::Error;
use crate::needs::{Ecosystem, Need, Needs};
use crate::record::{MissingPackage, Record};
use crate::store::{FILES, OpenStore, Store};
use crate::tool::Tools;
use crate::{npm, pip};

/// A skill whose packages are to be installed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    /// The name of the skill, for messages.
    pub name: String,
    /// Its directory.
    pub dir: PathBuf,
    /// Its packages, and those of the skills whose code it loads.
    pub needs: Needs,
}

/// The decisions of the user.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Settings {
    /// Packages whose install scripts may run, or which may be built from source.
    pub allow_scripts: Vec<String>,
    /// The environment variables of the user, for the package managers.
    pub environment: BTreeMap<String, String>,
}

/// An event, for a progress report.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Event<'e> {
    /// Another process changes the store.
    Waiting(&'e Path),
    /// Packages are installed from their registry.
    Installing(Ecosystem, usize),
    /// The environment of a skill is made of packages that are in the store.
    Linking(&'e str),
}

/// The environment of one skill.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Prepared {
    /// The name of the skill.
    pub name: String,
    /// The packages that it lacks, with the reasons.
    pub missing: Vec<MissingPackage>,
    /// Its packages whose install scripts were not run.
    pub scripts_off: Vec<String>,
    /// The size of its environment if it were the only one.
    pub size: TreeSize,
}

/// Makes the environments of all skills, each of which may have one already. Returns them in the
/// order of the requests.
///
/// # Errors
///
/// The store cannot be written, or there is no program that installs packages, or it installed
/// nothing at all. What was made before stays.
pub fn prepare(
    store: &Store,
    requests: &[Request],
    settings: &Settings,
    observer: &mut dyn FnMut(Event<'_>),
) -> Result<Vec<Prepared>, Error> {
    if requests.iter().all(|request| request.needs.is_empty()) {
        return Ok(requests.iter().map(nothing).collect());
    }
    let open = store.open(&mut || observer(Event::Waiting(store.dir())))?;
    let mut work = Work {
        store: &open,
        tools: Tools {
            environment: &settings.environment,
        },
        allowed: &settings.allow_scripts,
        observer,
        node: OnceCell::new(),
    };
    work.npm(requests)?;
    work.pip(requests)?;
    let res = requests.iter().map(|request| {
        open.write_use(&request.dir, &request.needs)?;
        prepared(&open, request)
    });
    res.collect()
}

fn nothing(request: &Request) -> Prepared {
    Prepared {
        name: request.name.clone(),
        missing: Vec::new(),
        scripts_off: Vec::new(),
        size: TreeSize::default(),
    }
}

/// Reads what is known about the environment of a skill.
fn prepared(store: &OpenStore, request: &Request) -> Result<Prepared, Error> {
    let mut res = nothing(request);
    let mut trees = Vec::new();
    for ecosystem in Ecosystem::ALL {
        let key = request.needs.key(ecosystem);
        let record = key.and_then(|key| store.record(ecosystem, &key));
        let Some(record) = record else { continue };
        trees.push(store.path(&record.dir));
        res.missing.extend(record.missing);
        res.scripts_off.extend(record.scripts_off);
    }
    res.size = tree_size(&trees)?;
    Ok(res)
}

struct Work<'w> {
    store: &'w OpenStore,
    tools: Tools<'w>,
    allowed: &'w [String],
    observer: &'w mut dyn FnMut(Event<'_>),
    /// The version of Node.js, once it is known.
    node: OnceCell<String>,
}

impl Work<'_> {
    /// Makes the npm environments. What many skills need in one version is installed once, together;
    /// the environments of single skills are parts of that.
    fn npm(&mut self, requests: &[Request]) -> Result<(), Error> {
        let waiting = self.waiting(Ecosystem::Npm, requests);
        if waiting.is_empty() {
            return Ok(());
        }
        let sources = self.sources()?;
        let served = |needs: &BTreeMap<String, Need>| find(&sources, needs).is_some();
        let unserved: Vec<&BTreeMap<String, Need>> = waiting
            .iter()
            .map(|(_, request)| &request.needs.npm)
            .filter(|needs| !served(needs))
            .collect();
        if unserved.len() > 1 {
            let union = union(&unserved);
            self.install_npm(&union)?;
        }
        let mut sources = self.sources()?;
        for (key, request) in waiting {
            let needs = &request.needs.npm;
            if self.is_ready(Ecosystem::Npm, &key) {
                continue;
            }
            let Some(at) = find(&sources, needs) else {
                let made = self.install_npm(needs)?;
                sources.push(made);
                continue;
            };
            (self.observer)(Event::Linking(&request.name));
            let (dir, from, tree) = &sources[at];
            let record = self.linked(&key, needs, (dir, from, tree))?;
            self.store.write_record(Ecosystem::Npm, &key, &record)?;
        }
        Ok(())
    }

    /// Makes the Python environments, one for each set of requirements.
    fn pip(&mut self, requests: &[Request]) -> Result<(), Error> {
        for (key, request) in self.waiting(Ecosystem::Pip, requests) {
            let needs = &request.needs.pip;
            (self.observer)(Event::Installing(Ecosystem::Pip, needs.len()));
            let dir = self.store.free_dir(Ecosystem::Pip, &key)?;
            self.store.root.make_dir(&dir)?;
            let root = self.store.root.open_dir(&dir)?;
            let record = match pip::install(self.tools, &root, needs, self.allowed) {
                Ok(record) => record,
                Err(error) => {
                    remove_tree(&self.store.path(&dir))?;
                    return Err(error);
                }
            };
            share_tree(&self.store.path(&dir), &self.store.path(FILES))?;
            let record = Record { dir, ..record };
            self.store.write_record(Ecosystem::Pip, &key, &record)?;
        }
        Ok(())
    }

    /// Returns the skills whose environment does not exist or lacks something, one for each set of
    /// requirements, with their keys.
    fn waiting<'r>(
        &self,
        ecosystem: Ecosystem,
        requests: &'r [Request],
    ) -> Vec<(String, &'r Request)> {
        let mut res: BTreeMap<String, &Request> = BTreeMap::new();
        for request in requests {
            if let Some(key) = request.needs.key(ecosystem)
                && !self.is_ready(ecosystem, &key)
            {
                res.insert(key, request);
            }
        }
        res.into_iter().collect()
    }

    /// Returns whether an environment exists, fits the runtime, lacks nothing, and ran the scripts
    /// that are allowed now.
    fn is_ready(&self, ecosystem: Ecosystem, key: &str) -> bool {
        let Some(record) = self.store.record(ecosystem, key) else {
            return false;
        };
        let is_off = |name: &String| record.scripts_off.contains(name);
        let wants_scripts = self.allowed.iter().any(is_off);
        let fits = match ecosystem {
            Ecosystem::Npm => self.is_same_node(&record),
            Ecosystem::Pip => {
                let root = self.store.root.open_dir(&record.dir);
                root.is_ok_and(|root| pip::is_usable(&root))
            }
        };
        let is_whole = record.missing.is_empty();
        is_whole && !wants_scripts && fits
    }

    /// Returns the npm environments whose packages can be linked: they fit the runtime, and those
    /// scripts were run that are allowed now.
    fn sources(&self) -> Result<Vec<Source>, Error> {
        let mut res = Vec::new();
        for (key, record) in self.store.records(Ecosystem::Npm)? {
            let dir = self.store.path(&record.dir);
            let is_off = |name: &String| record.scripts_off.contains(name);
            if self.is_same_node(&record) && !self.allowed.iter().any(is_off) {
                let tree = InstalledTree::read(&dir);
                res.push((key, record, tree));
            }
        }
        Ok(res)
    }

    /// Returns whether an environment was made for the same major version of Node.js.
    fn is_same_node(&self, record: &Record) -> bool {
        let now = self
            .node
            .get_or_init(|| npm::runtime(self.tools, &self.store.root));
        major(&record.runtime) == major(now)
    }

    /// Installs packages with a package manager.
    fn install_npm(&mut self, needs: &BTreeMap<String, Need>) -> Result<Source, Error> {
        (self.observer)(Event::Installing(Ecosystem::Npm, needs.len()));
        let all = Needs {
            npm: needs.clone(),
            ..Needs::default()
        };
        let key = all.key(Ecosystem::Npm).unwrap_or_default();
        let dir = self.store.free_dir(Ecosystem::Npm, &key)?;
        self.store.root.make_dir(&format!("{dir}/node_modules"))?;
        let root = self.store.root.open_dir(&dir)?;
        let record = match npm::install(self.tools, &root, needs, self.allowed) {
            Ok(record) => record,
            Err(error) => {
                remove_tree(&self.store.path(&dir))?;
                return Err(error);
            }
        };
        share_tree(&self.store.path(&dir), &self.store.path(FILES))?;
        let record = Record { dir, ..record };
        self.store.write_record(Ecosystem::Npm, &key, &record)?;
        let tree = InstalledTree::read(&self.store.path(&record.dir));
        Ok((key, record, tree))
    }

    /// Makes an environment of the packages of another one.
    fn linked(
        &self,
        key: &str,
        needs: &BTreeMap<String, Need>,
        (_, from, tree): (&String, &Record, &InstalledTree),
    ) -> Result<Record, Error> {
        let there: Vec<&String> = needs
            .keys()
            .filter(|name| !from.missing.iter().any(|one| one.name == **name))
            .collect();
        let paths = tree.closure(there.into_iter());
        let dir = self.store.free_dir(Ecosystem::Npm, key)?;
        self.store.root.make_dir(&format!("{dir}/node_modules"))?;
        let root = self.store.root.open_dir(&dir)?;
        tree.link(&paths, &self.store.path(&from.dir), &root)?;
        let scripts: BTreeSet<&str> = InstalledTree::read(&self.store.path(&dir))
            .with_scripts()
            .into_iter()
            .map(|(_, name)| name)
            .collect::<Vec<_>>()
            .into_iter()
            .filter_map(|name| from.scripts_off.iter().find(|off| *off == name))
            .map(String::as_str)
            .collect();
        Ok(Record {
            dir,
            ranges: Record::ranges(needs),
            missing: lacking(from, needs),
            scripts_off: scripts.into_iter().map(str::to_owned).collect(),
            scripts_run: from.scripts_run.clone(),
            runtime: from.runtime.clone(),
        })
    }
}

/// An environment whose packages can be linked: its key, its record and its packages.
type Source = (String, Record, InstalledTree);

/// Returns the first source that has what is needed. What the source itself could not install in the
/// same version counts as known to be missing.
fn find(sources: &[Source], needs: &BTreeMap<String, Need>) -> Option<usize> {
    sources.iter().position(|(_, record, tree)| {
        let there: BTreeMap<String, Need> = needs
            .iter()
            .filter(|(name, need)| !is_known_missing(record, name, need))
            .map(|(name, need)| (name.clone(), need.clone()))
            .collect();
        !there.is_empty() && tree.serves(record, &there)
    })
}

fn is_known_missing(record: &Record, name: &str, need: &Need) -> bool {
    record.missing.iter().any(|one| one.name == name)
        && record.ranges.get(name) == Some(&need.range)
}

fn lacking(from: &Record, needs: &BTreeMap<String, Need>) -> Vec<MissingPackage> {
    let missing = from.missing.iter();
    let missing = missing.filter_map(|one| {
        let need = needs.get(&one.name)?;
        Some(MissingPackage {
            is_optional: need.is_optional,
            ..one.clone()
        })
    });
    missing.collect()
}

/// Returns the packages of several skills together; of different ranges for a package, the most
/// frequent.
fn union(all: &[&BTreeMap<String, Need>]) -> BTreeMap<String, Need> {
    let mut counts: BTreeMap<&String, BTreeMap<&str, usize>> = BTreeMap::new();
    for needs in all {
        for (name, need) in *needs {
            *counts
                .entry(name)
                .or_default()
                .entry(&need.range)
                .or_default() += 1;
        }
    }
    let most = counts.into_iter().map(|(name, ranges)| {
        let best = ranges.into_iter().max_by_key(|(_, count)| *count);
        let need = Need {
            range: best.map_or("", |(range, _)| range).to_owned(),
            is_optional: false,
        };
        (name.clone(), need)
    });
    most.collect()
}

/// Returns the major version in `v20.1.0`.
fn major(version: &str) -> &str {
    version.split('.').next().unwrap_or_default()
}
