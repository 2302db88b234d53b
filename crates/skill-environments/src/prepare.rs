//! Makes the environments of skills.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::thread;

use skill_loader::fs::{Root, empty_tree, remove_tree, share_tree};

use crate::closure::InstalledTree;
use crate::error::Error;
use crate::needs::{Ecosystem, Need, Needs};
use crate::pin::Pins;
use crate::pip::stock::{PipStock, linked, stocks};
use crate::prepared::{Failed, Prepared, nothing, prepared};
use crate::record::Record;
use crate::registries::Registries;
use crate::request::Request;
use crate::stock::{Stock, find, is_no_better, lacking, union};
use crate::store::{FILES, OpenStore, Store};
use crate::tool::Tools;
use crate::variables::without_retries;
use crate::wanted::Wanted;
use crate::{npm, pip};

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
    /// Packages are installed from their registry: the number, and the names of the first.
    Installing(Ecosystem, usize, &'e str),
    /// The environment of a skill is made of packages that are in the store.
    Linking(&'e str),
    /// The packages that an environment lacks are tried again: the name of the skill and of the
    /// packages.
    Retrying(&'e str, &'e str),
}

/// Makes the environments of all skills, each of which may have one already. Returns them in the
/// order of the requests.
///
/// # Errors
///
/// The store cannot be written, or there is no program that installs packages, or it installed
/// nothing at all, for no skill. What was made before stays.
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
    open.remove_unfinished()?;
    let mut work = Work {
        store: &open,
        tools: Tools {
            environment: &settings.environment,
        },
        allowed: &settings.allow_scripts,
        observer,
        node: OnceCell::new(),
        registries: OnceCell::new(),
        failed: Failed::new(),
        pins: Pins::default(),
    };
    work.npm(requests)?;
    work.pip(requests)?;
    let failed = work.failed;
    open.remove_unfinished()?;
    let is_failed = |request: &Request| {
        let keys = Ecosystem::ALL.map(|ecosystem| (ecosystem, request.needs.key(ecosystem)));
        let mut wanted = keys.into_iter().filter(|(_, key)| key.is_some());
        wanted.all(|(ecosystem, key)| failed.contains_key(&(ecosystem, key.unwrap_or_default())))
    };
    let mut needy = requests.iter().filter(|one| !one.needs.is_empty());
    if needy.all(is_failed) {
        return Err(failed
            .into_values()
            .next()
            .expect("one skill wants packages"));
    }
    let res = requests.iter().map(|request| {
        open.write_use(&request.dir, &request.needs)?;
        prepared(&open, request, &failed)
    });
    res.collect()
}

struct Work<'w> {
    store: &'w OpenStore,
    tools: Tools<'w>,
    allowed: &'w [String],
    observer: &'w mut dyn FnMut(Event<'_>),
    /// The version of Node.js, once it is known.
    node: OnceCell<String>,
    /// The registries of npm, once they are known.
    registries: OnceCell<Registries>,
    failed: Failed,
    /// The versions that skills name, in the ecosystem of the present work.
    pins: Pins,
}

