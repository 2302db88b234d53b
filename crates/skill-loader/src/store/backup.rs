//! Copies of skills that are about to be replaced.

use std::path::{Path, PathBuf};

use super::dir::EVERYTHING;
use super::names::check_name;
use super::{Store, StoreError, dir, places, put_away};
use crate::fs::sys;
use crate::fs::{Kind, PathError, ReadError, Root, digest_of};

impl Store {
    /// Copies the entry `name` into `dir`, which is created if needed, as `name`, or `name.1`,
    /// `name.2` … if that exists. Links are copied as links. Inside the
    /// output, its SKILL.md is called `SKILL.md.put-away`, so that agents do not find it.
    ///
    /// Returns the path of the copy.
    ///
    /// # Errors
    ///
    /// [`StoreError`] for sockets, devices and names that are not UTF-8, and if a system call
    /// fails.
    pub fn backup(&self, name: &str, dir: &Path) -> Result<PathBuf, StoreError> {
        check_name(name)?;
        let Some(out) = self.root() else {
            return Err(super::handle::read_only(None));
        };
        let target = super::output::open_or_create(dir)?;
        let taken = |copy: &String| !matches!(dir::kind(&target, copy), Ok(None));
        let copy = std::iter::once(name.to_owned())
            .chain((1..10_000).map(|n| format!("{name}.{n}")))
            .find(|copy| !taken(copy))
            .unwrap_or_else(|| name.to_owned());
        let place = places::make(out, self.is_hosted(name))?;
        copy_entry(&place, name, &target, &copy)?;
        if target.path().starts_with(out.path()) {
            put_away::hide(&target, &copy);
        }
        Ok(target.shown(&copy))
    }
}

fn copy_entry(from: &Root, name: &str, to: &Root, copy: &str) -> Result<(), StoreError> {
    match dir::kind(from, name)? {
        Some(Kind::Dir) => copy_tree(from, name, to, copy),
        Some(kind) => copy_one(from, name, kind, to, copy),
        None => Ok(()),
    }
}

fn copy_tree(from: &Root, name: &str, to: &Root, copy: &str) -> Result<(), StoreError> {
    let tree = from.open_dir(name)?;
    let listing = tree.walk("", &EVERYTHING, &|_| false)?;
    if let Some(note) = listing.notes.first() {
        let path = tree.shown(&note.path);
        return Err(PathError::because("copy", path, "it cannot be listed").into());
    }
    sys::make_dir(to.dir(), copy, dir::MODE_EXECUTABLE)
        .map_err(|err| dir::failed("create", to, copy, err))?;
    let copied = to.open_dir(copy)?;
    for entry in &listing.entries {
        copy_one(&tree, &entry.path, entry.kind, &copied, &entry.path)?;
    }
    Ok(())
}

fn copy_one(from: &Root, path: &str, kind: Kind, to: &Root, copy: &str) -> Result<(), StoreError> {
    let fail = |err| dir::failed("copy", from, path, err);
    match kind {
        Kind::File(_) => copy_file(from, path, to, copy),
        Kind::Dir => sys::make_dir(to.dir(), copy, dir::MODE_EXECUTABLE).map_err(fail),
        Kind::Symlink => {
            let target = sys::read_link(from.dir(), path).map_err(fail)?;
            sys::symlink(&target, to.dir(), copy).map_err(fail)
        }
        Kind::Fifo => sys::make_fifo(to.dir(), copy, dir::MODE_FILE).map_err(fail),
        Kind::Socket | Kind::Device => Err(ReadError::NotRegular {
            path: from.shown(path),
            kind,
        }
        .into()),
    }
}

fn copy_file(from: &Root, path: &str, to: &Root, copy: &str) -> Result<(), StoreError> {
    let fail = |err| dir::failed("copy", from, path, err);
    let (source, info) = from.open_listed(path)?;
    let mode = if info.executable {
        dir::MODE_EXECUTABLE
    } else {
        dir::MODE_FILE
    };
    let file = dir::create(to, copy, mode)?;
    digest_of(&source, |piece| sys::write_all(&file, piece)).map_err(fail)?;
    sys::set_mode(&file, mode).map_err(fail)
}
