//! Deleting trees without exposing a partial one.
//!
//! A tree first moves into `trash` by one rename, and is deleted there. A failed deletion is
//! repeated when the store is next opened.

use std::ffi::OsStr;
use std::sync::atomic::{AtomicU64, Ordering};

use super::{StoreError, dir};
use crate::fs::Root;
use crate::fs::sys::{self, Cause, Dir};

/// The directory of trees to be deleted.
#[derive(Debug)]
pub(super) struct Trash {
    dir: Root,
    n_taken: AtomicU64,
}

impl Trash {
    /// Opens or creates `trash`, and deletes what an earlier process left there.
    pub(super) fn open(meta: &Root) -> Result<Self, StoreError> {
        let dir = dir::make(meta, "trash")?;
        empty(dir.dir());
        Ok(Self {
            dir,
            n_taken: AtomicU64::new(0),
        })
    }

    /// Moves a tree into the trash in one step; returns its name there.
    pub(super) fn take(&self, from: &Root, name: &str) -> sys::Result<String> {
        loop {
            let n = self.n_taken.fetch_add(1, Ordering::Relaxed).to_string();
            match dir::rename_new((from, name), (&self.dir, &n)) {
                Err(err) if err.cause == Cause::Exists => {}
                res => return res.map(|()| n),
            }
        }
    }

    /// Moves a tree into the trash and deletes it.
    pub(super) fn discard(&self, from: &Root, name: &str) -> sys::Result<()> {
        let taken = self.take(from, name)?;
        delete(self.dir.dir(), OsStr::new(&taken));
        Ok(())
    }

    /// Deletes the content of the trash and the trash itself.
    pub(super) fn close(self, meta: &Root) {
        empty(self.dir.dir());
        drop(self.dir);
        remove(meta, "trash");
    }
}

/// Deletes one entry of a directory of the store, of any kind; failures are ignored.
pub(super) fn remove(dir: &Root, name: &str) {
    delete(dir.dir(), OsStr::new(name));
}

fn empty(dir: &Dir) {
    for name in sys::names(dir) {
        delete(dir, &name);
    }
}

/// Deletes one entry of any kind. What cannot be deleted is left for the next time.
fn delete(parent: &Dir, name: &OsStr) {
    match sys::unlink(parent, name) {
        Err(err) if matches!(err.cause, Cause::IsADirectory | Cause::NotPermitted) => {}
        _ => return,
    }
    if let Ok(inner) = sys::open_to_delete(parent, name) {
        empty(&inner);
    }
    let _ = sys::remove_dir(parent, name);
}
