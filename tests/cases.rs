//! Which directories are cases.

use std::fs;
use std::path::{Path, PathBuf};

/// A directory of the repository's `fixtures/`.
pub(crate) fn fixtures(area: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../fixtures")
        .join(area)
}

/// Every directory under `area` that holds a manifest of any suffix, by its path, sorted.
pub(crate) fn all(area: &str) -> Vec<String> {
    let root = fixtures(area);
    let mut acc = Vec::new();
    collect(&root, "", &mut acc);
    acc.sort();
    assert!(!acc.is_empty(), "{} holds no case", root.display());
    acc
}

fn collect(directory: &Path, relative: &str, acc: &mut Vec<String>) {
    for entry in fs::read_dir(directory).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        if entry.file_type().unwrap().is_dir() {
            let inner = if relative.is_empty() {
                name
            } else {
                format!("{relative}/{name}")
            };
            collect(&entry.path(), &inner, acc);
        } else if name.starts_with("plugin-manifest.json") {
            acc.push(relative.to_owned());
        }
    }
}
