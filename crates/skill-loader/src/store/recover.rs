//! Recovery of an interrupted run from its journal and the bytes of the skills.
//!
//! Examining changes nothing, so a store that is open for reading sees the same state as one that
//! repairs. A repair may itself be killed and repeated: moves come first, then `skills.lock`, and
//! only then does the run become `previous`.

use skill_model::{Lock, LockedSkill};

use super::handle::Recovery;
use super::journal::{self, Line};
use super::names::LOCK_FILE;
use super::run::{self, OLD, PREVIOUS, RUN, STAGING};
use super::state::{matches, which, which_in_place};
use super::trash::Trash;
use super::{StoreError, base, dir, lock_file, places, put_away, restore};
use crate::fs::sys::{self, Cause};
use crate::fs::{PathError, Root};

/// The directories that recovery examines.
struct RecoveryDirs<'s> {
    out: &'s Root,
    staging: Option<Root>,
    old: Option<Root>,
}

/// The state of one skill after the interruption.
enum Outcome {
    /// Unchanged.
    Untouched,
    /// It is in place, or was before somebody edited it.
    Written(LockedSkill),
    /// It is complete in `staging`, the old version was already put away, and the name is free.
    Halfway(LockedSkill),
    /// It is removed.
    Removed,
}

/// The repair of one skill.
struct Finding {
    name: String,
    outcome: Outcome,
    /// True if `staging` contains the old version.
    is_old_staged: bool,
}

/// Repairs the store and reads the lock.
pub(super) fn recover(
    out: &Root,
    meta: &Root,
    sync: bool,
) -> Result<(Lock, Option<Recovery>), StoreError> {
    let rolled_back = restore::resume(out, meta, sync)?;
    let mut recovery = rolled_back.map(|done| Recovery {
        written: done.restored,
        removed: done.removed,
        rolled_back: true,
    });
    let (bytes, mut lock) = lock_file::read(out)?;
    if let Some(run) = dir::open(meta, RUN)? {
        let findings = examine(out, meta, &run)?;
        repair((out, &lock), meta, &run, &findings)?;
        recovery = Some(adopt(&mut lock, findings));
        let keep = write_lock(out, meta, &run, bytes.as_deref(), &lock, sync)?
            || recovery.as_ref().is_some_and(has_effect);
        // Windows does not rename a directory that is open.
        drop(run);
        run::end(meta, Trash::open(meta)?, keep)?;
        // A failed sweep is repeated by a later run.
        let _ = base::sweep(meta, &lock);
    }
    run::sweep_left_overs(meta)?;
    Ok((lock, recovery))
}

/// Reads the lock as [`recover`] would leave it.
pub(super) fn look(out: &Root, meta: &Root) -> Result<(Lock, Option<Recovery>), StoreError> {
    let mut lock = lock_file::read(out)?.1;
    if let Some(previous) = dir::open(meta, PREVIOUS)? {
        restore::foresee(out, &previous, &mut lock)?;
    }
    let Some(run) = dir::open(meta, RUN)? else {
        return Ok((lock, None));
    };
    let findings = examine(out, meta, &run)?;
    let recovery = adopt(&mut lock, findings);
    Ok((lock, Some(recovery)))
}

fn has_effect(recovery: &Recovery) -> bool {
    !recovery.written.is_empty() || !recovery.removed.is_empty()
}

/// Writes the lock if it changed. Returns true if it differs from the lock before the run.
fn write_lock(
    out: &Root,
    meta: &Root,
    run: &Root,
    bytes: Option<&[u8]>,
    lock: &Lock,
    sync: bool,
) -> Result<bool, StoreError> {
    let before = dir::read(run, LOCK_FILE)?;
    let is_same = match bytes {
        Some(bytes) => lock_file::parse(bytes).as_ref() == Ok(lock),
        None => lock.skills.is_empty(),
    };
    if is_same {
        return Ok(bytes != before.as_deref());
    }
    lock_file::replace(out, meta, Some(&lock_file::emit(lock)), sync)?;
    Ok(true)
}

fn examine(out: &Root, meta: &Root, run: &Root) -> Result<Vec<Finding>, StoreError> {
    let scene = RecoveryDirs {
        out,
        staging: dir::open(meta, STAGING)?,
        old: dir::open(run, OLD)?,
    };
    let intentions = journal::read(run)?.unwrap_or_default();
    intentions
        .into_iter()
        .map(|(name, lines)| scene.judge(name, &lines))
        .collect()
}

