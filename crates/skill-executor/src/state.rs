//! The state directory: calls write only here, never to a skill.
//!
//! - `skills/`: a place for each skill: its base, which replaces the old host's directory
//!   (`PROJECT_BASE_PATH`), and its home directory.
//! - `owners/`: which skill each place belongs to; `copies/`: what was copied there, to renew it.
//! - `legacy/`: the directories that skills share, and links to their programs for people.
//! - `results/`, `calls/`: what asynchronous skills delivered, and which calls may deliver.
//! - `answers/`: long answers of services over HTTP.
//! - `settings/`: the values that the user stored for skills.
//! - `visible/`: for a skill that may read everything, empty directories in place of those parts of the
//!   state that it sees.
//! - `environments/`: installed packages; `programs/`: names of programs that the machine lacks.
//! - `readers/`: which skills read data files of which others.
//! - `placeholders/`, `cache/`, `approvals/`, `usage/`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde_json::Value;
pub use skill_environments::Store;
use skill_loader::fs::{Kind, Others, Root, WalkLimits, resolve};
pub use skill_settings::{NoHome, directory, user_directory};

use crate::envelope::{Failure, Warning};
use crate::json;

/// The directory of installed packages.
const ENVIRONMENTS: &str = "environments";

/// Largest file of ours that is read, in bytes.
const MAX_FILE: u64 = 64 << 20;

/// The state directory, held open.
#[derive(Debug)]
pub struct State {
    root: Root,
    /// Locked while a view is updated: of many calls at once, one copies.
    pub(crate) views: Mutex<()>,
    /// Warnings about the view of each skill, by the skill's directory.
    notes: Mutex<BTreeMap<PathBuf, Vec<Warning>>>,
    /// The directories of skills whose stored approval was found to hold, for the files that they read of
    /// other authors.
    readers: Mutex<BTreeSet<PathBuf>>,
    /// The installed packages of skills.
    environments: Store,
}

impl State {
    /// Opens the directory, after making it where it is missing. The directories of packages and of
    /// settings are made and checked first, so that no program of a skill can put its own there.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        let root = Root::make(path).map_err(|error| Failure::io(&error))?;
        root.make_private_dir(ENVIRONMENTS, Others::Read)
            .map_err(|error| Failure::io(&error))?;
        skill_settings::Store::new(&root)
            .settle()
            .map_err(|error| Failure::io(&error))?;
        Ok(Self {
            environments: Store::in_state(root.path()),
            root,
            views: Mutex::new(()),
            notes: Mutex::default(),
            readers: Mutex::default(),
        })
    }

    /// Takes the installed packages from another store than the one in this directory.
    #[must_use]
    pub fn with_environments(mut self, store: Store) -> Self {
        self.environments = store;
        self
    }

    /// Returns the store of installed packages.
    pub fn environments(&self) -> &Store {
        &self.environments
    }

    /// Returns the warnings about a skill's view from its last update.
    pub fn notes(&self, skill: &Path) -> Vec<Warning> {
        let notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        notes.get(skill).cloned().unwrap_or_default()
    }

    pub(crate) fn note(&self, skill: &Path, notes: Vec<Warning>) {
        let mut all = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        if notes.is_empty() {
            all.remove(skill);
        } else {
            all.insert(skill.to_owned(), notes);
        }
    }

    /// Records whether a skill may read the data files of other authors that it names.
    pub(crate) fn set_reader(&self, skill: &Path, may_read: bool) {
        let mut readers = self.readers.lock().unwrap_or_else(PoisonError::into_inner);
        if may_read {
            readers.insert(skill.to_owned());
        } else {
            readers.remove(skill);
        }
    }

    pub(crate) fn is_reader(&self, skill: &Path) -> bool {
        let readers = self.readers.lock().unwrap_or_else(PoisonError::into_inner);
        readers.contains(skill)
    }

    /// The directory, held open.
    pub fn root(&self) -> &Root {
        &self.root
    }

    /// The absolute path of something beneath.
    pub fn path(&self, inside: &str) -> PathBuf {
        self.root.path().join(inside)
    }

    /// Makes a directory beneath.
    pub fn make_dir(&self, dir: &str) -> Result<(), Failure> {
        self.root.make_dir(dir).map_err(|error| Failure::io(&error))
    }

    /// Reads a file as JSON; `None` if it is missing or not JSON.
    pub fn read(&self, path: &str) -> Option<Value> {
        let bytes = self.root.read(path, MAX_FILE).ok()?;
        json::parse(std::str::from_utf8(&bytes).ok()?).ok()
    }

    /// A text file beneath; `None` when it is missing.
    pub fn read_text(&self, path: &str) -> Option<String> {
        let bytes = self.root.read(path, MAX_FILE).ok()?;
        String::from_utf8(bytes).ok()
    }

    /// Writes a file beneath, whole or not at all.
    pub fn write(&self, dir: &str, name: &str, text: &str) -> Result<(), Failure> {
        let res = self.root.write_whole(dir, name, text.as_bytes());
        res.map_err(|error| Failure::io(&error))
    }
}

/// Bytes of all files beneath a directory of the state; 0 when it is missing.
pub(crate) fn bytes_beneath(state: &State, dir: &str) -> u64 {
    let Ok(listing) = state.root.walk(dir, &WalkLimits::default(), &|_| false) else {
        return 0;
    };
    let sizes = listing.entries.iter().map(|entry| match &entry.kind {
        Kind::File(info) => info.size,
        _ => 0,
    });
    sizes.sum()
}

/// Returns true if something exists at the path of a program.
pub(crate) fn is_there(dir: &Path, name: &str) -> bool {
    resolve(&dir.join(name)).is_ok()
}
