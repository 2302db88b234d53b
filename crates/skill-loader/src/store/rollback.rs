//! Rollback of the last run that changed something.

use std::path::Path;

use super::handle::{Store, StoreOptions};
use super::restore::{BACK, MARK, Rollback, RollbackDirs};
use super::run::PREVIOUS;
use super::{StoreError, dir, journal, output};
use crate::fs::sys::{self, Cause};

impl Store {
    /// Restores the skills and the `skills.lock` from before the last run that changed something.
    /// Returns `None` if there is nothing to roll back.
    pub fn rollback(out: &Path, on_wait: &mut dyn FnMut()) -> Result<Option<Rollback>, StoreError> {
        let options = StoreOptions::default();
        if output::open_existing(out)?.is_none() {
            return Ok(None);
        }
        let store = Self::open_with(out, options, on_wait)?;
        let (out, writer) = store.writer()?;
        // An interrupted rollback was completed when the store was opened.
        let resumed = store.recovery().filter(|it| it.rolled_back);
        let resumed = resumed.map(|it| Rollback {
            restored: it.written.clone(),
            removed: it.removed.clone(),
            conflicts: Vec::new(),
        });
        let Some(previous) = dir::open(&writer.meta, PREVIOUS)? else {
            return Ok(resumed);
        };
        let Some(intentions) = journal::read(&previous)? else {
            return Ok(None);
        };
        let had_conflicts = dir::kind(&previous, BACK)?.is_some();
        match sys::make_dir(previous.dir(), MARK, dir::MODE_EXECUTABLE) {
            Err(err) if err.cause != Cause::Exists => {
                return Err(dir::failed("create", &previous, MARK, err));
            }
            _ => {}
        }
        let res = RollbackDirs::open(out, &writer.meta, previous)?.go(&intentions, options.sync)?;
        let is_idle = had_conflicts && res == Rollback::default();
        Ok((!is_idle).then_some(res))
    }
}
