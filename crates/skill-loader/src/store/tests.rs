//! The store as its users see it: scripts of steps and the tree that must come of them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use skill_model::{LockedSkill, LockedSource};

use super::*;
use crate::digest::Digest;

/// Skills and their files, as a run wants them.
type Wanted<'w> = &'w [(&'w str, &'w [(&'w str, &'w str)])];

pub(super) fn entry(files: &[(&str, &str)]) -> LockedSkill {
    LockedSkill {
        source: LockedSource {
            directory: "plugin".to_owned(),
            manifest: "plugin-manifest.json".to_owned(),
            digest: Digest::of(b"source").to_string(),
        },
        recipe: Digest::of(b"recipe").to_string(),
        files: files
            .iter()
            .map(|(path, text)| ((*path).to_owned(), Digest::of(text.as_bytes()).to_string()))
            .collect(),
    }
}

pub(super) fn put(store: &Store, name: &str, files: &[(&str, &str)]) -> Committed {
    let mut staging = store.stage(name).unwrap();
    for (path, text) in files {
        let is_script = path.starts_with("scripts/");
        staging.write(path, text.as_bytes(), is_script).unwrap();
    }
    store.commit(staging, entry(files)).unwrap()
}

/// One whole run: every skill that is wanted and not clean is put, the others are removed.
pub(super) fn run(out: &Path, wanted: Wanted<'_>) -> bool {
    let store = Store::open(out).unwrap();
    for (name, files) in wanted {
        let is_same = store.locked(name) == Some(&entry(files));
        if !is_same || store.state(name).unwrap() != State::Clean {
            put(&store, name, files);
        }
    }
    let gone: Vec<String> = store.lock().skills.keys().cloned().collect();
    for name in gone {
        if !wanted.iter().any(|(wanted, _)| *wanted == name) {
            store.remove(&name).unwrap();
        }
    }
    store.finish().unwrap()
}

/// Every file of a tree with its text, without the store's own directory.
pub(super) fn tree(out: &Path) -> BTreeMap<String, String> {
    all(out)
        .into_iter()
        .filter(|(path, _)| !path.starts_with(".skills-migrate/"))
        .collect()
}

/// Every file of a tree with its text.
pub(super) fn all(out: &Path) -> BTreeMap<String, String> {
    let root = crate::fs::Root::open(out).unwrap();
    let listing = root
        .walk("", &crate::fs::WalkLimits::default(), &|_| false)
        .unwrap();
    let files = listing.entries.into_iter();
    files
        .filter(|entry| matches!(entry.kind, crate::fs::Kind::File(_)))
        .map(|entry| {
            let bytes = root.read(&entry.path, u64::MAX).unwrap();
            (entry.path, String::from_utf8_lossy(&bytes).into_owned())
        })
        .collect()
}

pub(super) fn fresh() -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("skills");
    (dir, out)
}

const V1: Wanted<'static> = &[
    ("a", &[("SKILL.md", "a1"), ("scripts/x.js", "x1")]),
    ("b", &[("SKILL.md", "b1")]),
];
const V2: Wanted<'static> = &[
    ("a", &[("SKILL.md", "a2"), ("scripts/y.js", "y2")]),
    ("c", &[("SKILL.md", "c2")]),
];

#[test]
fn a_run_gives_what_was_wanted_and_rollback_what_was_before() {
    let (_dir, out) = fresh();
    assert!(run(&out, V1));
    let first = tree(&out);
    assert_eq!(first["a/SKILL.md"], "a1");
    assert!(run(&out, V2));
    let second = tree(&out);
    assert_eq!(second["c/SKILL.md"], "c2");
    assert!(!second.contains_key("b/SKILL.md"));

    let res = Store::rollback(&out, &mut || ()).unwrap().unwrap();
    assert_eq!(res.restored, ["a", "b"]);
    assert_eq!(res.removed, ["c"]);
    assert_eq!(tree(&out), first);
    assert_eq!(Store::rollback(&out, &mut || ()).unwrap(), None);
}
