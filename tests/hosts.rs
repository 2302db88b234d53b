//! Packages of other hosts: the skill of each part, and promises that hold for all.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::{cases, migrate, tool, tree};

#[test]
fn each_part_becomes_this() {
    let out = TempDir::new().unwrap();
    let report = tool::report(&cases::fixtures("hosts"), out.path(), &[]);
    let stories = migrate::plugins(&report).map(|plugin| {
        let key = plugin["directory"].as_str().unwrap().replace('#', "__");
        (key, migrate::story(plugin, out.path()))
    });
    cases::check_each_case("hosts", stories);
}

/// Runs the migration over all packages, and returns its output.
fn run(out: &Path, more: &[&str]) -> tool::Run {
    let input = cases::fixtures("hosts");
    let args = [input.to_str().unwrap(), "--out", out.to_str().unwrap()];
    tool::migrate(&[&args[..], more].concat())
}

#[test]
fn a_second_run_changes_nothing() {
    let dir = TempDir::new().unwrap();
    let [first, second] = [dir.path().join("a"), dir.path().join("b")];
    run(&first, &[]);
    let again = run(&first, &[]);
    assert!(
        again.stdout.contains(" 0 created, 0 updated, "),
        "{again:?}"
    );
    assert!(
        again.stdout.contains("nothing had to be written"),
        "{again:?}"
    );
    let check = run(&first, &["--check"]);
    assert!(
        check.stdout.contains(" 0 to create, 0 to update, "),
        "{check:?}"
    );
    run(&second, &[]);
    let all = |path: &str| !path.starts_with(".skills-migrate/");
    assert_eq!(tree::render(&first, all), tree::render(&second, all));
}

#[test]
fn the_skills_are_valid() {
    let out = TempDir::new().unwrap();
    run(out.path(), &[]);
    for profile in ["spec", "skills-ref"] {
        let run = tool::validate(&[out.path().to_str().unwrap(), "--profile", profile]);
        assert!(run.stdout.contains(" 0 errors"), "{run:?}");
    }
}

/// A change of one part changes the skill of that part only.
#[test]
fn a_changed_part_updates_its_skill() {
    let dir = TempDir::new().unwrap();
    let [input, out] = [dir.path().join("in"), dir.path().join("out")];
    cases::copy(&cases::fixtures("hosts/market"), &input);
    let args = [input.to_str().unwrap(), "--out", out.to_str().unwrap()];
    tool::migrate(&args);
    let file = input.join("plugins/tea/skills/review/SKILL.md");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("Taste it.", "Taste it twice.")).unwrap();
    let report = dir.path().join("report.json");
    tool::migrate(&[&args[..], &["--report", report.to_str().unwrap()]].concat());
    let report: Value = serde_json::from_str(&fs::read_to_string(&report).unwrap()).unwrap();
    let changed = migrate::plugins(&report).filter(|plugin| plugin["status"] == "updated");
    let changed: Vec<&str> = changed
        .map(|plugin| plugin["directory"].as_str().unwrap())
        .collect();
    assert_eq!(changed, ["plugins/tea#skill/review"]);
}
