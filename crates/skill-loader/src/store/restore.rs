//! Restoring the skills from before the last run.
//!
//! A rollback that is killed is completed when the store is next opened. The location of each
//! skill's old version shows its progress: in `old` the rollback of the skill has not begun; in
//! `back` it is being exchanged, and its bytes show whether that happened; in neither it is
//! complete.

use skill_model::Lock;

use super::journal::{self, Intentions, Line};
use super::names::LOCK_FILE;
use super::places::Place;
use super::run::{self, OLD, PREVIOUS};
use super::state::{matches, which, which_in_place};
use super::trash::Trash;
use super::{StoreError, dir, lock_file, places, put_away};
use crate::fs::Root;

/// Marker file in `previous`: a rollback has begun.
pub(super) const MARK: &str = "rolling-back";
/// Directory in `previous`: versions that are being restored.
pub(super) const BACK: &str = "back";

/// The result of a rollback.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Rollback {
    /// Skills whose earlier version was restored, including skills that the run had removed.
    pub restored: Vec<String>,
    /// Skills that the run had added and that were removed.
    pub removed: Vec<String>,
    /// Skills that were edited since and stay as they are. Their earlier version is kept, so that
    /// the rollback can be repeated once they are moved out of the way.
    pub conflicts: Vec<String>,
}

/// Completes an interrupted rollback. Returns what it did as a whole, if there was one.
pub(super) fn resume(out: &Root, meta: &Root, sync: bool) -> Result<Option<Rollback>, StoreError> {
    let Some(previous) = dir::open(meta, PREVIOUS)? else {
        return Ok(None);
    };
    if dir::kind(&previous, MARK)?.is_none() {
        return Ok(None);
    }
    let intentions = journal::read(&previous)?.unwrap_or_default();
    let before = lock_file::read(&previous)?.1;
    let rest = RollbackDirs::open(out, meta, previous)?.go(&intentions, sync)?;
    let mut res = Rollback {
        conflicts: rest.conflicts,
        ..Rollback::default()
    };
    for name in intentions.into_keys() {
        if res.conflicts.contains(&name) {
            continue;
        }
        if before.skills.contains_key(&name) {
            res.restored.push(name);
        } else if places::holder(out, &name)?.is_none() {
            res.removed.push(name);
        }
    }
    Ok(Some(res))
}

/// Applies to `lock` the skills that an interrupted rollback has already restored.
pub(super) fn foresee(out: &Root, previous: &Root, lock: &mut Lock) -> Result<(), StoreError> {
    if dir::kind(previous, MARK)?.is_none() {
        return Ok(());
    }
    let before = lock_file::read(previous)?.1;
    for name in journal::read(previous)?.unwrap_or_default().into_keys() {
        match before.skills.get(&name) {
            Some(entry) => {
                let place = places::open(out, entry.hosted)?;
                let is_back = place.map_or(Ok(false), |place| matches(&place, &name, entry))?;
                if is_back {
                    lock.skills.insert(name, entry.clone());
                }
            }
            None if places::holder(out, &name)?.is_none() => {
                lock.skills.remove(&name);
            }
            None => {}
        }
    }
    Ok(())
}

/// The directories that a rollback moves skills between.
pub(super) struct RollbackDirs<'w> {
    out: &'w Root,
    meta: &'w Root,
    previous: Root,
    old: Root,
    back: Root,
    trash: Trash,
    locked: Lock,
    /// The lock before the run.
    before: Lock,
}

/// The result for one skill.
enum Step {
    Nothing,
    Restored,
    Removed,
    Conflict,
}

impl<'w> RollbackDirs<'w> {
    pub(super) fn open(out: &'w Root, meta: &'w Root, previous: Root) -> Result<Self, StoreError> {
        Ok(Self {
            out,
            meta,
            old: dir::make(&previous, OLD)?,
            back: dir::make(&previous, BACK)?,
            before: lock_file::read(&previous)?.1,
            previous,
            trash: Trash::open(meta)?,
            locked: lock_file::read(out)?.1,
        })
    }

    pub(super) fn go(self, intentions: &Intentions, sync: bool) -> Result<Rollback, StoreError> {
        let mut res = Rollback::default();
        for (name, lines) in intentions {
            match self.step(name, lines)? {
                Step::Nothing => {}
                Step::Restored => res.restored.push(name.clone()),
                Step::Removed => res.removed.push(name.clone()),
                Step::Conflict => res.conflicts.push(name.clone()),
            }
        }
        self.write_lock(&res.conflicts, sync)?;
        self.end(res.conflicts.is_empty())?;
        Ok(res)
    }

