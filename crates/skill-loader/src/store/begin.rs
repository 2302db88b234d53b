//! Opening a store.

use std::path::Path;

use skill_model::{Lock, LockedSkill};

use super::StoreError;
use crate::fs::Root;

/// How a store writes.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct StoreOptions {
    /// Waits until the disk has everything before a skill is exchanged. Off, a killed process
    /// can do no harm, but a power cut may leave empty files, which the next run finds and
    /// reports as edited.
    pub sync: bool,
}

/// What an interrupted run had left, and what became of it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Recovery {
    /// Skills that it had written or replaced.
    pub written: Vec<String>,
    /// Skills that it had removed.
    pub removed: Vec<String>,
    /// Whether what was interrupted was a rollback, which was then completed.
    pub rolled_back: bool,
}

/// An output directory. Shared by threads as it is, for distinct skills.
#[derive(Debug)]
pub struct Store {
    out: Root,
    lock: Lock,
}

impl Store {
    /// Opens `out` for writing with default options, waiting without a word for another process
    /// that writes.
    pub fn open(out: &Path) -> Result<Self, StoreError> {
        Self::open_with(out, StoreOptions::default(), &mut || ())
    }

    /// Opens `out` for writing: creates it, waits until no other process writes (`on_wait` is
    /// called once if it has to), and recovers what an interrupted run left.
    pub fn open_with(
        out: &Path,
        options: StoreOptions,
        on_wait: &mut dyn FnMut(),
    ) -> Result<Self, StoreError> {
        let _ = (out, options, on_wait);
        unimplemented!("next commit")
    }

    /// Opens `out` to look only. Nothing is created, changed or recovered; what an interrupted
    /// run did is taken into account. `out` need not exist.
    pub fn open_read_only(out: &Path) -> Result<Self, StoreError> {
        let _ = out;
        unimplemented!("next commit")
    }

    /// The lock as it was when the store was opened, after recovery.
    pub fn lock(&self) -> &Lock {
        &self.lock
    }

    /// The entry of one skill in [`Store::lock`].
    pub fn locked(&self, name: &str) -> Option<&LockedSkill> {
        self.lock.skills.get(name)
    }

    /// What an interrupted run had left, if there was one.
    pub fn recovery(&self) -> Option<&Recovery> {
        unimplemented!("next commit")
    }

    /// The output directory, to read from. `None` when it does not exist (read-only stores).
    pub fn root(&self) -> Option<&Root> {
        Some(&self.out)
    }
}
