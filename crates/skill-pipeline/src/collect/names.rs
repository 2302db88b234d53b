//! Names of one file: several of them, and those that not every file system can tell apart.

use std::collections::BTreeMap;

use skill_loader::fs::{Entry, Kind};
use skill_migrator::leave_file;
use skill_model::portable_name;
use unicode_normalization::UnicodeNormalization as _;

/// Returns the number of names in the plugin of each file that has several.
pub(super) fn names_by_inode(entries: &[Entry]) -> BTreeMap<u64, u64> {
    let mut res = BTreeMap::new();
    for entry in entries {
        if let Kind::File(info) = entry.kind
            && info.n_links > 1
        {
            *res.entry(info.stamp.inode).or_default() += 1;
        }
    }
    res
}

/// Returns what file systems that ignore case and Unicode form see of a path.
pub(crate) fn folded(path: &str) -> String {
    path.nfc().flat_map(char::to_lowercase).collect()
}

/// Returns paths that differ from another one only by case or Unicode form. File systems that
/// ignore these differences can store only one of them, so the first one is copied.
pub(super) fn case_clashes(entries: &[Entry]) -> Vec<&str> {
    let mut first: BTreeMap<String, &str> = BTreeMap::new();
    let files = entries
        .iter()
        .filter(|entry| matches!(entry.kind, Kind::File(_)));
    let mut res = Vec::new();
    for entry in files {
        match first.entry(folded(&entry.path)) {
            std::collections::btree_map::Entry::Vacant(slot) => {
                slot.insert(&entry.path);
            }
            std::collections::btree_map::Entry::Occupied(_) => res.push(entry.path.as_str()),
        }
    }
    res
}

/// Returns true if the name of a file is portable but for its characters: `git:commit.md`.
pub(crate) fn has_portable_name(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    portable_name(name).is_some_and(|portable| leave_file(&portable).is_none())
}
