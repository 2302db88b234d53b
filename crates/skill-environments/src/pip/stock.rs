//! Python environments made of the packages of others, as hard links: no index is asked, and no
//! program is started.
//!
//! A package serves another skill only if it came from the index, was not built here, and every file of
//! it is what its list says and belongs to no other package of the environment. A package in an
//! environment can replace files of another one.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use skill_loader::fs::{Kind, Root, WalkLimits, is_shared_as, link_file};
use skill_model::pip_key;

use super::distribution::{Distribution, OwnFile, extras};
use super::site::{children, packages};
use crate::error::Error;
use crate::needs::{Ecosystem, Need, Source};
use crate::record::{PIP, Record};
use crate::registries::Registries;
use crate::store::{FILES, OpenStore};
use crate::wanted::Wanted;

/// Largest description or list of files, in bytes.
const MAX_FILE: u64 = 16 << 20;
/// Largest program whose text names the environment, in bytes.
const MAX_SCRIPT: u64 = 64 << 10;

/// An environment in the store.
#[derive(Debug)]
pub(crate) struct PipStock {
    root: Root,
    record: Record,
    /// The directory of packages in it.
    packages: String,
    /// Its packages, by name as in [`pip_key`].
    installed: BTreeMap<String, Distribution>,
    /// The number of packages that have a file, by path.
    owners: BTreeMap<String, usize>,
}

/// The way in which an environment meets a requirement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Met {
    /// Not at all.
    Not,
    /// By a package.
    Installed,
    /// Without a package: its condition excludes it from this machine.
    Excluded,
}

/// A package of an environment.
type Picked<'s> = (&'s PipStock, &'s Distribution);

impl PipStock {
    /// Reads an environment; `None` if its packages can serve no other skill.
    pub(crate) fn read(root: Root, record: Record, index: &Registries) -> Option<Self> {
        let is_from_index = record.installer == PIP
            && record.scripts_run.is_empty()
            && record.registries == *index
            && !record.ranges.values().any(|range| range.starts_with('@'));
        if !is_from_index || !super::is_usable(&root) {
            return None;
        }
        let packages = packages(&root);
        let mut res = Self {
            packages,
            root,
            record,
            installed: BTreeMap::new(),
            owners: BTreeMap::new(),
        };
        for at in children(&res.root, &res.packages).ok()? {
            if !at.ends_with(".dist-info") {
                continue;
            }
            let text = |name: &str| {
                let bytes = res.root.read(&format!("{at}/{name}"), MAX_FILE).ok()?;
                Some(String::from_utf8_lossy(&bytes).into_owned())
            };
            // One that came from an address (PEP 610).
            let is_direct = !matches!(res.root.kind(&format!("{at}/direct_url.json")), Ok(None));
            let read = Distribution::read(&at, &res.packages, &text("METADATA")?, &text("RECORD")?);
            let (key, found) = read.filter(|_| !is_direct)?;
            for file in &found.files {
                *res.owners.entry(file.path.clone()).or_default() += 1;
            }
            res.installed.insert(key, found);
        }
        Some(res)
    }

    /// Returns how a requirement is met here. Ranges are not computed with, only compared.
    fn meets(&self, name: &str, need: &Need) -> Met {
        let key = pip_key(name);
        let mut asked = self.record.ranges.iter();
        let is_asked = asked.any(|(known, range)| pip_key(known) == key && *range == need.range);
        let Some(found) = self.installed.get(&key) else {
            let is_missing = self
                .record
                .missing
                .iter()
                .any(|one| pip_key(&one.name) == key);
            let is_excluded = is_asked && super::is_excluded(need) && !is_missing;
            return if is_excluded { Met::Excluded } else { Met::Not };
        };
        let is_version = need.range.strip_prefix("==") == Some(&*found.version);
        let fits = is_asked || is_version || need.range.is_empty();
        if fits && need.source == Source::Registry {
            Met::Installed
        } else {
            Met::Not
        }
    }

    /// Returns whether every file of a package is its own, and what its list says. Programs name the
    /// environment in their first line, so that their digests are those of another place.
    fn is_intact(&self, package: &Distribution, files: &Path) -> bool {
        let list = format!("{}/RECORD", package.info);
        let is_as_listed = |file: &OwnFile| match &file.digest {
            _ if !file.path.starts_with(&self.packages) => true,
            Some(digest) => self.has(&file.path, digest, files),
            None => file.path == list,
        };
        let mut own = package.files.iter();
        package.files.iter().any(|file| file.path == list)
            && own.all(|file| self.owners.get(&file.path) == Some(&1) && is_as_listed(file))
    }

    fn has(&self, path: &str, digest: &str, files: &Path) -> bool {
        is_shared_as(&self.root.path().join(path), files, digest)
            || self
                .root
                .digest(path)
                .is_ok_and(|(found, _)| found.hex() == digest)
    }
}

/// Returns the Python environments whose packages can serve others.
pub(crate) fn stocks(store: &OpenStore, index: &Registries) -> Result<Vec<PipStock>, Error> {
    let records = store.records(Ecosystem::Pip)?.into_iter();
    let stocks = records.filter_map(|(_, record)| {
        let root = store.root.open_dir(&record.dir).ok()?;
        PipStock::read(root, record, index)
    });
    Ok(stocks.collect())
}

