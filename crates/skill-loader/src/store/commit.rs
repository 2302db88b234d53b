//! Committing and removing skills.

use std::borrow::Cow;

use skill_model::LockedSkill;

use super::journal::Line;
use super::names::{check_name, check_path};
use super::run::Run;
use super::{Staging, Store, StoreError, dir};
use crate::fs::Root;
use crate::fs::sys::{self, Cause, SysError};

/// Number of attempts if another process creates or removes the same name concurrently.
const N_TRIES: usize = 8;

/// The effect of a commit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CommitOutcome {
    /// The name was free.
    Added,
    /// The previous content is in `previous` now.
    Replaced,
}

impl Store {
    /// Puts a staged skill in place of the current entry, in one step. `Ok` means that the skill is
    /// in place.
    ///
    /// `entry.files` must list exactly the staged paths, with the digests of their bytes.
    pub fn commit(
        &self,
        mut staging: Staging<'_>,
        entry: LockedSkill,
    ) -> Result<CommitOutcome, StoreError> {
        let (out, writer) = self.writer()?;
        debug_assert!(std::ptr::eq(self, staging.store), "staged in another store");
        staging.check_listed(&entry)?;
        staging.sync_dirs()?;
        let print = staging.fingerprint()?;
        staging.close();
        let sync = writer.options.sync;
        let res = put(out, &staging.run, &staging.name, &entry, sync)?;
        staging.is_placed = true;
        staging.run.touched().insert(staging.name.clone());
        writer.stamps().found_skill(&staging.name, &entry, &print);
        writer.changes().insert(staging.name.clone(), Some(entry));
        if sync {
            dir::sync(out)?;
        }
        Ok(res)
    }

    /// Removes the skill `name` and its entry. Returns false if it did not exist.
    pub fn remove(&self, name: &str) -> Result<bool, StoreError> {
        check_name(name)?;
        let (out, writer) = self.writer()?;
        let is_there = dir::kind(out, name)?.is_some();
        if is_there {
            let run = writer.run(out)?;
            let line = Line::Remove {
                name: Cow::Borrowed(name),
            };
            run.journal.append(&run.dir, &line, writer.options.sync)?;
            run.put_away(out, name)
                .map_err(|err| dir::failed("remove", out, name, err))?;
            run.touched().insert(name.to_owned());
        }
        self.forget(name)?;
        Ok(is_there)
    }

    /// Deletes the skill `name` permanently, without a backup; use it only for entries without
    /// manual work.
    pub fn discard(&self, name: &str) -> Result<(), StoreError> {
        check_name(name)?;
        let (out, writer) = self.writer()?;
        let run = writer.run(out)?;
        run.trash
            .discard(out, name)
            .map_err(|err| dir::failed("remove", out, name, err))
    }

    /// Changes only the entry of a skill, for a directory that already has the right bytes.
    pub fn record(&self, name: &str, entry: LockedSkill) -> Result<(), StoreError> {
        check_name(name)?;
        entry.files.keys().try_for_each(|path| check_path(path))?;
        self.change(name, Some(entry))
    }

    /// Removes only the entry of a skill and keeps its directory.
    pub fn forget(&self, name: &str) -> Result<(), StoreError> {
        self.change(name, None)
    }

    fn change(&self, name: &str, entry: Option<LockedSkill>) -> Result<(), StoreError> {
        let (_, writer) = self.writer()?;
        writer.changes().insert(name.to_owned(), entry);
        Ok(())
    }
}

fn put(
    out: &Root,
    run: &Run,
    name: &str,
    entry: &LockedSkill,
    sync: bool,
) -> Result<CommitOutcome, StoreError> {
    let mut raced = SysError::because(Cause::Exists, "other programs change it again and again");
    for _ in 0..N_TRIES {
        let replaces = dir::kind(out, name)?.is_some();
        let line = Line::Put {
            name: Cow::Borrowed(name),
            replaces,
            entry: Cow::Borrowed(entry),
        };
        run.journal.append(&run.dir, &line, sync)?;
        match place(out, run, name, replaces) {
            Ok(()) if replaces => return Ok(CommitOutcome::Replaced),
            Ok(()) => return Ok(CommitOutcome::Added),
            Err(err) if matches!(err.cause, Cause::Exists | Cause::Missing) => raced = err,
            Err(err) => return Err(dir::failed("put in place", out, name, err)),
        }
    }
    Err(dir::failed("put in place", out, name, raced))
}

fn place(out: &Root, run: &Run, name: &str, replaces: bool) -> sys::Result<()> {
    let (staged, target) = ((&run.staging, name), (out, name));
    if !replaces {
        return dir::rename_new(staged, target);
    }
    if dir::exchange(staged, target)? {
        run.put_away_staged(name);
        return Ok(());
    }
    // Without an atomic exchange the skill is missing for a moment. If the process is killed then,
    // the next one repairs it.
    run.put_away(out, name)?;
    dir::rename_new(staged, target).inspect_err(|_| {
        let _ = dir::rename_new((&run.old, name), target);
    })
}