impl RecoveryDirs<'_> {
    fn judge(&self, name: String, lines: &[Line<'_>]) -> Result<Finding, StoreError> {
        let is_here = places::holder(self.out, &name)?.is_some();
        let outcome = match lines.last() {
            Some(Line::Remove { .. }) if !is_here => Outcome::Removed,
            Some(Line::Remove { .. }) if lines.len() == 1 => {
                if is_in(self.old.as_ref(), &name)? {
                    Outcome::Removed
                } else {
                    Outcome::Untouched
                }
            }
            _ => self.judge_put(&name, lines)?,
        };
        let is_old_staged =
            matches!(outcome, Outcome::Written(_)) && self.is_old_staged(&name, lines)?;
        Ok(Finding {
            name,
            outcome,
            is_old_staged,
        })
    }

    fn judge_put(&self, name: &str, lines: &[Line<'_>]) -> Result<Outcome, StoreError> {
        if let Some(entry) = which_in_place(self.out, name, journal::entries(lines))? {
            return Ok(Outcome::Written(entry.clone()));
        }
        let Some(Line::Put {
            replaces, entry, ..
        }) = lines.last()
        else {
            return Ok(Outcome::Untouched);
        };
        let is_here = places::holder(self.out, name)?.is_some();
        let entry = entry.as_ref();
        let Some(staging) = &self.staging else {
            return self.judge_without_staging(name, *replaces && is_here, entry);
        };
        if !is_in(Some(staging), name)? {
            return self.judge_without_staging(name, *replaces && is_here, entry);
        }
        Ok(match (matches(staging, name, entry)?, is_here) {
            // The staged tree is not the new version, so the exchange happened.
            (false, true) => Outcome::Written(entry.clone()),
            (true, false) if *replaces => Outcome::Halfway(entry.clone()),
            _ => Outcome::Untouched,
        })
    }

    /// Decides for a skill that is not staged: it was exchanged if the old version was put away,
    /// and edited afterwards.
    fn judge_without_staging(
        &self,
        name: &str,
        replaces: bool,
        entry: &LockedSkill,
    ) -> Result<Outcome, StoreError> {
        if replaces && is_in(self.old.as_ref(), name)? {
            return Ok(Outcome::Written(entry.clone()));
        }
        Ok(Outcome::Untouched)
    }

    /// Returns whether `staging` contains a tree that this run did not build.
    fn is_old_staged(&self, name: &str, lines: &[Line<'_>]) -> Result<bool, StoreError> {
        let Some(staging) = &self.staging else {
            return Ok(false);
        };
        Ok(is_in(Some(staging), name)? && which(staging, name, journal::entries(lines))?.is_none())
    }
}

fn is_in(dir: Option<&Root>, name: &str) -> Result<bool, PathError> {
    dir.map_or(Ok(false), |dir| Ok(dir::kind(dir, name)?.is_some()))
}

/// Moves every directory to where the run would have moved it. `lock` is that of before the run.
fn repair(
    (out, lock): (&Root, &Lock),
    meta: &Root,
    run: &Root,
    findings: &[Finding],
) -> Result<(), StoreError> {
    if findings.is_empty() {
        return Ok(());
    }
    let old = dir::make(run, OLD)?;
    let staging = dir::make(meta, STAGING)?;
    for Finding {
        name,
        outcome,
        is_old_staged,
    } in findings
    {
        let res = match outcome {
            Outcome::Halfway(entry) => {
                let place = places::make(out, entry.hosted)?;
                dir::rename_new((&staging, name), (&place, name))
            }
            // The old version was put away, and the new one never arrived.
            Outcome::Untouched if places::holder(out, name)?.is_none() => {
                let before = lock.skills.get(name);
                let place = places::make(out, before.is_some_and(|entry| entry.hosted))?;
                put_away::show(&old, name);
                unless(
                    Cause::Missing,
                    dir::rename_new((&old, name), (&place, name)),
                )
            }
            // If the run had changed this skill before, the staged tree is its own.
            _ if *is_old_staged => unless(
                Cause::Exists,
                dir::rename_new((&staging, name), (&old, name))
                    .inspect(|()| put_away::hide(&old, name)),
            ),
            _ => Ok(()),
        };
        res.map_err(|err| dir::failed("put in place", &staging, name, err))?;
    }
    Ok(())
}

/// Returns the result of a rename; a failure for `cause` counts as done.
fn unless(cause: Cause, res: sys::Result<()>) -> sys::Result<()> {
    match res {
        Err(err) if err.cause == cause => Ok(()),
        res => res,
    }
}

/// Adds the finished changes to the lock.
fn adopt(lock: &mut Lock, findings: Vec<Finding>) -> Recovery {
    let mut res = Recovery::default();
    for Finding { name, outcome, .. } in findings {
        match outcome {
            Outcome::Untouched => {}
            Outcome::Written(entry) | Outcome::Halfway(entry) => {
                lock.skills.insert(name.clone(), entry);
                res.written.push(name);
            }
            Outcome::Removed => {
                lock.skills.remove(&name);
                res.removed.push(name);
            }
        }
    }
    res
}
