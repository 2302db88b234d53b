//! A skill being built.

use super::{Store, StoreError};
use crate::digest::Digest;
use crate::fs::Root;

/// A skill being built, out of sight. Dropped without [`Store::commit`], it is deleted.
#[derive(Debug)]
pub struct Staging<'s> {
    store: &'s Store,
    name: String,
}

impl Store {
    /// Begins to build a skill.
    pub fn stage(&self, name: &str) -> Result<Staging<'_>, StoreError> {
        Ok(Staging {
            store: self,
            name: name.to_owned(),
        })
    }
}

impl Staging<'_> {
    /// The name of the skill.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Writes one file, with the directories above it. Its mode is 0644, or 0755 if it is
    /// executable, whatever the umask. Each path can be written once.
    pub fn write(&mut self, path: &str, bytes: &[u8], executable: bool) -> Result<(), StoreError> {
        let _ = (self.store, path, bytes, executable);
        unimplemented!("next commit")
    }

    /// Copies one file without holding it in memory, and gives its digest. With `expected`, a
    /// file that has other bytes than that is an error.
    pub fn copy_from(
        &mut self,
        from: &Root,
        source: &str,
        path: &str,
        executable: bool,
        expected: Option<Digest>,
    ) -> Result<Digest, StoreError> {
        let _ = (from, source, path, executable, expected);
        unimplemented!("next commit")
    }
}
