//! A check from Rust: a directory in, findings and repairs out.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests lay out their own files, and a failed step is a failed test"
)]

use std::fs;
use std::path::Path;

use skill_checker::{CheckOptions, Checker};

fn skill(dir: &Path, name: &str, frontmatter: &str) {
    let dir = dir.join(name);
    fs::create_dir_all(&dir).unwrap();
    let text = format!("---\n{frontmatter}\n---\n\n# Title\n\nText of the skill.\n");
    fs::write(dir.join("SKILL.md"), text).unwrap();
}

fn codes(checker: &Checker) -> Vec<String> {
    let findings = checker.check().unwrap().findings;
    let places = findings.iter().map(|finding| {
        let file = finding.place.file.as_deref().unwrap_or_default();
        format!("{file}: {}", finding.code)
    });
    places.collect()
}

#[test]
fn a_repair_takes_its_finding_away() {
    let dir = tempfile::tempdir().unwrap();
    let described = "description: Brews tea. Use when somebody asks for tea.";
    skill(dir.path(), "tea", &format!("name: coffee\n{described}"));
    skill(dir.path(), "drafts/x", "name: y");
    let options = CheckOptions {
        exclude: vec!["drafts".to_owned()],
        ..CheckOptions::default()
    };
    let checker = Checker::open(dir.path(), options).unwrap();
    assert!(codes(&checker).contains(&"tea/SKILL.md: name-directory-mismatch".to_owned()));
    let repairs: Vec<_> = checker.repairs().map(Result::unwrap).collect();
    assert_eq!(repairs.len(), 1);
    assert!(repairs[0].new.contains("name: tea"));
    checker.write(&repairs[0]).unwrap();
    assert!(!codes(&checker).contains(&"tea/SKILL.md: name-directory-mismatch".to_owned()));
}

#[test]
fn the_lock_of_a_package_is_not_that_of_a_migration() {
    let dir = tempfile::tempdir().unwrap();
    let described = "description: Brews tea. Use when somebody asks for tea.";
    skill(dir.path(), "tea", &format!("name: tea\n{described}"));
    let check = |lock: &str, expected: &[&str]| {
        fs::write(dir.path().join("skills.lock"), lock).unwrap();
        let checker = Checker::open(dir.path(), CheckOptions::default()).unwrap();
        let mut codes = codes(&checker);
        codes.retain(|code| code.starts_with("skills.lock"));
        assert_eq!(codes, expected, "{lock}");
    };
    let skills = r#""skills": {"tea": {"runnable": false, "commands": {}}}"#;
    let package = r#""package": {"name": "kitchen", "version": "1.0.0"}"#;
    check(
        &format!("{{\"schema\": 1, {package}, {skills}, \"files\": {{}}}}"),
        &[],
    );
    check(
        &format!("{{\"schema\": 1, {skills}}}"),
        &["skills.lock: not-inspected"],
    );
}
