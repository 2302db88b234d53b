//! Committing and removing skills.

use std::borrow::Cow;
use std::sync::atomic::Ordering;

use skill_model::LockedSkill;

use super::journal::Line;
use super::names::{check_name, check_path};
use super::run::Run;
use super::{Staging, Store, StoreError, dir, places, put_away};
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
        let print = staging.fingerprint();
        staging.close();
        let sync = writer.options.sync;
        let moves = self.is_hosted(&staging.name) != entry.hosted;
        let (run, name) = (&staging.run, &staging.name);
        if entry.hosted {
            writer.has_hosted.store(true, Ordering::Relaxed);
        }
        let res = put(out, run, (name, moves), &entry, sync)?;
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
        let place = places::open(out, self.is_hosted(name))?;
        let is_there = places::has(place.as_ref(), name)?;
        if let Some(place) = place.filter(|_| is_there) {
            let run = writer.run(out)?;
            let line = Line::Remove {
                name: Cow::Borrowed(name),
            };
            run.journal.append(&run.dir, &line, writer.options.sync)?;
            run.put_away(&place, name)
                .map_err(|err| dir::failed("remove", &place, name, err))?;
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
        let place = places::make(out, self.is_hosted(name))?;
        run.trash
            .discard(&place, name)
            .map_err(|err| dir::failed("remove", &place, name, err))
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

/// Puts a staged skill in place. `moves` is true if its earlier version is in the other place.
fn put(
    out: &Root,
    run: &Run,
    (name, moves): (&str, bool),
    entry: &LockedSkill,
    sync: bool,
) -> Result<CommitOutcome, StoreError> {
    let target = places::make(out, entry.hosted)?;
    let other = if moves {
        places::open(out, !entry.hosted)?
    } else {
        None
    };
    let mut raced = SysError::because(Cause::Exists, "other programs change it again and again");
    for _ in 0..N_TRIES {
        let is_here = dir::kind(&target, name)?.is_some();
        if moves && is_here {
            let why = "something else is there, and nothing is overwritten; move it away";
            let taken = SysError::because(Cause::Exists, why);
            return Err(dir::failed("put in place", &target, name, taken));
        }
        let has_earlier = places::has(other.as_ref(), name)?;
        let replaces = is_here || has_earlier;
        let line = Line::Put {
            name: Cow::Borrowed(name),
            replaces,
            entry: Cow::Borrowed(entry),
        };
        run.journal.append(&run.dir, &line, sync)?;
        let placed = match &other {
            Some(other) if has_earlier => relocate(other, &target, run, name),
            _ => place(&target, run, name, is_here),
        };
        match placed {
            Ok(()) if replaces => return Ok(CommitOutcome::Replaced),
            Ok(()) => return Ok(CommitOutcome::Added),
            Err(err) if matches!(err.cause, Cause::Exists | Cause::Missing) => raced = err,
            Err(err) => return Err(dir::failed("put in place", &target, name, err)),
        }
    }
    Err(dir::failed("put in place", &target, name, raced))
}

fn place(target: &Root, run: &Run, name: &str, replaces: bool) -> sys::Result<()> {
    let (staged, target_name) = ((&run.staging, name), (target, name));
    if !replaces {
        return dir::rename_new(staged, target_name);
    }
    if dir::exchange(staged, target_name)? {
        run.put_away_staged(name);
        return Ok(());
    }
    // Without an atomic exchange the skill is missing for a moment. If the process is killed then,
    // the next one repairs it.
    relocate(target, target, run, name)
}

/// Puts the earlier version in `from` away, and the staged one into `to`.
fn relocate(from: &Root, to: &Root, run: &Run, name: &str) -> sys::Result<()> {
    run.put_away(from, name)?;
    dir::rename_new((&run.staging, name), (to, name)).inspect_err(|_| {
        put_away::show(&run.old, name);
        let _ = dir::rename_new((&run.old, name), (from, name));
    })
}
