//! The end of a run.

use std::sync::{Arc, PoisonError};

use super::handle::{Changes, Writer, read_only};
use super::names::LOCK_FILE;
use super::run::Run;
use super::{Store, StoreError, base, dir, lock_file, places, stamps};
use crate::fs::Root;

impl Store {
    /// Ends the run: writes `skills.lock` if its bytes change, and keeps the replaced skills as
    /// `previous`. A run that changed nothing leaves every byte and time as it was. Returns true if
    /// something changed.
    ///
    /// Dropping the store instead has the same effect as killing the process: the next
    /// [`Store::open`] adds the finished changes to `skills.lock`.
    pub fn finish(mut self) -> Result<bool, StoreError> {
        let (Some(out), Some(writer)) = (&self.out, &self.writer) else {
            return Err(read_only(self.out.as_ref()));
        };
        let changes = std::mem::take(&mut *writer.changes());
        let had_skills = !self.lock.skills.is_empty();
        let new = apply(&mut self.lock, changes).then(|| lock_file::emit(&self.lock));
        let new = match new {
            Some(bytes) if dir::read(out, LOCK_FILE)?.as_deref() != Some(&bytes[..]) => Some(bytes),
            _ => None,
        };
        let Some(run) = under_way(out, writer, new.is_some())? else {
            return Ok(false);
        };
        if let Some(bytes) = &new {
            lock_file::replace(out, &writer.meta, Some(bytes), writer.options.sync)?;
        }
        let stamps = std::mem::take(&mut *writer.stamps());
        if stamps.write(&writer.meta, &self.lock).is_err() {
            // Only a cache: without it the next run reads more than necessary.
            let _ = stamps::sweep(&writer.meta);
        }
        let has_changed = new.is_some() || !run.touched().is_empty();
        run.end(&writer.meta, has_changed)?;
        places::tidy(out);
        if has_changed && had_skills {
            // The run is complete; remaining leftovers are removed the next time.
            let _ = base::sweep(&writer.meta, &self.lock);
        }
        Ok(has_changed)
    }
}

/// Takes the current run out of the writer, if there is one; begins it if `needed`.
fn under_way(out: &Root, writer: &Writer, needed: bool) -> Result<Option<Run>, StoreError> {
    if needed {
        writer.run(out)?;
    }
    let mut run = writer.run.lock().unwrap_or_else(PoisonError::into_inner);
    let own =
        |run| Arc::into_inner(run).expect("a staged skill borrows the store, which ends here");
    Ok(run.take().map(own))
}

/// Applies the changes to the lock. Returns false if they have no effect.
fn apply(lock: &mut skill_model::Lock, changes: Changes) -> bool {
    let mut has_changed = false;
    for (name, change) in changes {
        match change {
            Some(entry) if lock.skills.get(&name) == Some(&entry) => {}
            Some(entry) => {
                lock.skills.insert(name, entry);
                has_changed = true;
            }
            None => has_changed |= lock.skills.remove(&name).is_some(),
        }
    }
    has_changed
}
