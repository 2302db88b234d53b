//! Verdicts on labelled cases in `../shared/eval`, next to the repository; each test is skipped,
//! with a message, if they are absent.

use std::path::Path;
use std::process::Command;

use serde_json::Value;
use skill_diagnostics::{Diagnostic, Severity};
use skill_testing::find::shared;
use skill_validator::{Entry, Settings, SkillFiles, validate_skill};

#[expect(clippy::disallowed_methods, reason = "a test that looks outward")]
fn read(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn findings(directory: &str, file: &str, bytes: Vec<u8>) -> Vec<Diagnostic> {
    let files = SkillFiles {
        directory: directory.to_owned(),
        entries: vec![Entry::file(file, bytes)],
        hard_links: Vec::new(),
        ..SkillFiles::default()
    };
    validate_skill(&files, None, &Settings::default()).findings
}

fn has(findings: &[Diagnostic], least: Severity) -> bool {
    findings.iter().any(|finding| finding.severity >= least)
}

#[test]
fn the_specification_settles_these() {
    let Some(folder) = shared("eval/conformance") else {
        return;
    };
    let cases: Vec<Value> =
        serde_json::from_slice(&read(&folder.join("cases.json"))).expect("JSON");
    let mut wrong = Vec::new();
    for case in &cases {
        let text = |key: &str| case[key].as_str().unwrap_or_default();
        if case.get("text").is_none() {
            continue;
        }
        let found = findings(text("directory"), text("file"), text("text").into());
        let verdict = if has(&found, Severity::Error) {
            "invalid"
        } else {
            "valid"
        };
        if text("expect") != "open" && verdict != text("expect") {
            wrong.push(format!("{}: {verdict} {found:?}", text("id")));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn hidden_text_is_seen_and_real_text_is_not() {
    let Some(folder) = shared("eval/hidden-unicode") else {
        return;
    };
    let labels = String::from_utf8(read(&folder.join("labels.jsonl"))).expect("UTF-8");
    let mut wrong = Vec::new();
    for line in labels.lines() {
        let label: Value = serde_json::from_str(line).expect("JSON");
        let id = label["id"].as_str().expect("an id");
        let bytes = unpacked(&folder.join("cases.tar.gz"), &format!("{id}/SKILL.md"));
        // The directory's name is not part of the case.
        let mut found = findings("", "SKILL.md", bytes);
        let is_fine = match label["expect"].as_str() {
            Some("error") => has(&found, Severity::Error),
            Some("warn") => has(&found, Severity::Warning),
            _ => !has(&found, Severity::Warning),
        };
        if !is_fine {
            found.truncate(3);
            wrong.push(format!("{id}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[expect(clippy::disallowed_methods, reason = "a test that looks outward")]
fn unpacked(archive: &Path, member: &str) -> Vec<u8> {
    let tar = Command::new("tar")
        .arg("-xzOf")
        .arg(archive)
        .arg(member)
        .output();
    tar.expect("tar is installed").stdout
}
