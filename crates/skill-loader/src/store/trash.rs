//! Deleting trees without exposing a partial one.
//!
//! A tree first moves into `trash` by one rename, and is deleted there. A failed deletion is
//! repeated when the store is next opened.

use std::ffi::{CStr, CString};
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::fd::OwnedFd;
use rustix::fs::{AtFlags, Mode, OFlags, RawDir, openat, unlinkat};
use rustix::io::Errno;

use super::{StoreError, dir};
use crate::fs::Root;

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
        empty(&dir);
        Ok(Self {
            dir,
            n_taken: AtomicU64::new(0),
        })
    }

    /// Moves a tree into the trash in one step; returns its name there.
    pub(super) fn take(&self, from: &Root, name: &str) -> Result<String, Errno> {
        loop {
            let n = self.n_taken.fetch_add(1, Ordering::Relaxed).to_string();
            match dir::rename_new((from, name), (&self.dir, &n)) {
                Err(Errno::EXIST) => {}
                res => return res.map(|()| n),
            }
        }
    }

    /// Moves a tree into the trash and deletes it.
    pub(super) fn discard(&self, from: &Root, name: &str) -> Result<(), Errno> {
        let taken = self.take(from, name)?;
        delete(&self.dir, &CString::new(taken).expect("digits have no NUL"));
        Ok(())
    }

    /// Deletes the content of the trash and the trash itself.
    pub(super) fn close(&self, meta: &Root) {
        empty(&self.dir);
        remove_dir(meta, c"trash");
    }
}

/// Deletes the directory `name` of the store and its content; failures are ignored.
pub(super) fn remove_dir(meta: &Root, name: &CStr) {
    delete(meta, name);
}

/// Deletes one entry of a directory of the store, of any kind; failures are ignored.
pub(super) fn remove(dir: &Root, name: &str) {
    if let Ok(name) = CString::new(name) {
        delete(dir, &name);
    }
}

fn empty(dir: &Root) {
    for name in names(dir) {
        delete(dir, &name);
    }
}

/// Deletes one entry of any kind. What cannot be deleted is left for the next time.
fn delete(parent: impl rustix::fd::AsFd, name: &CStr) {
    let parent = parent.as_fd();
    match unlinkat(parent, name, AtFlags::empty()) {
        Err(Errno::ISDIR | Errno::PERM) => {}
        _ => return,
    }
    if let Some(inner) = open_to_delete(parent, name) {
        for entry in names(&inner) {
            delete(&inner, &entry);
        }
    }
    let _ = unlinkat(parent, name, AtFlags::REMOVEDIR);
}

/// Opens a directory whose mode may forbid it.
fn open_to_delete(parent: rustix::fd::BorrowedFd<'_>, name: &CStr) -> Option<OwnedFd> {
    const FLAGS: OFlags = crate::fs::DIRECTORY;
    let inner = openat(parent, name, FLAGS, Mode::empty())
        .or_else(|_| {
            rustix::fs::chmodat(parent, name, Mode::RWXU, AtFlags::empty())?;
            openat(parent, name, FLAGS, Mode::empty())
        })
        .ok()?;
    let _ = rustix::fs::fchmod(&inner, Mode::RWXU);
    Some(inner)
}

/// Returns the names in a directory; stops at the first error.
fn names(dir: impl rustix::fd::AsFd) -> Vec<CString> {
    let mut buffer = Vec::with_capacity(8 * 1024);
    let mut listed = RawDir::new(dir.as_fd(), buffer.spare_capacity_mut());
    let mut res = Vec::new();
    while let Some(Ok(entry)) = listed.next() {
        if !matches!(entry.file_name().to_bytes(), b"." | b"..") {
            res.push(entry.file_name().to_owned());
        }
    }
    res
}
