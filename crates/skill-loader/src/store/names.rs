//! Which names a skill, and which paths a file of it, may have in a store.
//!
//! The grammar of skill names is the caller's; here it only matters that a name is one entry of
//! the output directory and none of the store's own.

use super::StoreError;
use crate::fs::check_relative;

/// The store's own directory.
pub(super) const META: &str = ".skills-migrate";
/// What was written from what.
pub(super) const LOCK_FILE: &str = "skills.lock";

/// Names that begin with a dot are the store's, version control's and the file system's.
pub(super) fn check_name(name: &str) -> Result<(), StoreError> {
    let is_one_entry = check_relative(name).is_ok() && !name.contains('/');
    if is_one_entry && !name.starts_with('.') && name != LOCK_FILE {
        return Ok(());
    }
    Err(StoreError::BadName {
        name: name.to_owned(),
    })
}

/// Paths of files inside a skill.
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
