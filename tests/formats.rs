//! Real packages of other hosts, from `../shared/formats`, and promises that hold for all.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

use crate::{migrate, tool, tree};

/// The hosts whose packages are made of texts.
const HOSTS: [&str; 5] = ["agent-plugins", "claude", "copilot", "cursor", "gemini"];

/// Unpacks the packages of these hosts, or skips the test.
fn packages() -> Option<(TempDir, Vec<PathBuf>)> {
    let archive = skill_testing::find::shared("formats/files.tar.xz")?;
    let dir = TempDir::new().unwrap();
    let mut tar = Command::new("tar");
    tar.arg("-xJf").arg(&archive).arg("-C").arg(dir.path());
    assert!(tar.status().unwrap().success(), "{tar:?}");
    let hosts = HOSTS.map(|host| fs::read_dir(dir.path().join("files").join(host)).unwrap());
    let packages = hosts.into_iter().flatten();
    let mut packages: Vec<PathBuf> = packages.map(|entry| entry.unwrap().path()).collect();
    packages.sort();
    Some((dir, packages))
}

#[test]
fn two_runs_write_the_same_valid_skills() {
    let Some((dir, packages)) = packages() else {
        return;
    };
    let mut n_equal = 0;
    for (at, package) in packages.iter().enumerate() {
        let [first, second] = ["a", "b"].map(|name| dir.path().join(format!("{name}{at}")));
        let report = tool::report(package, &first, &[]);
        check_outcomes(&report, package);
        n_equal += check_bodies(&report, package, &first);
        let args = |out: &Path| {
            [package, Path::new("--out"), out].map(|it| it.to_str().unwrap().to_owned())
        };
        let run = |out: &Path, more: &[&str]| {
            let args = args(out);
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            tool::migrate(&[&args[..], more].concat())
        };
        run(&second, &[]);
        let all = |path: &str| !path.starts_with(".skills-migrate/");
        assert!(
            tree::render(&first, all) == tree::render(&second, all),
            "{package:?}"
        );
        let check = run(&first, &["--check"]);
        assert!(
            check.stdout.contains(" 0 to create, 0 to update, "),
            "{check:?}"
        );
        for profile in ["spec", "skills-ref"] {
            let run = tool::validate(&[first.to_str().unwrap(), "--profile", profile]);
            assert!(run.stdout.contains(" 0 errors"), "{run:?}");
            let dead =
                run.stdout.contains("dead-placeholder") || run.stderr.contains("dead-placeholder");
            assert!(!dead, "{run:?}");
        }
    }
    assert!(n_equal > 100, "only {n_equal} bodies are unchanged");
}

/// Every unit becomes a skill, or says why not; every key of its frontmatter has a fate.
#[track_caller]
fn check_outcomes(report: &Value, package: &Path) {
    for plugin in migrate::plugins(report) {
        let key = plugin["directory"].as_str().unwrap();
        let findings = plugin["findings"].as_array().unwrap();
        if plugin["status"] == "rejected" {
            assert!(
                findings.iter().any(|it| it["severity"] == "error"),
                "{plugin}"
            );
            continue;
        }
        assert_eq!(plugin["status"], "created", "{plugin}");
        let fates = plugin["fates"].as_array().unwrap();
        let settled: BTreeSet<(&str, &str)> = fates
            .iter()
            .map(|it| {
                let pointer = it["pointer"].as_str().unwrap();
                let top = pointer.trim_start_matches('/').split('/').next().unwrap();
                (it["file"].as_str().unwrap_or_default(), top)
            })
            .collect();
        let directory = key.split('#').next().unwrap();
        let files: BTreeSet<&str> = settled.iter().map(|(file, _)| *file).collect();
        for file in files.iter().filter(|file| file.ends_with(".md")) {
            let text = fs::read_to_string(package.join(directory).join(file)).unwrap();
            for top in top_keys(&text) {
                assert!(settled.contains(&(file, top)), "{key}: {top} has no fate");
            }
        }
    }
}

/// Returns the keys at the top of a frontmatter, found without the project's own reader.
fn top_keys(text: &str) -> Vec<&str> {
    let mut lines = text.lines();
    if lines.next() != Some("---") {
        return Vec::new();
    }
    let lines = lines.take_while(|line| *line != "---");
    let keys = lines.filter_map(|line| Some(line.split_once(':')?.0));
    let is_key = |key: &&str| {
        !key.is_empty()
            && key
                .chars()
                .all(|c| c.is_alphanumeric() || c == '-' || c == '_')
    };
    keys.filter(is_key).collect()
}

/// The body of a foreign skill is unchanged, or the outcome says what was changed: a placeholder, a
/// link, a reference, a hidden character, or what the old host did. Returns the number of unchanged
/// bodies.
#[track_caller]
fn check_bodies(report: &Value, package: &Path, out: &Path) -> usize {
    const CODES: [&str; 4] = [
        "links-rewritten",
        "references-rewritten",
        "hidden-characters",
        "command-text-defused",
    ];
    let mut n_equal = 0;
    for plugin in migrate::plugins(report).filter(|it| it["status"] == "created") {
        let key = plugin["directory"].as_str().unwrap();
        let (directory, unit) = key.split_once('#').unwrap_or((key, ""));
        let fates = plugin["fates"].as_array().unwrap();
        let mut files = fates.iter().filter_map(|fate| fate["file"].as_str());
        let file = files.find(|file| unit.starts_with("skill/") && file.ends_with("SKILL.md"));
        let Some(file) = file else {
            continue;
        };
        let skill = out.join(plugin["skill"].as_str().unwrap()).join("SKILL.md");
        let [old, new] = [package.join(directory).join(file), skill].map(|path| body(&path));
        if old == new {
            n_equal += 1;
            continue;
        }
        let is_placeholder = |it: &Value| {
            let pointer = it["pointer"].as_str().unwrap_or_default();
            it["fate"] == "transformed" && pointer.starts_with("/body/")
        };
        let findings = plugin["findings"].as_array().unwrap();
        let is_said = fates.iter().any(is_placeholder)
            || findings
                .iter()
                .any(|it| CODES.contains(&it["code"].as_str().unwrap()));
        // What the old host did is a section at the end.
        let is_longer = new.starts_with(old.trim_end());
        assert!(
            is_said || is_longer,
            "{key}: the body changed and nothing says so"
        );
    }
    n_equal
}

/// Returns the text after the frontmatter.
fn body(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
    match text
        .strip_prefix("---\n")
        .and_then(|rest| rest.split_once("\n---\n"))
    {
        Some((_, body)) => body.to_owned(),
        None => text,
    }
}
