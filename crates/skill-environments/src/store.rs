//! The directory of all environments.
//!
//! ```text
//! npm/<key>-<n>/node_modules/   an environment; equal files are one file with many names
//! pip/<key>-<n>/                a virtual environment of Python
//! files/                        those files, by their digests
//! records/<ecosystem>-<key>     what is known about the environment of a key
//! uses/<digest>                 which skill uses which keys
//! unfinished/<ecosystem>-<key>-<n>  an environment that is being made
//! lock                          locked while something is changed
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use skill_loader::fs::{Kind, Root, TreeSize, WalkLimits, remove_tree, remove_unshared, tree_size};
use skill_model::Digest;

use crate::error::Error;
use crate::needs::{Ecosystem, Needs};
use crate::record::{MissingPackage, Record};

/// Largest record, in bytes.
const MAX_RECORD: u64 = 4 << 20;
pub(crate) const FILES: &str = "files";
pub(crate) const RECORDS: &str = "records";
pub(crate) const USES: &str = "uses";
const UNFINISHED: &str = "unfinished";
/// The directory of [`Store::interpreter`] in a virtual environment, whose configuration is one level
/// above it, where the interpreter looks for it.
const INTERPRETER: &str = ".interpreter";

/// The reason of a package for which nothing was installed yet.
pub const NOT_PREPARED: &str = "it is not prepared";

/// The directory of all environments. It need not exist until something is prepared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Store {
    dir: PathBuf,
}

/// The environment of a skill.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Installed {
    /// The directory `node_modules`, if npm packages are installed.
    pub node_modules: Option<PathBuf>,
    /// The virtual environment of Python, if Python packages are installed.
    pub python: Option<PathBuf>,
    /// The packages that are required and not installed; those without an environment too.
    pub missing: Vec<MissingPackage>,
}

impl Store {
    /// Returns the store in the directory `environments` of a state directory, given as an absolute
    /// path without links.
    pub fn in_state(state: &Path) -> Self {
        Self {
            dir: state.join("environments"),
        }
    }

    /// Returns its directory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Returns its size on disk in bytes, in which a file that environments share counts once: that of the
    /// shared files, and of each environment what it alone has. Environments that were not measured yet
    /// are read.
    ///
    /// # Errors
    ///
    /// It cannot be read.
    pub fn size(&self) -> Result<u64, Error> {
        let mut res = tree_size(&[self.dir.join(FILES)])?.bytes;
        let Ok(root) = Root::open_real(&self.dir) else {
            return Ok(res);
        };
        // A store in which nothing was made yet has no records.
        if root.kind(RECORDS)?.is_none() {
            return Ok(res);
        }
        let mut alone = BTreeMap::new();
        for name in names(&root, RECORDS)? {
            let record = read_record(&root, &format!("{RECORDS}/{name}"));
            let Some(record) = record else { continue };
            let size = match record.size {
                Some(size) => size,
                None => tree_size(&[self.dir.join(&record.dir)])?,
            };
            alone.insert(record.dir, size.alone);
        }
        res += alone.values().sum::<u64>();
        Ok(res)
    }

    /// Writes the program that lets modules of Node.js find packages through `NODE_PATH`, which they
    /// ignore otherwise; returns its path, for `--import`.
    ///
    /// # Errors
    ///
    /// The store cannot be written.
    pub fn resolver(&self) -> Result<PathBuf, Error> {
        const NAME: &str = "resolve.mjs";
        let root = self.make()?;
        root.write_whole(".", NAME, include_bytes!("resolve.mjs"))?;
        Ok(self.dir.join(NAME))
    }

    /// Returns a directory with the programs `python` and `python3` of a virtual environment in the
    /// store and no others, for the `PATH` of a shell: in `bin` are the programs of packages, too.
    ///
    /// # Errors
    ///
    /// The store cannot be written.
    pub fn interpreter(&self, python: &Path) -> Result<PathBuf, Error> {
        let dir = python.join(INTERPRETER);
        // A package may have put files there.
        remove_tree(&dir)?;
        let root = Root::open_real(python)?;
        for name in ["python", "python3"] {
            root.link(&format!("{INTERPRETER}/{name}"), "../bin/python")?;
        }
        Ok(dir)
    }

