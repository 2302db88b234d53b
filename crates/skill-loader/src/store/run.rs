//! The current run: its directories, and its end.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::journal::{self, Journal};
use super::names::LOCK_FILE;
use super::trash::Trash;
use super::{StoreError, dir, lock_file, put_away, stamps};
use crate::fs::Root;
use crate::fs::sys::{self, Cause};

/// Name of the current run in the store's own directory.
pub(super) const RUN: &str = "run";
/// Name of the last run that changed something.
pub(super) const PREVIOUS: &str = "previous";
/// Name of the directory with skills being built.
pub(super) const STAGING: &str = "staging";
/// Name of the directory in a run with replaced and removed skills.
pub(super) const OLD: &str = "old";
const TRASH: &str = "trash";

/// The state from the first staged skill until the end of the run.
#[derive(Debug)]
pub(super) struct Run {
    pub(super) dir: Root,
    pub(super) old: Root,
    pub(super) staging: Root,
    pub(super) trash: Trash,
    pub(super) journal: Journal,
    /// True if new files and directories get the requested mode. A umask or a default ACL may
    /// remove bits, and then each mode has to be set explicitly.
    pub(super) exact_modes: bool,
    touched: Mutex<BTreeSet<String>>,
    unmoved: Mutex<BTreeSet<String>>,
}

impl Run {
    /// Creates the directories, copies the current lock, and opens the journal.
    pub(super) fn begin(out: &Root, meta: &Root, sync: bool) -> Result<Self, StoreError> {
        let trash = Trash::open(meta)?;
        if dir::kind(meta, RUN)?.is_some() {
            // The leftover of a failed attempt to begin.
            discard(&trash, meta, RUN)?;
        }
        let staging = dir::make(meta, STAGING)?;
        let run = dir::make(meta, RUN)?;
        let old = dir::make(&run, OLD)?;
        if let Some(bytes) = dir::read(out, LOCK_FILE)? {
            dir::write(&run, LOCK_FILE, &bytes, sync)?;
        }
        let exact_modes = sys::has_mode(run.dir(), dir::MODE_EXECUTABLE)
            .map_err(|err| dir::failed("look at", &run, "", err))?;
        Ok(Self {
            journal: Journal::create(&run)?,
            exact_modes,
            dir: run,
            old,
            staging,
            trash,
            touched: Mutex::default(),
            unmoved: Mutex::default(),
        })
    }

    /// Returns the skills that this run has put in place or removed.
    pub(super) fn touched(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.touched.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Moves the entry `name` to `old`. An entry that this run itself had put there is deleted
    /// instead.
    pub(super) fn put_away(&self, from: &Root, name: &str) -> sys::Result<()> {
        if self.touched().contains(name) {
            return self.trash.discard(from, name);
        }
        match dir::rename_new((from, name), (&self.old, name)) {
            Err(err) if err.cause == Cause::Exists => self.trash.discard(from, name),
            res => res.inspect(|()| put_away::hide(&self.old, name)),
        }
    }

    /// Does the same for an old version that was exchanged into `staging`. A failure does not undo
    /// the exchange; the end of the run tries again.
    pub(super) fn put_away_staged(&self, name: &str) {
        if self.put_away(&self.staging, name).is_err() {
            self.unmoved().insert(name.to_owned());
        }
    }

    fn unmoved(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.unmoved.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the run; with `keep` it becomes `previous`.
    pub(super) fn end(self, meta: &Root, keep: bool) -> Result<(), StoreError> {
        for name in std::mem::take(&mut *self.unmoved()) {
            self.put_unmoved(&name)?;
        }
        let trash = self.trash;
        // Windows does not rename a directory that is open, or that contains an open file.
        drop(self.journal);
        if keep {
            journal::sort(&self.dir)?;
        }
        drop((self.old, self.staging, self.dir));
        end(meta, trash, keep)
    }

    fn put_unmoved(&self, name: &str) -> Result<(), StoreError> {
        match dir::rename_new((&self.staging, name), (&self.old, name)) {
            Ok(()) => {
                put_away::hide(&self.old, name);
                Ok(())
            }
            Err(err) if matches!(err.cause, Cause::Exists | Cause::Missing) => Ok(()),
            Err(err) => Err(dir::failed("put away", &self.staging, name, err)),
        }
    }
}

/// Turns `run` into `previous`, or discards it, and deletes temporary directories.
pub(super) fn end(meta: &Root, trash: Trash, keep: bool) -> Result<(), StoreError> {
    if keep {
        if dir::kind(meta, PREVIOUS)?.is_some() {
            take(&trash, meta, PREVIOUS)?;
        }
        dir::rename_new((meta, RUN), (meta, PREVIOUS))
            .map_err(|err| dir::failed("rename", meta, RUN, err))?;
    } else {
        take(&trash, meta, RUN)?;
    }
    sweep(meta, trash)
}

/// Deletes `staging` and `trash`.
fn sweep(meta: &Root, trash: Trash) -> Result<(), StoreError> {
    if dir::kind(meta, STAGING)?.is_some() {
        take(&trash, meta, STAGING)?;
    }
    trash.close(meta);
    Ok(())
}

/// Deletes the leftovers of an ended process, except its run.
pub(super) fn sweep_left_overs(meta: &Root) -> Result<(), StoreError> {
    lock_file::sweep(meta)?;
    stamps::sweep(meta)?;
    if dir::kind(meta, STAGING)?.is_some() || dir::kind(meta, TRASH)?.is_some() {
        sweep(meta, Trash::open(meta)?)?;
    }
    Ok(())
}

pub(super) fn take(trash: &Trash, meta: &Root, name: &str) -> Result<(), StoreError> {
    match trash.take(meta, name) {
        Ok(_) => Ok(()),
        Err(err) => Err(dir::failed("delete", meta, name, err)),
    }
}

fn discard(trash: &Trash, meta: &Root, name: &str) -> Result<(), StoreError> {
    trash
        .discard(meta, name)
        .map_err(|err| dir::failed("delete", meta, name, err))
}
