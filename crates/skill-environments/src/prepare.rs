//! Makes the environments of skills.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use skill_loader::fs::{TreeSize, remove_tree, share_tree, tree_size};

use crate::closure::InstalledTree;
use crate::error::Error;
use crate::needs::{Ecosystem, Need, Needs};
use crate::record::{MissingPackage, Record};
use crate::requirement::refusal;
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
        let mut sources = self.sources()?;
        let unserved = waiting
            .iter()
            .map(|wanted| &wanted.needs)
            .filter(|needs| find(&sources, needs).is_none())
            // What a directory of one skill leads to is not for others.
            .filter(|needs| needs.values().all(|need| need.owner.is_none()));
        let unserved: Vec<&BTreeMap<String, Need>> = unserved.collect();
        if unserved.len() > 1 {
            sources.push(self.install_npm(&union(&unserved))?);
        }
        for wanted in &waiting {
            if self.is_ready(Ecosystem::Npm, &wanted.key) {
                continue;
            }
            let record = self.npm_environment(wanted, &mut sources)?;
            self.store
                .write_record(Ecosystem::Npm, &wanted.key, &record)?;
        }
        Ok(())
    }

    /// Makes the npm environment of one skill: a part of a larger one, or installed for it.
    fn npm_environment(
        &mut self,
        wanted: &Wanted<'_>,
        sources: &mut Vec<Source>,
    ) -> Result<Record, Error> {
        let needs = &wanted.needs;
        let mut record = if needs.is_empty() {
            let dir = self.empty_environment(&wanted.key)?;
            Record {
                dir,
                ..Record::default()
            }
        } else {
            let at = match find(sources, needs) {
                Some(at) => at,
                None => {
                    sources.push(self.install_npm(needs)?);
                    sources.len() - 1
                }
            };
            let (key, from, tree) = &sources[at];
            if *key == wanted.key {
                from.clone()
            } else {
                (self.observer)(Event::Linking(wanted.name));
                self.linked(&wanted.key, needs, from, tree)?
            }
        };
        record.missing.extend(wanted.refused.iter().cloned());
        Ok(record)
    }

    /// Creates the directory of a new npm environment; returns its path in the store.
    fn empty_environment(&self, key: &str) -> Result<String, Error> {
        let dir = self.store.free_dir(Ecosystem::Npm, key)?;
        self.store.root.make_dir(&format!("{dir}/node_modules"))?;
        Ok(dir)
    }

    /// Makes the Python environments, one for each set of requirements.
    fn pip(&mut self, requests: &[Request]) -> Result<(), Error> {
        for wanted in self.waiting(Ecosystem::Pip, requests) {
            let dir = self.store.free_dir(Ecosystem::Pip, &wanted.key)?;
            self.store.root.make_dir(&dir)?;
            let mut record = self.install(Ecosystem::Pip, dir, &wanted.needs)?;
            record.missing.extend(wanted.refused);
            self.store
                .write_record(Ecosystem::Pip, &wanted.key, &record)?;
        }
        Ok(())
    }

    /// Installs packages into a new directory of the store, which goes again if that fails.
    fn install(
        &mut self,
        ecosystem: Ecosystem,
        dir: String,
        needs: &BTreeMap<String, Need>,
    ) -> Result<Record, Error> {
        (self.observer)(Event::Installing(ecosystem, needs.len()));
        let root = self.store.root.open_dir(&dir)?;
        let install = match ecosystem {
            Ecosystem::Npm => npm::install,
            Ecosystem::Pip => pip::install,
        };
        let path = self.store.path(&dir);
        match install(self.tools, &root, needs, self.allowed) {
            Ok(record) => {
                share_tree(&path, &self.store.path(FILES))?;
                Ok(Record { dir, ..record })
            }
            Err(error) => {
                remove_tree(&path)?;
                Err(error)
            }
        }
    }

    /// Returns the environments that do not exist or lack something.
    fn waiting<'r>(&self, ecosystem: Ecosystem, requests: &'r [Request]) -> Vec<Wanted<'r>> {
        let mut res: BTreeMap<String, &Request> = BTreeMap::new();
        for request in requests {
            if let Some(key) = request.needs.key(ecosystem)
                && !self.is_ready(ecosystem, &key)
            {
                res.insert(key, request);
            }
        }
        res.into_iter()
            .map(|(key, request)| Wanted::new(ecosystem, key, request, self.allowed))
            .collect()
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

    /// Installs npm packages with a package manager.
    fn install_npm(&mut self, needs: &BTreeMap<String, Need>) -> Result<Source, Error> {
        let all = Needs {
            npm: needs.clone(),
            ..Needs::default()
        };
        let key = all.key(Ecosystem::Npm).unwrap_or_default();
        let dir = self.empty_environment(&key)?;
        let record = self.install(Ecosystem::Npm, dir, needs)?;
        self.store.write_record(Ecosystem::Npm, &key, &record)?;
        let tree = InstalledTree::read(&self.store.path(&record.dir));
        Ok((key, record, tree))
    }

    /// Makes an environment of the packages of another one.
    fn linked(
        &self,
        key: &str,
        needs: &BTreeMap<String, Need>,
        from: &Record,
        tree: &InstalledTree,
    ) -> Result<Record, Error> {
        let there = needs
            .keys()
            .filter(|name| !from.missing.iter().any(|one| one.name == **name));
        let paths = tree.closure(there);
        let dir = self.empty_environment(key)?;
        let root = self.store.root.open_dir(&dir)?;
        tree.link(&paths, &self.store.path(&from.dir), &root)?;
        let parts = tree.with_scripts().into_iter();
        let off = parts
            .filter(|part| paths.contains(part.path))
            .flat_map(|part| from.scripts_off.iter().filter(move |off| part.is(off)));
        let scripts_off: BTreeSet<&String> = off.collect();
        Ok(Record {
            dir,
            ranges: Record::ranges(needs),
            missing: lacking(from, needs, &|name| tree.depends(&paths, name)),
            scripts_off: scripts_off.into_iter().cloned().collect(),
            scripts_run: from.scripts_run.clone(),
            runtime: from.runtime.clone(),
        })
    }
}

