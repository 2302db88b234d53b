//! Back to the state before the last run that changed something.

use std::path::Path;

use super::{Store, StoreError};

/// What a rollback did.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Rollback {
    /// Skills whose earlier version is back, and skills that the run had removed.
    pub restored: Vec<String>,
    /// Skills that the run had added and that are gone.
    pub removed: Vec<String>,
    /// Skills that were edited since and stay as they are. Their earlier version is kept, so
    /// that the rollback can be repeated once they are out of the way.
    pub conflicts: Vec<String>,
}

impl Store {
    /// Brings back the skills and the `skills.lock` that the last run which changed something
    /// had found. `None` when there is nothing to roll back.
    pub fn rollback(out: &Path, on_wait: &mut dyn FnMut()) -> Result<Option<Rollback>, StoreError> {
        let _ = (out, on_wait);
        unimplemented!("next commit")
    }
}
