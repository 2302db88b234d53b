//! A skill being built.

use std::collections::BTreeSet;
use std::sync::Arc;

use skill_model::{Digest, LockedSkill};

use super::names::{check_name, check_path};
use super::run::Run;
use super::{Store, StoreError, dir};
use crate::fs::sys::{self, Cause, File, SysError};
use crate::fs::{Entry, Fingerprint, Kind, Listing, PathError, Root, digest_of};

/// A skill being built in `staging`. It is deleted on drop unless [`Store::commit`] was called.
#[derive(Debug)]
pub struct Staging<'s> {
    pub(super) store: &'s Store,
    pub(super) run: Arc<Run>,
    pub(super) name: String,
    /// The directory; `None` once it is closed.
    dir: Option<Root>,
    dirs: BTreeSet<String>,
    files: BTreeSet<String>,
    /// The entries that were written, as a listing of the directory has them.
    written: Listing,
    sync: bool,
    pub(super) is_placed: bool,
}

impl Store {
    /// Begins to build a skill.
    pub fn stage(&self, name: &str) -> Result<Staging<'_>, StoreError> {
        check_name(name)?;
        let (out, writer) = self.writer()?;
        let run = writer.run(out)?;
        let dir = fresh_dir(&run, name)?;
        Ok(Staging {
            store: self,
            run,
            name: name.to_owned(),
            dir: Some(dir),
            dirs: BTreeSet::new(),
            files: BTreeSet::new(),
            written: Listing::default(),
            sync: writer.options.sync,
            is_placed: false,
        })
    }
}

/// Creates an empty directory in `staging`; deletes an earlier attempt of this run.
fn fresh_dir(run: &Run, name: &str) -> Result<Root, StoreError> {
    let fail = |err| dir::failed("create", &run.staging, name, err);
    match make_dir(run, &run.staging, name) {
        Err(err) if err.cause == Cause::Exists => {
            run.trash.discard(&run.staging, name).map_err(fail)?;
            make_dir(run, &run.staging, name).map_err(fail)?;
        }
        res => res.map_err(fail)?,
    }
    dir::open(&run.staging, name)?.ok_or_else(|| dir::removed_meanwhile(&run.staging, name))
}

/// Creates a directory with exactly the mode 0755.
fn make_dir(run: &Run, parent: &Root, path: &str) -> sys::Result<()> {
    sys::make_dir(parent.dir(), path, dir::MODE_EXECUTABLE)?;
    if run.exact_modes {
        return Ok(());
    }
    sys::set_mode_at(parent.dir(), path, dir::MODE_EXECUTABLE)
}

impl Staging<'_> {
    /// Returns the name of the skill.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Writes one file and creates its parent directories. Its mode is 0644, or 0755 if it is
    /// executable, whatever the umask. Each path can be written once.
    pub fn write(&mut self, path: &str, bytes: &[u8], executable: bool) -> Result<(), StoreError> {
        let file = self.create(path, executable)?;
        sys::write_all(&file, bytes).map_err(|err| self.failed(path, err))?;
        self.done(&file, path)
    }

    /// Copies one file without loading it into memory, and returns its digest.
    ///
    /// # Errors
    ///
    /// [`StoreError::Changed`] if `expected` is given and the content has another digest.
    pub fn copy_from(
        &mut self,
        from: &Root,
        source: &str,
        path: &str,
        executable: bool,
        expected: Option<Digest>,
    ) -> Result<Digest, StoreError> {
        let (opened, _) = from.open_file(source)?;
        let file = self.create(path, executable)?;
        let mut is_unwritten = false;
        let res = digest_of(&opened, |piece| {
            sys::write_all(&file, piece).inspect_err(|_| is_unwritten = true)
        });
        let (digest, _) = match res {
            Err(err) if is_unwritten => return Err(self.failed(path, err)),
            res => res.map_err(|err| PathError::new("read", from.shown(source), err))?,
        };
        if expected.is_some_and(|expected| expected != digest) {
            let path = from.shown(source);
            return Err(StoreError::Changed { path });
        }
        self.done(&file, path)?;
        Ok(digest)
    }

    fn dir(&self) -> &Root {
        self.dir
            .as_ref()
            .expect("it is closed only to be committed")
    }

    /// Closes the directory, which Windows renames only then. Nothing is written afterwards.
    pub(super) fn close(&mut self) {
        self.dir = None;
    }

    fn create(&mut self, path: &str, executable: bool) -> Result<File, StoreError> {
        check_path(path)?;
        self.make_parents(path)?;
        let mode = if executable {
            dir::MODE_EXECUTABLE
        } else {
            dir::MODE_FILE
        };
        let file = dir::create(self.dir(), path, mode)?;
        self.set_mode(&file, mode)
            .map_err(|err| self.failed(path, err))?;
        self.files.insert(path.to_owned());
        Ok(file)
    }

    fn set_mode(&self, file: &File, mode: u32) -> sys::Result<()> {
        if self.run.exact_modes {
            return Ok(());
        }
        sys::set_mode(file, mode)
    }

    fn make_parents(&mut self, path: &str) -> Result<(), StoreError> {
        for (end, _) in path.match_indices('/') {
            let parent = &path[..end];
            if self.dirs.contains(parent) {
                continue;
            }
            make_dir(&self.run, self.dir(), parent)
                .map_err(|err| dir::failed("create", self.dir(), parent, err))?;
            self.dirs.insert(parent.to_owned());
            self.written.entries.push(Entry {
                path: parent.to_owned(),
                kind: Kind::Dir,
            });
        }
        Ok(())
    }

    fn done(&mut self, file: &File, path: &str) -> Result<(), StoreError> {
        if self.sync {
            dir::sync_file(file).map_err(|err| self.failed(path, err))?;
        }
        let stat = sys::stat_file(file).map_err(|err| self.failed(path, err))?;
        self.written.entries.push(Entry {
            path: path.to_owned(),
            kind: stat.kind,
        });
        Ok(())
    }

    fn failed(&self, path: &str, error: SysError) -> StoreError {
        dir::failed("write", self.dir(), path, error)
    }

    /// Checks that `entry` lists exactly the staged files.
    pub(super) fn check_listed(&self, entry: &LockedSkill) -> Result<(), StoreError> {
        let unstaged = entry.files.keys().find(|path| !self.files.contains(*path));
        let unlisted = || {
            self.files
                .iter()
                .find(|path| !entry.files.contains_key(*path))
        };
        match unstaged.or_else(unlisted) {
            None => Ok(()),
            Some(path) => Err(StoreError::NotAsListed {
                name: self.name.clone(),
                path: path.clone(),
            }),
        }
    }

    /// Returns the fingerprint of the staged files; renaming the directory does not change it.
    pub(super) fn fingerprint(&mut self) -> Fingerprint {
        let entries = &mut self.written.entries;
        entries.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        self.written.fingerprint()
    }

    /// Waits until the names of all files are on disk, if the options say so.
    pub(super) fn sync_dirs(&self) -> Result<(), StoreError> {
        if !self.sync {
            return Ok(());
        }
        for path in &self.dirs {
            dir::sync(&self.dir().open_dir(path)?)?;
        }
        Ok(dir::sync(self.dir())?)
    }
}

impl Drop for Staging<'_> {
    fn drop(&mut self) {
        self.close();
        if !self.is_placed {
            // A failed deletion is repeated when the run ends.
            let _ = self.run.trash.discard(&self.run.staging, &self.name);
        }
    }
}