/// The environment that a skill lacks.
struct Wanted<'r> {
    key: String,
    /// The name of the skill.
    name: &'r str,
    /// The packages to install.
    needs: BTreeMap<String, Need>,
    /// Those that no package manager may see.
    refused: Vec<MissingPackage>,
}

impl<'r> Wanted<'r> {
    fn new(ecosystem: Ecosystem, key: String, request: &'r Request, allowed: &[String]) -> Self {
        let mut res = Self {
            key,
            name: &request.name,
            needs: BTreeMap::new(),
            refused: Vec::new(),
        };
        for (name, need) in request.needs.of(ecosystem) {
            match refusal(ecosystem, name, need, allowed) {
                None => {
                    res.needs.insert(name.clone(), need.clone());
                }
                Some(reason) => res.refused.push(MissingPackage {
                    name: name.clone(),
                    reason,
                    is_optional: need.is_optional,
                }),
            }
        }
        res
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

/// Returns what a part of the environment `from` lacks: what is needed, and what its packages depend
/// on.
fn lacking(
    from: &Record,
    needs: &BTreeMap<String, Need>,
    depends: &dyn Fn(&str) -> bool,
) -> Vec<MissingPackage> {
    let missing = from.missing.iter();
    let missing = missing.filter_map(|one| {
        let is_optional = match needs.get(&one.name) {
            Some(need) => need.is_optional,
            None if from.ranges.contains_key(&one.name) || !depends(&one.name) => return None,
            None => one.is_optional,
        };
        Some(MissingPackage {
            is_optional,
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
            ..Need::default()
        };
        (name.clone(), need)
    });
    most.collect()
}

/// Returns the major version in `v20.1.0`.
fn major(version: &str) -> &str {
    version.split('.').next().unwrap_or_default()
}