    /// Returns the environment of these requirements, if it was prepared.
    pub fn find(&self, needs: &Needs) -> Installed {
        let mut res = Installed::default();
        if needs.is_empty() {
            return res;
        }
        let root = Root::open_real(&self.dir).ok();
        for ecosystem in Ecosystem::ALL {
            let Some(key) = needs.key(ecosystem) else {
                continue;
            };
            let record = root.as_ref().and_then(|root| record(root, ecosystem, &key));
            let Some(record) = record else {
                res.missing.extend(not_prepared(needs, ecosystem));
                continue;
            };
            let dir = self.dir.join(&record.dir);
            match ecosystem {
                Ecosystem::Npm => res.node_modules = Some(dir.join("node_modules")),
                Ecosystem::Pip => res.python = Some(dir),
            }
            res.missing.extend(record.missing);
        }
        res
    }

    /// Creates and opens the directory. A link in its place is not followed: packages, and programs
    /// that they replace, would be written elsewhere.
    fn make(&self) -> Result<Root, Error> {
        let parent = self.dir.parent().unwrap_or(&self.dir);
        Root::make(parent)?;
        match Root::open(&self.dir) {
            Ok(root) => Ok(root),
            Err(error) if error.source.kind() == ErrorKind::NotFound => Ok(Root::make(&self.dir)?),
            Err(error) => Err(error.into()),
        }
    }

    /// Creates the directory, and waits until no other process changes it. `on_wait` is called if
    /// that takes time.
    pub(crate) fn open(&self, on_wait: &mut dyn FnMut()) -> Result<OpenStore, Error> {
        let root = self.make()?;
        for dir in [FILES, RECORDS, USES, UNFINISHED, "npm", "pip"] {
            root.make_dir(dir)?;
        }
        let lock = root.open_lock("lock")?;
        let locked = lock.try_lock().or_else(|_| {
            on_wait();
            lock.lock()
        });
        locked.map_err(|source| Error::Lock {
            path: self.dir.join("lock"),
            source,
        })?;
        Ok(OpenStore { root, _lock: lock })
    }
}

fn not_prepared(needs: &Needs, ecosystem: Ecosystem) -> Vec<MissingPackage> {
    let packages = needs.of(ecosystem).iter();
    packages
        .map(|(name, need)| MissingPackage {
            name: name.clone(),
            reason: NOT_PREPARED.to_owned(),
            is_optional: need.is_optional,
        })
        .collect()
}

/// Reads the record of a key whose environment exists.
fn record(root: &Root, ecosystem: Ecosystem, key: &str) -> Option<Record> {
    read_record(root, &record_path(ecosystem, key))
}

fn read_record(root: &Root, path: &str) -> Option<Record> {
    let text = String::from_utf8(root.read(path, MAX_RECORD).ok()?).ok()?;
    let record = Record::read(&text)?;
    matches!(root.kind(&record.dir), Ok(Some(_))).then_some(record)
}

fn names(root: &Root, dir: &str) -> Result<Vec<String>, Error> {
    let limits = WalkLimits {
        depth: 0,
        ..WalkLimits::default()
    };
    let listing = root.walk(dir, &limits, &|_| true)?;
    let begin = format!("{dir}/");
    let entries = listing.entries.into_iter();
    Ok(entries
        .filter_map(|entry| entry.path.strip_prefix(&begin).map(str::to_owned))
        .collect())
}

fn record_path(ecosystem: Ecosystem, key: &str) -> String {
    format!("{RECORDS}/{}-{key}", ecosystem.word())
}

/// The store while it is locked.
#[derive(Debug)]
pub(crate) struct OpenStore {
    pub(crate) root: Root,
    _lock: File,
}

impl OpenStore {
    pub(crate) fn path(&self, inside: &str) -> PathBuf {
        self.root.path().join(inside)
    }

    pub(crate) fn record(&self, ecosystem: Ecosystem, key: &str) -> Option<Record> {
        record(&self.root, ecosystem, key)
    }

