//! Packages of other hosts: traps that their texts and manifests have.

#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests lay out their own files, and a failed step is a failed test"
)]

mod collections; // several packages in one tree
mod files; // files and links that texts and programs name
mod homes; // directories of hosts inside packages of others
mod hooks; // hooks that only print
mod leftovers; // files and words that no skill has
mod names; // names that not every system can store
mod packages; // the parts of packages
mod privacy; // data of users
mod prompts; // the prompts of skills
mod services; // documents of services
mod settings; // settings, servers and instructions of hosts
mod texts; // texts: placeholders, references, sentences

use std::fs;
use std::path::Path;

use skill_pipeline::{MigrateOptions, Migrated, migrate};

/// A property of the output of a migration.
#[derive(Debug)]
pub(crate) enum Expected {
    /// A file of the output contains a text.
    Has(&'static str, &'static str),
    /// A file of the output does not contain a text.
    Lacks(&'static str, &'static str),
    /// The output has no such file.
    NoFile(&'static str),
    /// A finding contains a text.
    Says(&'static str),
    /// No finding contains a text.
    Silent(&'static str),
}

use Expected::{Has, Lacks, NoFile, Says, Silent};

pub(crate) fn lay_out(dir: &Path, files: &[(&str, &str)]) {
    for (path, text) in files {
        let path = dir.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

pub(crate) fn run(dir: &Path, change: impl Fn(&mut MigrateOptions)) -> Migrated {
    let mut options = MigrateOptions::new(dir.join("in"), dir.join("out"));
    change(&mut options);
    migrate(options, &|_| ()).unwrap()
}

/// Returns all findings of a run, one in each line.
pub(crate) fn findings(migrated: &Migrated) -> String {
    let own = migrated.outcomes.iter().flat_map(|outcome| {
        let key = &outcome.directory;
        let findings = outcome.findings.iter();
        findings.map(move |it| format!("{key}: {}: {}\n", it.code.0, it.message))
    });
    let others = migrated.not_searched.iter();
    let others = others.map(|it| format!("{}: {}\n", it.code.0, it.message));
    own.chain(others).collect()
}

/// Migrates the files, and compares the output.
#[track_caller]
pub(crate) fn check(files: &[(&str, &str)], expected: &[Expected]) {
    check_with(|_| (), files, expected);
}

#[track_caller]
pub(crate) fn check_with(
    change: impl Fn(&mut MigrateOptions),
    files: &[(&str, &str)],
    expected: &[Expected],
) {
    let dir = tempfile::tempdir().unwrap();
    lay_out(&dir.path().join("in"), files);
    let migrated = run(dir.path(), change);
    let said = findings(&migrated);
    let read = |path: &str| {
        let text = fs::read_to_string(dir.path().join("out").join(path));
        text.unwrap_or_else(|error| panic!("{path}: {error}\n{said}"))
    };
    for one in expected {
        match one {
            Has(path, text) => {
                let found = read(path);
                assert!(
                    found.contains(text),
                    "{path} has no {text:?}:\n{found}\n{said}"
                );
            }
            Lacks(path, text) => {
                let found = read(path);
                assert!(
                    !found.contains(text),
                    "{path} has {text:?}:\n{found}\n{said}"
                );
            }
            NoFile(path) => assert!(!dir.path().join("out").join(path).exists(), "{path}"),
            Says(text) => assert!(said.contains(text), "no {text:?} in:\n{said}"),
            Silent(text) => assert!(!said.contains(text), "{text:?} in:\n{said}"),
        }
    }
}

pub(crate) const PLUGIN: &str = ".claude-plugin/plugin.json";
