//! Allowed names of skills and of their files in a store.
//!
//! The caller defines the grammar of skill names. Here a name only has to be a single entry of the
//! output directory that the store does not use itself.

use super::StoreError;
use crate::fs::check_relative;

/// The store's own directory.
pub(super) const META: &str = ".skills-migrate";
/// The file that records the source and the files of every skill.
pub(super) const LOCK_FILE: &str = "skills.lock";

/// Checks the name of a skill. Names that begin with a dot are reserved for the store, version
/// control and the file system.
pub(super) fn check_name(name: &str) -> Result<(), StoreError> {
    let is_one_entry = check_relative(name).is_ok() && !name.contains('/');
    if is_one_entry && !name.starts_with('.') && name != LOCK_FILE {
        return Ok(());
    }
    Err(StoreError::BadName {
        name: name.to_owned(),
    })
}

/// Checks the path of a file inside a skill.
pub(super) fn check_path(path: &str) -> Result<(), StoreError> {
    check_relative(path).map_err(|why| StoreError::BadPath {
        path: path.to_owned(),
        why,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_entry_of_the_output() {
        for good in ["a", "pdf-tools", "中文", "a b"] {
            assert!(check_name(good).is_ok(), "{good}");
        }
        for bad in [
            "",
            ".",
            "..",
            "a/b",
            "/a",
            "a\0",
            ".skills-migrate",
            ".git",
            "skills.lock",
            "../x",
        ] {
            assert!(check_name(bad).is_err(), "{bad:?}");
        }
    }
}
