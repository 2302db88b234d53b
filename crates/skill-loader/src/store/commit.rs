//! Putting a finished skill in place, and taking one away.

use std::borrow::Cow;

use rustix::io::Errno;
use skill_model::LockedSkill;

use super::journal::Line;
use super::names::{check_name, check_path};
use super::run::Run;
use super::{Staging, Store, StoreError, dir};
use crate::fs::Root;

/// How often a skill is tried again whose place someone else takes or leaves at that moment.
const N_TRIES: usize = 8;

/// What a commit did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Committed {
    /// There was nothing of that name.
    Added,
    /// What was there lies in `previous` now.
    Replaced,
}

impl Store {
    /// Puts a staged skill in place of whatever is there, in one step. `entry.files` must list
    /// exactly the staged paths, with the digests of their bytes. `Ok` means that the skill is
    /// in place.
    pub fn commit(
        &self,
        mut staging: Staging<'_>,
        entry: LockedSkill,
    ) -> Result<Committed, StoreError> {
        let (out, writer) = self.writer()?;
        debug_assert!(std::ptr::eq(self, staging.store), "staged in another store");
        staging.check_listed(&entry)?;
        staging.sync_dirs()?;
        let print = staging.fingerprint()?;
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

    /// Takes whatever lies at `name` away, and its entry. False when there was nothing.
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

    /// Deletes what lies at `name` for good, with no way back: for things that hold nobody's work.
    pub fn discard(&self, name: &str) -> Result<(), StoreError> {
        check_name(name)?;
        let (out, writer) = self.writer()?;
        let run = writer.run(out)?;
        run.trash
            .discard(out, name)
            .map_err(|err| dir::failed("remove", out, name, err))
    }

    /// Changes only the entry of a skill: for a directory that already has the right bytes.
    pub fn record(&self, name: &str, entry: LockedSkill) -> Result<(), StoreError> {
        check_name(name)?;
        entry.files.keys().try_for_each(|path| check_path(path))?;
        self.change(name, Some(entry))
    }

    /// Drops only the entry of a skill and leaves what lies there, if anything, alone.
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
) -> Result<Committed, StoreError> {
    let mut raced = Errno::EXIST;
    for _ in 0..N_TRIES {
        let replaces = dir::kind(out, name)?.is_some();
        let line = Line::Put {
            name: Cow::Borrowed(name),
            replaces,
            entry: Cow::Borrowed(entry),
        };
        run.journal.append(&run.dir, &line, sync)?;
        match place(out, run, name, replaces) {
            Ok(()) if replaces => return Ok(Committed::Replaced),
            Ok(()) => return Ok(Committed::Added),
            Err(err @ (Errno::EXIST | Errno::NOENT)) => raced = err,
            Err(err) => return Err(dir::failed("put in place", out, name, err)),
        }
    }
    Err(dir::failed("put in place", out, name, raced))
}

fn place(out: &Root, run: &Run, name: &str, replaces: bool) -> Result<(), Errno> {
    let (staged, target) = ((&run.staging, name), (out, name));
    if !replaces {
        return dir::rename_new(staged, target);
    }
    if dir::exchange(staged, target)? {
        run.put_away_staged(name);
        return Ok(());
    }
    // This file system cannot exchange: there is a moment without the skill. A process killed
    // in it is made good by the next.
    run.put_away(out, name)?;
    dir::rename_new(staged, target).inspect_err(|_| {
        let _ = dir::rename_new((&run.old, name), target);
    })
}
