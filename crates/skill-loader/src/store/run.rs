//! The run under way: where it builds, what it put away, and how it ends.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::io::Errno;

use super::journal::Journal;
use super::names::LOCK_FILE;
use super::trash::Trash;
use super::{StoreError, dir, lock_file, stamps};
use crate::fs::Root;

/// Names in the store's own directory.
pub(super) const RUN: &str = "run";
/// The last run that changed something.
pub(super) const PREVIOUS: &str = "previous";
/// Skills being built.
pub(super) const STAGING: &str = "staging";
/// In a run: what was replaced or removed.
pub(super) const OLD: &str = "old";
const TRASH: &str = "trash";

/// Everything that exists from the first thing staged until the end.
#[derive(Debug)]
pub(super) struct Run {
    pub(super) dir: Root,
    pub(super) old: Root,
    pub(super) staging: Root,
    pub(super) trash: Trash,
    pub(super) journal: Journal,
    /// Whether new files and directories get the mode that was asked for. A umask or a default
    /// ACL may take bits away, and then each has to be set.
    pub(super) exact_modes: bool,
    touched: Mutex<BTreeSet<String>>,
    unmoved: Mutex<BTreeSet<String>>,
}

impl Run {
    /// Makes the directories, keeps the lock as it is, and opens the journal.
    pub(super) fn begin(out: &Root, meta: &Root, sync: bool) -> Result<Self, StoreError> {
        let trash = Trash::open(meta)?;
        if dir::kind(meta, RUN)?.is_some() {
            // Left by a beginning that failed a moment ago.
            discard(&trash, meta, RUN)?;
        }
        let staging = dir::make(meta, STAGING)?;
        let run = dir::make(meta, RUN)?;
        let old = dir::make(&run, OLD)?;
        if let Some(bytes) = dir::read(out, LOCK_FILE)? {
            dir::write(&run, LOCK_FILE, &bytes, sync)?;
        }
        let stat = rustix::fs::fstat(&run).map_err(|err| dir::failed("look at", &run, "", err))?;
        Ok(Self {
            journal: Journal::create(&run)?,
            exact_modes: stat.st_mode & 0o777 == dir::MODE_EXECUTABLE.as_raw_mode(),
            dir: run,
            old,
            staging,
            trash,
            touched: Mutex::default(),
            unmoved: Mutex::default(),
        })
    }

    /// Skills that this run has put in place or taken away.
    pub(super) fn touched(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.touched.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts away what this run found at `name`. What the run itself had put there is nobody's
    /// past and is deleted.
    pub(super) fn put_away(&self, from: &Root, name: &str) -> Result<(), Errno> {
        if self.touched().contains(name) {
            return self.trash.discard(from, name);
        }
        match dir::rename_new((from, name), (&self.old, name)) {
            Err(Errno::EXIST) => self.trash.discard(from, name),
            res => res,
        }
    }

    /// The same for an old version that was exchanged into `staging`. A failure is no reason to
    /// say that the exchange failed; the end of the run tries again.
    pub(super) fn put_away_staged(&self, name: &str) {
        if self.put_away(&self.staging, name).is_err() {
            self.unmoved().insert(name.to_owned());
        }
    }

    fn unmoved(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.unmoved.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the run: it becomes `previous` if it is to be kept.
    pub(super) fn end(&self, meta: &Root, keep: bool) -> Result<(), StoreError> {
        for name in std::mem::take(&mut *self.unmoved()) {
            self.put_unmoved(&name)?;
        }
        end(meta, &self.trash, keep)
    }

    fn put_unmoved(&self, name: &str) -> Result<(), StoreError> {
        match dir::rename_new((&self.staging, name), (&self.old, name)) {
            Ok(()) | Err(Errno::EXIST | Errno::NOENT) => Ok(()),
            Err(err) => Err(dir::failed("put away", &self.staging, name, err)),
        }
    }
}

/// Makes `run` the `previous`, or forgets it, and deletes what nobody needs.
pub(super) fn end(meta: &Root, trash: &Trash, keep: bool) -> Result<(), StoreError> {
    if keep {
        if dir::kind(meta, PREVIOUS)?.is_some() {
            take(trash, meta, PREVIOUS)?;
        }
        dir::rename_new((meta, RUN), (meta, PREVIOUS))
            .map_err(|err| dir::failed("rename", meta, RUN, err))?;
    } else {
        take(trash, meta, RUN)?;
    }
    sweep(meta, trash)
}

/// Deletes `staging` and `trash`.
fn sweep(meta: &Root, trash: &Trash) -> Result<(), StoreError> {
    if dir::kind(meta, STAGING)?.is_some() {
        take(trash, meta, STAGING)?;
    }
    trash.close(meta);
    Ok(())
}

/// Deletes what a process that is gone left besides its run.
pub(super) fn sweep_left_overs(meta: &Root) -> Result<(), StoreError> {
    lock_file::sweep(meta)?;
    stamps::sweep(meta)?;
    if dir::kind(meta, STAGING)?.is_some() || dir::kind(meta, TRASH)?.is_some() {
        sweep(meta, &Trash::open(meta)?)?;
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
