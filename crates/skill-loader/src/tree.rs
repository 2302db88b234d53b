//! A directory of skills with its parts of a host.

use std::path::{Path, PathBuf};

use skill_model::{HOST_DIRECTORY, skill_file, skill_path};

use crate::fs::Root;

/// Returns the directory of the skill `name` in a directory of skills: among the parts of a host if it
/// is only there.
pub fn dir_in(tree: &Path, name: &str) -> PathBuf {
    let root = Root::open_following(tree);
    let has = |hosted| {
        let kind = root
            .as_ref()
            .map(|root| root.kind(&skill_path(name, hosted)));
        matches!(kind, Ok(Ok(Some(_))))
    };
    let is_hosted = !has(false) && has(true);
    tree.join(skill_path(name, is_hosted))
}

/// Returns the directory of skills that has this one, also if it is a part of a host.
pub fn tree_of(skill: &Path) -> Option<&Path> {
    let parent = skill.parent()?;
    let is_host = parent
        .file_name()
        .is_some_and(|name| name == HOST_DIRECTORY);
    if is_host {
        parent.parent()
    } else {
        Some(parent)
    }
}

/// Returns the name of the file with the instructions in the directory of a skill, also if it is a part
/// of a host; `None` if neither file exists.
pub fn instructions_in(skill: &Root) -> Option<&'static str> {
    let mut known = [false, true].map(skill_file).into_iter();
    known.find(|file| matches!(skill.kind(file), Ok(Some(_))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "the test lays out directories")]
    fn parts_of_a_host_are_found() {
        let dir = tempfile::tempdir().unwrap();
        for path in ["a", ".host/b", ".host/a"] {
            std::fs::create_dir_all(dir.path().join(path)).unwrap();
        }
        for (name, expected) in [("a", "a"), ("b", ".host/b"), ("c", "c")] {
            let found = dir_in(dir.path(), name);
            assert_eq!(found, dir.path().join(expected));
            assert_eq!(tree_of(&found), Some(dir.path()));
        }
    }
}
