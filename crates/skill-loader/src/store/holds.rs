//! Whether a skill is what somebody else would write.

use skill_model::LockedSkill;

use super::names::check_name;
use super::{Store, StoreError, state};

impl Store {
    /// Whether `name` is a directory with exactly the files of `entry`, whatever
    /// [`Store::lock`] says of it.
    pub fn holds(&self, name: &str, entry: &LockedSkill) -> Result<bool, StoreError> {
        check_name(name)?;
        match self.root() {
            Some(out) => state::matches(out, name, entry),
            None => Ok(false),
        }
    }
}
