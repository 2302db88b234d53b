//! Copies of what is about to be replaced.

use std::path::{Path, PathBuf};

use super::{Store, StoreError};

impl Store {
    /// Copies what lies at `name` into `dir`, which is created, as `name`, or `name.1`, `name.2`
    /// … when that exists. Links are copied as links. Gives the path of the copy.
    pub fn backup(&self, name: &str, dir: &Path) -> Result<PathBuf, StoreError> {
        let _ = (name, dir);
        unimplemented!("next commit")
    }
}
