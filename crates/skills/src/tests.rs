//! Errors across the crate.
#![expect(clippy::disallowed_methods, reason = "files are laid out")]

use std::fs;
use std::path::Path;

use crate::{Error, ErrorKind, Library, Phase};

#[track_caller]
fn check<T>(res: Result<T, Error>, kind: ErrorKind, message: &str) {
    let error = res.err().expect("it fails");
    assert_eq!((error.kind(), &*error.to_string()), (kind, message));
}

fn write_skill(dir: &Path, name: &str) {
    fs::create_dir(dir.join(name)).unwrap();
    let text = format!("---\nname: {name}\ndescription: Rolls dice.\n---\n# Dice\n");
    fs::write(dir.join(name).join("SKILL.md"), text).unwrap();
}

#[test]
fn errors_name_the_skill_that_changed() {
    let dir = tempfile::tempdir().unwrap();
    write_skill(dir.path(), "dice");
    let library = Library::open([dir.path()]).unwrap();
    let kind = ErrorKind::Input;
    let message =
        "skill `dice`: the cursor `x` does not fit `SKILL.md`, which may have changed since";
    check(library.read_page("dice", "x"), kind, message);

    fs::remove_dir_all(dir.path().join("dice")).unwrap();
    let message = "skill `dice`: `SKILL.md`: no such file";
    check(library.read("dice"), ErrorKind::NotFound, message);
    let full = library.describe("dice", Phase::Full);
    check(full, ErrorKind::NotFound, message);
}

#[cfg(unix)]
#[test]
fn wrong_paths_are_not_failures_of_the_file_system() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("it");
    let shown = path.display();
    let message = format!("cannot open {shown}: No such file or directory (os error 2)");
    check(Library::open([&path]), ErrorKind::NotFound, &message);
    check(crate::validate(&path), ErrorKind::NotFound, &message);
    let migrated = crate::migrate(&path).preview(dir.path().join("out"));
    check(migrated, ErrorKind::NotFound, &message);

    fs::write(&path, "").unwrap();
    let message = format!("cannot open {shown}: Not a directory (os error 20)");
    check(Library::open([&path]), ErrorKind::Input, &message);
}

#[test]
fn a_migration_of_nothing_fails() {
    let dir = tempfile::tempdir().unwrap();
    let plugins = dir.path().join("plugins");
    write_skill(dir.path(), "plugins");
    fs::write(plugins.join("METADATA.yml"), "schema: 1\n").unwrap();
    let migrated = crate::migrate(&plugins).into_dir(dir.path().join("out"));
    let message = "the input has no plugin: found only `METADATA.yml`, `SKILL.md`";
    check(migrated, ErrorKind::Input, message);
    assert!(!dir.path().join("out").exists());
}

#[test]
fn a_broken_skill_is_not_missing() {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("dice")).unwrap();
    fs::write(dir.path().join("dice/SKILL.md"), "---\nname: [\n---\n").unwrap();
    crate::init();
    let library = Library::builder()
        .skills(dir.path())
        .state(dir.path().join("state"));
    let library = library.open().unwrap();
    let message = "skill `dice`: SKILL.md: unclosed bracket '['";
    check(library.read("dice"), ErrorKind::Unreadable, message);
    let run = library.run("dice", serde_json::json!({}));
    check(run, ErrorKind::Unreadable, message);
    let missing = library.run("mice", serde_json::json!({}));
    assert_eq!(missing.unwrap_err().kind(), ErrorKind::NotFound);
}
