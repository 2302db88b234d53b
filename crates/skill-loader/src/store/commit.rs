//! Putting a finished skill in place, and taking one away.

use skill_model::LockedSkill;

use super::{Staging, Store, StoreError};

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
    /// exactly the staged paths. `Ok` means that the skill is in place.
    pub fn commit(
        &self,
        staging: Staging<'_>,
        entry: LockedSkill,
    ) -> Result<Committed, StoreError> {
        let _ = (staging, entry);
        unimplemented!("next commit")
    }

    /// Takes whatever lies at `name` away, and its entry. False when there was nothing.
    pub fn remove(&self, name: &str) -> Result<bool, StoreError> {
        let _ = name;
        unimplemented!("next commit")
    }

    /// Changes only the entry of a skill: for a directory that already has the right bytes.
    pub fn record(&self, name: &str, entry: LockedSkill) {
        let _ = (name, entry);
        unimplemented!("next commit")
    }

    /// Drops only the entry of a skill and leaves what lies there, if anything, alone.
    pub fn forget(&self, name: &str) {
        let _ = name;
        unimplemented!("next commit")
    }
}