    fn step(&self, name: &str, lines: &[Line<'_>]) -> Result<Step, StoreError> {
        if dir::kind(&self.back, name)?.is_some() {
            put_away::show(&self.back, name);
            let origin = self.origin(name)?;
            let is_placed = dir::kind(&origin, name)?.is_some();
            if is_placed && is_as_written(&self.back, name, lines)? {
                self.discard(&self.back, name)?;
                return Ok(Step::Restored);
            }
            return self.bring_back(&origin, name, lines);
        }
        if dir::kind(&self.old, name)?.is_some() {
            rename((&self.old, name), (&self.back, name))?;
            put_away::show(&self.back, name);
            return self.bring_back(&self.origin(name)?, name, lines);
        }
        let Some(place) = places::holder(self.out, name)? else {
            return Ok(Step::Nothing);
        };
        if journal::was_there(lines) {
            return Ok(Step::Nothing);
        }
        if which_in_place(self.out, name, journal::entries(lines))?.is_some() {
            self.discard(&place, name)?;
            return Ok(Step::Removed);
        }
        // The entry is unknown to the store, so the run did not make it; it stays without a report.
        let is_known = self.locked.skills.contains_key(name);
        Ok(if is_known {
            Step::Conflict
        } else {
            Step::Nothing
        })
    }

    /// Returns the place of a skill before the run.
    fn origin(&self, name: &str) -> Result<Place<'w>, StoreError> {
        let entry = self.before.skills.get(name);
        places::make(self.out, entry.is_some_and(|entry| entry.hosted))
    }

    /// Puts the version in `back` in place of the one that the run wrote, which may be in the other
    /// place.
    fn bring_back(
        &self,
        origin: &Place<'_>,
        name: &str,
        lines: &[Line<'_>],
    ) -> Result<Step, StoreError> {
        let (back, target): ((&Root, &str), (&Root, &str)) = ((&self.back, name), (origin, name));
        let is_here = dir::kind(origin, name)?.is_some();
        let Some(written) = places::holder(self.out, name)? else {
            rename(back, target)?;
            return Ok(Step::Restored);
        };
        if which_in_place(self.out, name, journal::entries(lines))?.is_none() {
            rename(back, (&self.old, name))?;
            put_away::hide(&self.old, name);
            return Ok(Step::Conflict);
        }
        let fail = |err| dir::failed("bring back", origin, name, err);
        if is_here && dir::exchange(back, target).map_err(fail)? {
            self.discard(&self.back, name)?;
        } else {
            self.discard(&written, name)?;
            rename(back, target)?;
        }
        Ok(Step::Restored)
    }

    fn discard(&self, from: &Root, name: &str) -> Result<(), StoreError> {
        let res = self.trash.discard(from, name);
        res.map_err(|err| dir::failed("remove", from, name, err))
    }

    /// Restores the earlier lock byte for byte, unless some skills stay as they are.
    fn write_lock(&self, conflicts: &[String], sync: bool) -> Result<(), StoreError> {
        let (mut bytes, mut before) = lock_file::read(&self.previous)?;
        for name in conflicts {
            match self.locked.skills.get(name) {
                Some(entry) => before.skills.insert(name.clone(), entry.clone()),
                None => before.skills.remove(name),
            };
        }
        if !conflicts.is_empty() {
            bytes = Some(lock_file::emit(&before));
        }
        if dir::read(self.out, LOCK_FILE)? == bytes {
            return Ok(());
        }
        lock_file::replace(self.out, self.meta, bytes.as_deref(), sync)
    }

    fn end(self, is_complete: bool) -> Result<(), StoreError> {
        if is_complete {
            // Windows does not rename a directory that is open.
            drop((self.old, self.back, self.previous));
            places::tidy(self.out);
            run::take(&self.trash, self.meta, PREVIOUS)?;
        } else {
            run::take(&self.trash, &self.previous, MARK)?;
        }
        self.trash.close(self.meta);
        Ok(())
    }
}

/// Returns whether `name` still has the content that the run wrote.
fn is_as_written(dir: &Root, name: &str, lines: &[Line<'_>]) -> Result<bool, StoreError> {
    Ok(which(dir, name, journal::entries(lines))?.is_some())
}

fn rename(from: (&Root, &str), to: (&Root, &str)) -> Result<(), StoreError> {
    dir::rename_new(from, to).map_err(|err| dir::failed("bring back", from.0, from.1, err))
}