impl Work<'_> {
    /// Makes the npm environments. What many skills need in one version is installed once, together;
    /// the environments of single skills are parts of that.
    fn npm(&mut self, requests: &[Request]) -> Result<(), Error> {
        let waiting = self.waiting(Ecosystem::Npm, requests);
        if waiting.is_empty() {
            return Ok(());
        }
        let mut stocks = self.stocks_and_registries()?;
        let unserved = waiting
            .iter()
            .filter(|wanted| wanted.is_plain() && !wanted.needs.is_empty())
            .filter(|wanted| find(&stocks, wanted, self.registries()).is_none())
            .map(|wanted| &wanted.needs);
        let unserved: Vec<&BTreeMap<String, Need>> = unserved.collect();
        if unserved.len() > 1 {
            let together = union(&unserved);
            match self.install_npm(&together, &BTreeMap::new()) {
                // Each alone shows which of them fails.
                Err(Error::Failed { .. }) => {}
                stock => stocks.push(stock?),
            }
        }
        for wanted in &waiting {
            match self.npm_environment(wanted, &mut stocks) {
                Err(error @ Error::Failed { .. }) => self.fail(wanted, error),
                record => self
                    .store
                    .write_record(Ecosystem::Npm, &wanted.key, &record?)?,
            }
        }
        Ok(())
    }

    /// Makes the npm environment of one skill: a part of a larger one, or installed for it.
    fn npm_environment(
        &mut self,
        wanted: &Wanted<'_>,
        stocks: &mut Vec<Stock>,
    ) -> Result<Record, Error> {
        let record = if wanted.needs.is_empty() {
            let dir = self.empty_environment(&wanted.key)?;
            Record {
                dir,
                ..Record::default()
            }
        } else {
            let found = find(stocks, wanted, self.registries());
            let at = match found.filter(|_| wanted.is_plain()) {
                Some(at) => at,
                None => {
                    stocks.push(self.install_npm(&wanted.needs, &wanted.digests)?);
                    stocks.len() - 1
                }
            };
            let from = &stocks[at];
            if from.key == wanted.key {
                from.record.clone()
            } else {
                (self.observer)(Event::Linking(wanted.name));
                self.linked(wanted, from)?
            }
        };
        Ok(wanted.with_refused(record))
    }

    /// Creates the directory of a new npm environment; returns its path in the store.
    fn empty_environment(&self, key: &str) -> Result<String, Error> {
        let dir = self.store.free_dir(Ecosystem::Npm, key)?;
        self.store.root.make_dir(&format!("{dir}/node_modules"))?;
        Ok(dir)
    }

    /// Makes the Python environments, one for each set of requirements: of the packages of others, or
    /// installed for it.
    fn pip(&mut self, requests: &[Request]) -> Result<(), Error> {
        let waiting = self.waiting(Ecosystem::Pip, requests);
        if waiting.is_empty() {
            return Ok(());
        }
        let index = Registries::of_pip(self.tools.environment);
        let mut stocks = stocks(self.store, &index)?;
        for wanted in waiting {
            let dir = self.store.free_dir(Ecosystem::Pip, &wanted.key)?;
            self.store.root.make_dir(&dir)?;
            if let Some(record) = linked(self.store, &wanted, self.allowed, &dir, &stocks)? {
                (self.observer)(Event::Linking(wanted.name));
                let record = wanted.with_refused(record);
                self.store
                    .write_record(Ecosystem::Pip, &wanted.key, &record)?;
                continue;
            }
            let job = Job {
                ecosystem: Ecosystem::Pip,
                key: &wanted.key,
                dir,
                needs: &wanted.needs,
                digests: &wanted.digests,
            };
            let made = self.install(job).map(|record| wanted.with_refused(record));
            match made {
                Err(error @ Error::Failed { .. }) => self.fail(&wanted, error),
                record => {
                    let record = record?;
                    self.store
                        .write_record(Ecosystem::Pip, &wanted.key, &record)?;
                    let root = self.store.root.open_dir(&record.dir)?;
                    stocks.extend(PipStock::read(root, record, &index));
                }
            }
        }
        Ok(())
    }

    /// Records that nothing of an environment could be installed. The others are made nevertheless.
    fn fail(&mut self, wanted: &Wanted<'_>, error: Error) {
        let place = (wanted.ecosystem, wanted.key.clone());
        self.failed.insert(place, error);
    }

    /// Installs packages into a new directory of the store, which goes again if that fails or if the
    /// environment of this key lacks no more than the new one.
    fn install(&mut self, job: Job<'_>) -> Result<Record, Error> {
        let Job { ecosystem, dir, .. } = job;
        let names = first_names(job.needs);
        (self.observer)(Event::Installing(ecosystem, job.needs.len(), &names));
        let root = self.store.root.open_dir(&dir)?;
        let path = self.store.path(&dir);
        let old = self.store.record(ecosystem, job.key);
        let old = old.filter(|old| self.fits(ecosystem, old));
        // There is an environment to fall back on: no use to wait for a network.
        let quick = without_retries(self.tools.environment);
        let tools = match &old {
            Some(_) => Tools {
                environment: &quick,
            },
            None => self.tools,
        };
        let made = self.filled(ecosystem, tools, &root, job.needs);
        let made = made.map(|made| Record {
            digests: job.digests.clone(),
            ..made
        });
        match (made, old) {
            (Ok(new), Some(old)) if is_no_better(&new, &old) => {
                remove_tree(&path)?;
                // With equal packages, the reasons are those of now.
                let is_equal = is_no_better(&old, &new);
                let missing = if is_equal { new.missing } else { old.missing };
                Ok(Record { missing, ..old })
            }
            (Ok(new), _) => {
                share_tree(&path, &self.store.path(FILES))?;
                Ok(Record { dir, ..new })
            }
            (Err(Error::Failed { .. }), Some(old)) => {
                remove_tree(&path)?;
                Ok(old)
            }
            (Err(error), _) => {
                remove_tree(&path)?;
                Err(error)
            }
        }
    }

    /// Installs packages into an empty directory, in the versions that other skills name where they fit.
    fn filled(
        &self,
        ecosystem: Ecosystem,
        tools: Tools<'_>,
        root: &Root,
        needs: &BTreeMap<String, Need>,
    ) -> Result<Record, Error> {
        let install = |needs: &BTreeMap<String, Need>| match ecosystem {
            Ecosystem::Npm => npm::install(tools, root, needs, self.allowed, self.registries()),
            Ecosystem::Pip => pip::install(tools, root, needs, self.allowed),
        };
        let narrowed = self.pins.narrowed(ecosystem, needs);
        if narrowed != *needs {
            match install(&narrowed) {
                Ok(made)
                    if made
                        .missing
                        .iter()
                        .all(|one| narrowed.get(&one.name) == needs.get(&one.name)) =>
                {
                    return Ok(Record {
                        ranges: Record::ranges(needs),
                        ..made
                    });
                }
                _ => empty_tree(root.path())?,
            }
        }
        install(needs)
    }

    /// Returns the environments that do not exist or lack something that may be installed.
    fn waiting<'r>(&mut self, ecosystem: Ecosystem, requests: &'r [Request]) -> Vec<Wanted<'r>> {
        let mut res: BTreeMap<String, Wanted<'r>> = BTreeMap::new();
        self.pins = Pins::default();
        for request in requests {
            self.pins.add(ecosystem, request.needs.of(ecosystem));
            let Some(key) = request.needs.key(ecosystem) else {
                continue;
            };
            if res.contains_key(&key) {
                continue;
            }
            let wanted = Wanted::new(ecosystem, key.clone(), request, self.allowed);
            if !self.is_ready(&wanted) {
                res.insert(key, wanted);
            }
        }
        res.into_values().collect()
    }

    /// Returns whether an environment exists, fits the runtime, lacks nothing that may be installed,
    /// and ran the scripts that are allowed now.
    fn is_ready(&mut self, wanted: &Wanted<'_>) -> bool {
        let Some(record) = self.store.record(wanted.ecosystem, &wanted.key) else {
            return false;
        };
        let is_off = |name: &String| record.scripts_off.contains(name);
        let wants_scripts = self.allowed.iter().any(is_off);
        let missing = wanted.missing(&record);
        if !missing.is_empty() {
            (self.observer)(Event::Retrying(wanted.name, &missing.join(", ")));
        }
        missing.is_empty()
            && !wants_scripts
            && record.digests == wanted.digests
            && self.fits(wanted.ecosystem, &record)
    }

    /// Returns whether programs can use an environment.
    fn fits(&self, ecosystem: Ecosystem, record: &Record) -> bool {
        match ecosystem {
            Ecosystem::Npm => self.is_same_node(record),
            Ecosystem::Pip => {
                let root = self.store.root.open_dir(&record.dir);
                root.is_ok_and(|root| pip::is_usable(&root))
            }
        }
    }

    /// Returns the npm environments whose packages can be linked: they fit the runtime, and those
    /// scripts were run that are allowed now.
    fn stocks(&self) -> Result<Vec<Stock>, Error> {
        let mut res = Vec::new();
        for (key, record) in self.store.records(Ecosystem::Npm)? {
            let is_off = |name: &String| record.scripts_off.contains(name);
            if self.is_same_node(&record) && !self.allowed.iter().any(is_off) {
                let tree = InstalledTree::read(&self.store.path(&record.dir));
                res.push(Stock {
                    key,
                    record,
                    tree,
                    is_new: false,
                });
            }
        }
        Ok(res)
    }

    /// Returns the environments as [`Self::stocks`], and asks npm for its registries meanwhile: it takes
    /// as long to start as all the rest.
    fn stocks_and_registries(&self) -> Result<Vec<Stock>, Error> {
        let (tools, dir) = (self.tools, self.store.root.path());
        thread::scope(|scope| {
            let asked = scope.spawn(move || Registries::read(tools, dir));
            let stocks = self.stocks();
            if let Ok(registries) = asked.join() {
                self.registries.get_or_init(|| registries);
            }
            stocks
        })
    }

    /// Returns whether an environment was made for the same major version of Node.js.
    fn is_same_node(&self, record: &Record) -> bool {
        let now = self
            .node
            .get_or_init(|| npm::runtime(self.tools, &self.store.root));
        major(&record.runtime) == major(now)
    }

    fn registries(&self) -> &Registries {
        let read = || Registries::read(self.tools, self.store.root.path());
        self.registries.get_or_init(read)
    }

    /// Installs npm packages with a package manager.
    fn install_npm(
        &mut self,
        needs: &BTreeMap<String, Need>,
        digests: &BTreeMap<String, String>,
    ) -> Result<Stock, Error> {
        let all = Needs {
            npm: needs.clone(),
            ..Needs::default()
        };
        let key = all.key(Ecosystem::Npm).unwrap_or_default();
        let dir = self.empty_environment(&key)?;
        let record = self.install(Job {
            ecosystem: Ecosystem::Npm,
            key: &key,
            dir,
            needs,
            digests,
        })?;
        self.store.write_record(Ecosystem::Npm, &key, &record)?;
        let tree = InstalledTree::read(&self.store.path(&record.dir));
        Ok(Stock {
            key,
            record,
            tree,
            is_new: true,
        })
    }

    /// Makes an environment of the packages of another one.
    fn linked(&self, wanted: &Wanted<'_>, from: &Stock) -> Result<Record, Error> {
        let Stock { record, tree, .. } = from;
        let names = wanted.needs.keys();
        let there = names.filter(|name| !record.missing.iter().any(|one| one.name == **name));
        let paths = tree.closure(there);
        let dir = self.empty_environment(&wanted.key)?;
        let root = self.store.root.open_dir(&dir)?;
        tree.link(&paths, &self.store.path(&record.dir), &root)?;
        let parts = tree.with_scripts().into_iter();
        let off = parts
            .filter(|part| paths.contains(part.path))
            .flat_map(|part| record.scripts_off.iter().filter(move |off| part.is(off)));
        let scripts_off: BTreeSet<&String> = off.collect();
        Ok(Record {
            dir,
            ranges: Record::ranges(&wanted.needs),
            missing: lacking(record, &wanted.needs, &|name| tree.depends(&paths, name)),
            scripts_off: scripts_off.into_iter().cloned().collect(),
            digests: wanted.digests.clone(),
            size: None,
            ..record.clone()
        })
    }
}

/// An environment to install.
struct Job<'j> {
    ecosystem: Ecosystem,
    key: &'j str,
    /// Its new directory in the store.
    dir: String,
    needs: &'j BTreeMap<String, Need>,
    /// The digests of the packages that are in the skill.
    digests: &'j BTreeMap<String, String>,
}

/// Returns the names of packages, of many the first ones.
fn first_names(needs: &BTreeMap<String, Need>) -> String {
    const MAX: usize = 4;
    let names: Vec<&str> = needs.keys().take(MAX).map(String::as_str).collect();
    let rest = if needs.len() > MAX { ", …" } else { "" };
    format!("{}{rest}", names.join(", "))
}

/// Returns the major version in `v20.1.0`.
fn major(version: &str) -> &str {
    version.split('.').next().unwrap_or_default()
}
