//! The directories that are cases, and a snapshot for each.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use crate::tree;

/// Returns a directory in the `fixtures/` of the repository.
pub(crate) fn fixtures(area: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../fixtures")
        .join(area)
}

/// Returns every directory in `area` that has a manifest with any suffix, by path, sorted.
pub(crate) fn all(area: &str) -> Vec<String> {
    let root = fixtures(area);
    let mut acc = Vec::new();
    collect(&root, "", &mut acc);
    acc.sort();
    assert!(!acc.is_empty(), "{} holds no case", root.display());
    acc
}

/// Copies a tree of fixtures.
pub(crate) fn copy(source: &Path, target: &Path) {
    for path in tree::files(source) {
        let to = target.join(&path);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(source.join(&path), to).unwrap();
    }
}

/// Compares each text with `snapshots/<area>/<case>.snap`. All cases are compared, also after one has
/// failed.
pub(crate) fn check_each_case(area: &str, texts: impl IntoIterator<Item = (String, String)>) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(format!("snapshots/{area}"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    let mut failed = Vec::new();
    for (case, text) in texts {
        let check = || settings.bind(|| insta::assert_snapshot!(case.replace('/', "__"), text));
        if catch_unwind(AssertUnwindSafe(check)).is_err() {
            failed.push(case);
        }
    }
    assert!(
        failed.is_empty(),
        "{} of {area} failed: {}",
        failed.len(),
        failed.join(", ")
    );
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
