//! The end of a run.

use super::{Store, StoreError};

impl Store {
    /// Ends the run: writes `skills.lock` if its bytes change, and keeps what was replaced as
    /// `previous`. A run that changed nothing changes no byte and no time. True when something
    /// changed.
    ///
    /// A store that is dropped instead is as one that was killed: the next [`Store::open`] takes
    /// what was done into `skills.lock`.
    pub fn finish(self) -> Result<bool, StoreError> {
        unimplemented!("next commit")
    }
}
