//! The store as its users see it: scripts of steps and the expected tree.

#![expect(
    clippy::disallowed_methods,
    reason = "what the store meets must be made by other means"
)]

mod base;
mod hosted;
mod hostile;
mod interrupted;
mod rollback;
mod runs;
mod stamps;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use skill_model::{LockedSkill, LockedSource};

use super::*;
use skill_model::Digest;

/// Skills and their files, as a run writes them.
type SkillTexts<'w> = &'w [(&'w str, &'w [(&'w str, &'w str)])];

pub(super) fn entry(files: &[(&str, &str)]) -> LockedSkill {
    LockedSkill {
        source: LockedSource {
            directory: "plugin".to_owned(),
            manifest: "plugin-manifest.json".to_owned(),
            digest: Digest::from_content(b"source").to_string(),
        },
        recipe: Digest::from_content(b"recipe").to_string(),
        files: files
            .iter()
            .map(|(path, text)| {
                (
                    (*path).to_owned(),
                    Digest::from_content(text.as_bytes()).to_string(),
                )
            })
            .collect(),
        base: None,
        conflicts: Vec::new(),
        hosted: false,
    }
}

fn put(store: &Store, name: &str, files: &[(&str, &str)]) -> CommitOutcome {
    let mut staging = store.stage(name).unwrap();
    for (path, text) in files {
        let is_script = path.starts_with("scripts/");
        staging.write(path, text.as_bytes(), is_script).unwrap();
    }
    store.commit(staging, entry(files)).unwrap()
}

/// Opens the store, runs the steps and drops it without finishing, like a killed process.
fn interrupted(out: &Path, steps: impl FnOnce(&Store)) {
    let store = Store::open(out).unwrap();
    steps(&store);
}

fn rollback_of(out: &Path) -> Option<Rollback> {
    Store::rollback(out, &mut || ()).unwrap()
}

fn state(out: &Path, name: &str) -> State {
    Store::open_read_only(out).unwrap().state(name).unwrap()
}

fn meta(out: &Path, path: &str) -> PathBuf {
    out.join(".skills-migrate").join(path)
}

/// One complete run: writes every wanted skill that is not clean, and removes the others.
fn run(out: &Path, wanted: SkillTexts<'_>) -> bool {
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

/// Returns every file of a tree with its text, without the store's own directory.
fn tree(out: &Path) -> BTreeMap<String, String> {
    all(out)
        .into_iter()
        .filter(|(path, _)| !path.starts_with(".skills-migrate/"))
        .collect()
}

/// Returns every file of a tree with its text.
fn all(out: &Path) -> BTreeMap<String, String> {
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

/// Returns every entry of a tree with its kind and time.
fn stamps(out: &Path) -> Vec<String> {
    let root = crate::fs::Root::open(out).unwrap();
    let limits = crate::fs::WalkLimits::default();
    let listing = root.walk("", &limits, &|_| false).unwrap();
    let entries = listing.entries.into_iter();
    entries
        .map(|entry| {
            let stat = fs::symlink_metadata(out.join(&entry.path)).unwrap();
            let modified = stat.modified().unwrap();
            format!("{} {:?} {modified:?}", entry.path, entry.kind)
        })
        .collect()
}

/// Returns the content of the store's own directory between runs.
fn kept(out: &Path) -> Vec<String> {
    let names = fs::read_dir(meta(out, "")).unwrap();
    let mut res: Vec<String> = names
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    res.sort();
    res
}

fn fresh() -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("skills");
    (dir, out)
}

/// Gives the instructions of a skill their name again: they have the other one only where it is put away.
fn shown(skill: &Path) {
    let hidden = skill.join(PUT_AWAY);
    if hidden.exists() {
        fs::rename(hidden, skill.join("SKILL.md")).unwrap();
    }
}

/// The name of the instructions of a skill that was put away.
const PUT_AWAY: &str = "SKILL.md.put-away";
const KEPT: [&str; 4] = [".gitignore", "lock", "previous", "stamps"];
const KEPT_WITHOUT_PREVIOUS: [&str; 3] = [".gitignore", "lock", "stamps"];

const V1: SkillTexts<'static> = &[
    ("a", &[("SKILL.md", "a1"), ("scripts/x.js", "x1")]),
    ("b", &[("SKILL.md", "b1")]),
];
const V2: SkillTexts<'static> = &[
    ("a", &[("SKILL.md", "a2"), ("scripts/y.js", "y2")]),
    ("c", &[("SKILL.md", "c2")]),
];
