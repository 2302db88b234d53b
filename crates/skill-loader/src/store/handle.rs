//! An open store.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use skill_model::{Lock, LockedSkill};

use super::StoreError;
use super::guard::Guard;
use super::run::Run;
use super::stamps::Stamps;
use crate::fs::Root;

/// Options of a store.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct StoreOptions {
    /// Waits until the data is on disk before a skill is exchanged. Without it, a killed process
    /// does no harm, but a power failure may leave empty files. The next run finds those and
    /// reports them as edited.
    pub sync: bool,
}

/// The changes of an interrupted run that were recovered.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Recovery {
    /// Skills that it had written or replaced; those that a rollback restored.
    pub written: Vec<String>,
    /// Skills that it had removed.
    pub removed: Vec<String>,
    /// True if the interrupted run was a rollback; it has been completed.
    pub rolled_back: bool,
}

/// An output directory. Threads may share it for distinct skills.
#[derive(Debug)]
pub struct Store {
    pub(super) out: Option<Root>,
    pub(super) lock: Lock,
    pub(super) recovery: Option<Recovery>,
    pub(super) writer: Option<Writer>,
    pub(super) reader: Option<Guard>,
}

/// The additional state of a store that is open for writing.
#[derive(Debug)]
pub(super) struct Writer {
    pub(super) meta: Root,
    pub(super) options: StoreOptions,
    pub(super) run: Mutex<Option<Arc<Run>>>,
    pub(super) changes: Mutex<Changes>,
    pub(super) stamps: Mutex<Stamps>,
    /// False if the output has no directory of the parts of a host.
    pub(super) has_hosted: AtomicBool,
    /// The directory of bases, opened on first use.
    pub(super) base: OnceLock<Root>,
    pub(super) _guard: Guard,
}

/// New entries of `skills.lock`; `None` for those to be removed.
pub(super) type Changes = BTreeMap<String, Option<LockedSkill>>;

impl Store {
    /// Returns the lock as of the opening of the store, after recovery.
    pub fn lock(&self) -> &Lock {
        &self.lock
    }

    /// Returns the entry of one skill in [`Store::lock`].
    pub fn locked(&self, name: &str) -> Option<&LockedSkill> {
        self.lock.skills.get(name)
    }

    /// Returns the recovered changes of an interrupted run, if there was one.
    pub fn recovery(&self) -> Option<&Recovery> {
        self.recovery.as_ref()
    }

    /// Returns the output directory for reading; `None` if it does not exist (read-only stores).
    pub fn root(&self) -> Option<&Root> {
        self.out.as_ref()
    }

    /// Returns the output directory and the state for writing.
    pub(super) fn writer(&self) -> Result<(&Root, &Writer), StoreError> {
        match (&self.out, &self.writer) {
            (Some(out), Some(writer)) => Ok((out, writer)),
            (out, _) => Err(read_only(out.as_ref())),
        }
    }
}

pub(super) fn read_only(out: Option<&Root>) -> StoreError {
    StoreError::ReadOnly {
        path: out.map(|out| out.path().to_owned()).unwrap_or_default(),
    }
}

impl Writer {
    /// Returns the current run; begins it if needed.
    pub(super) fn run(&self, out: &Root) -> Result<Arc<Run>, StoreError> {
        let mut run = self.run.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(run) = &*run {
            return Ok(Arc::clone(run));
        }
        let begun = Arc::new(Run::begin(out, &self.meta, self.options.sync)?);
        Ok(Arc::clone(run.insert(begun)))
    }

    pub(super) fn stamps(&self) -> MutexGuard<'_, Stamps> {
        self.stamps.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn changes(&self) -> MutexGuard<'_, Changes> {
        self.changes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