    /// Returns all records of an ecosystem, with their keys.
    pub(crate) fn records(&self, ecosystem: Ecosystem) -> Result<Vec<(String, Record)>, Error> {
        let begin = format!("{}-", ecosystem.word());
        let names = self.names(RECORDS)?.into_iter();
        let keys = names.filter_map(|name| name.strip_prefix(&begin).map(str::to_owned));
        let records = keys.filter_map(|key| {
            let record = self.record(ecosystem, &key)?;
            Some((key, record))
        });
        Ok(records.collect())
    }

    pub(crate) fn write_record(
        &self,
        ecosystem: Ecosystem,
        key: &str,
        record: &Record,
    ) -> Result<(), Error> {
        let name = format!("{}-{key}", ecosystem.word());
        Ok(self
            .root
            .write_whole(RECORDS, &name, record.to_text().as_bytes())?)
    }

    /// Returns the size of the environment of a record, which then has it.
    pub(crate) fn measured(
        &self,
        ecosystem: Ecosystem,
        key: &str,
        record: &Record,
    ) -> Result<TreeSize, Error> {
        if let Some(size) = record.size {
            return Ok(size);
        }
        let size = tree_size(&[self.path(&record.dir)])?;
        let record = Record {
            size: Some(size),
            ..record.clone()
        };
        self.write_record(ecosystem, key, &record)?;
        Ok(size)
    }

    /// Returns a directory for a new environment of a key, which does not exist yet. Until its record
    /// is written, it counts as unfinished.
    pub(crate) fn free_dir(&self, ecosystem: Ecosystem, key: &str) -> Result<String, Error> {
        let taken = self.names(ecosystem.word())?;
        let name = (0..).map(|n: u32| format!("{key}-{n}"));
        let free = name
            .into_iter()
            .find(|name| !taken.contains(name))
            .expect("numbers do not end");
        let mark = format!("{}-{free}", ecosystem.word());
        self.root.write_whole(UNFINISHED, &mark, b"")?;
        Ok(format!("{}/{free}", ecosystem.word()))
    }

    /// Removes the environments that have no record because making them failed or was interrupted.
    pub(crate) fn remove_unfinished(&self) -> Result<(), Error> {
        let marks = self.names(UNFINISHED)?;
        if marks.is_empty() {
            return Ok(());
        }
        let mut used = BTreeSet::new();
        for ecosystem in Ecosystem::ALL {
            let records = self.records(ecosystem)?.into_iter();
            used.extend(records.map(|(_, record)| record.dir));
        }
        let mut is_removed = false;
        for mark in marks {
            let dir = mark.replacen('-', "/", 1);
            if !used.contains(&dir) && matches!(self.root.kind(&dir)?, Some(Kind::Dir)) {
                remove_tree(&self.path(&dir))?;
                is_removed = true;
            }
            self.root.remove(&format!("{UNFINISHED}/{mark}"))?;
        }
        if is_removed {
            remove_unshared(&self.path(FILES))?;
        }
        Ok(())
    }

    /// Returns the names in a directory of the store.
    pub(crate) fn names(&self, dir: &str) -> Result<Vec<String>, Error> {
        names(&self.root, dir)
    }

    /// Records which environments a skill uses.
    pub(crate) fn write_use(&self, skill: &Path, needs: &Needs) -> Result<(), Error> {
        let dir = skill.to_string_lossy();
        let name = Digest::from_content(dir.as_bytes()).hex();
        let keys = Ecosystem::ALL.map(|ecosystem| needs.key(ecosystem));
        let value = json!({"skill": dir, "npm": keys[0], "pip": keys[1]});
        let text = format!("{value:#}\n");
        Ok(self.root.write_whole(USES, &name, text.as_bytes())?)
    }

    /// Returns the uses by the names of their files.
    pub(crate) fn uses(&self) -> Result<Vec<(String, Value)>, Error> {
        let names = self.names(USES)?.into_iter();
        let uses = names.map(|name| {
            let bytes = self.root.read(&format!("{USES}/{name}"), MAX_RECORD);
            let value = bytes
                .ok()
                .and_then(|bytes| serde_json::from_slice(&bytes).ok());
            (name, value.unwrap_or_default())
        });
        Ok(uses.collect())
    }
}