/// Makes the environment of a skill in `dir`, an empty directory of the store, of the packages of
/// others. Returns `None` if they do not have what is needed, or if a package is to be built.
pub(crate) fn linked(
    store: &OpenStore,
    wanted: &Wanted<'_>,
    allowed: &[String],
    dir: &str,
    stocks: &[PipStock],
) -> Result<Option<Record>, Error> {
    let is_built = allowed.iter().any(|name| wanted.needs.contains_key(name));
    if wanted.needs.is_empty() || is_built {
        return Ok(None);
    }
    let Some(picked) = pick(stocks, &wanted.needs, &store.path(FILES)) else {
        return Ok(None);
    };
    let record = link(&picked, stocks, &store.root.open_dir(dir)?)?;
    Ok(Some(Record {
        dir: dir.to_owned(),
        ranges: Record::ranges(&wanted.needs),
        ..record
    }))
}

/// Returns the packages that meet all requirements with what they load, by name; `None` if the
/// environments do not have them, or have different versions of one. `files`: the directory of shared
/// files.
fn pick<'s>(
    stocks: &'s [PipStock],
    needs: &BTreeMap<String, Need>,
    files: &Path,
) -> Option<BTreeMap<String, Picked<'s>>> {
    // Each in turn is asked first, so that packages of one environment are preferred.
    stocks.iter().find_map(|first| {
        let others = stocks.iter().filter(|other| !std::ptr::eq(*other, first));
        let alike = others.filter(|other| {
            other.record.runtime == first.record.runtime && other.packages == first.packages
        });
        let order: Vec<&PipStock> = std::iter::once(first).chain(alike).collect();
        let found = together(&order, needs)?;
        let mut picked = found.values();
        let is_intact = picked.all(|(stock, package)| stock.is_intact(package, files));
        is_intact.then_some(found)
    })
}

/// Returns the packages of the first environment that has each, with what they load.
fn together<'s>(
    order: &[&'s PipStock],
    needs: &BTreeMap<String, Need>,
) -> Option<BTreeMap<String, Picked<'s>>> {
    let mut res: BTreeMap<String, Picked<'s>> = BTreeMap::new();
    for (name, need) in needs {
        let met = order.iter().map(|stock| (*stock, stock.meets(name, need)));
        let (stock, met) = met.into_iter().find(|(_, met)| *met != Met::Not)?;
        if met == Met::Excluded {
            continue;
        }
        let mut seen = BTreeSet::new();
        let mut waiting = vec![(pip_key(name), extras(&need.range))];
        while let Some((key, extras)) = waiting.pop() {
            let Some(package) = stock.installed.get(&key) else {
                continue;
            };
            if !seen.insert((key.clone(), extras.clone())) {
                continue;
            }
            let loads = package.loads(&extras);
            waiting.extend(loads.map(|(key, extras)| (key.to_owned(), extras.to_owned())));
            let (_, known) = *res.entry(key).or_insert((stock, package));
            if known.version != package.version {
                return None;
            }
        }
    }
    Some(res)
}

/// Makes the environment `to`, an empty directory, of these packages and the interpreter of their
/// environment.
fn link(
    picked: &BTreeMap<String, Picked<'_>>,
    stocks: &[PipStock],
    to: &Root,
) -> Result<Record, Error> {
    let first = picked.values().next().map(|(stock, _)| *stock);
    let base = first.or(stocks.first()).expect("there is an environment");
    base.link_interpreter(to)?;
    for (stock, package) in picked.values() {
        for file in &package.files {
            stock.link_file(&file.path, to)?;
            if let Some(code) = stock.byte_code(&file.path) {
                stock.link_file(&code, to)?;
            }
        }
    }
    to.make_dir(&base.packages)?;
    Ok(Record {
        ranges: BTreeMap::new(),
        missing: Vec::new(),
        size: None,
        ..base.record.clone()
    })
}

impl PipStock {
    /// Links what belongs to no package: the interpreter, its configuration and scripts for shells.
    fn link_interpreter(&self, to: &Root) -> Result<(), Error> {
        let limits = WalkLimits::default();
        let lib = self.packages.split('/').next().unwrap_or_default();
        let listing = self.root.walk(".", &limits, &|path| path == lib)?;
        for entry in listing.entries {
            let is_own = !self.owners.contains_key(&entry.path);
            match entry.kind {
                Kind::Symlink if is_own => {
                    to.link(&entry.path, &self.root.entry_target(&entry)?)?;
                }
                Kind::File(_) if is_own => self.link_file(&entry.path, to)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// Links a file. A small text that names its environment, such as the first line of a program, is
    /// written again with the new one.
    fn link_file(&self, path: &str, to: &Root) -> Result<(), Error> {
        let own = self.root.path().display().to_string();
        let is_script = !path.starts_with(&self.packages);
        let text = || String::from_utf8(self.root.read(path, MAX_SCRIPT).ok()?).ok();
        let text = is_script.then(text).flatten();
        link_file(&self.root.path().join(path), &to.path().join(path))?;
        if let Some(text) = text.filter(|text| text.contains(&own)) {
            let new = to.path().display().to_string();
            to.replace(path, text.replace(&own, &new).as_bytes())?;
        }
        Ok(())
    }

    /// Returns the byte code of a module that was written after the installation and belongs to no
    /// package. Tests have none.
    fn byte_code(&self, path: &str) -> Option<String> {
        let (dir, name) = path.strip_suffix(".py")?.rsplit_once('/')?;
        let mut version = self.record.runtime.split('.');
        let (major, minor) = (version.next()?, version.next()?);
        let code = format!("{dir}/__pycache__/{name}.cpython-{major}{minor}.pyc");
        let is_ours = !self.owners.contains_key(&code) && !dir.split('/').any(|it| it == "tests");
        let is_there = matches!(self.root.kind(&code), Ok(Some(Kind::File(_))));
        (is_ours && is_there).then_some(code)
    }
}
