//! `skills-validate`, called in process on directories of its own; the last tests start the binary.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests make directories, and a failed step is a failed test"
)]

use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

use clap::Parser as _;
use serde_json::Value;
use skill_testing::{Buffer, Need, find, tool};
use skills_cli::{ExitStatus, output::Streams};
use skills_migrate as migrate;
use skills_validate as validate;
use tempfile::TempDir;

const VALID: &str = "---\nname: note-helper\ndescription: Formats notes. Use when notes are raw.\n---\n\n# Notes\n\nFormat them.\n";

/// Returns the exit status and both streams of a run.
fn run(args: &[&str]) -> (ExitStatus, String, String) {
    let (out, err) = (Buffer::default(), Buffer::default());
    let args = validate::Args::try_parse_from(["skills-validate"].iter().chain(args)).unwrap();
    let mut streams = Streams::in_memory(out.clone(), err.clone());
    let status = validate::run(args, &mut streams).unwrap();
    (status, out.text(), err.text())
}

fn tree(files: &[(&str, &str)]) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = dir.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    dir
}

fn json(dir: &Path, more: &[&str]) -> Value {
    let path = dir.to_str().unwrap();
    let (_, out, _) = run(&[&[path, "--format", "json"], more].concat());
    serde_json::from_str(&out).unwrap()
}

fn codes(report: &Value) -> Vec<&str> {
    let findings = report["findings"].as_array().unwrap();
    findings
        .iter()
        .map(|finding| finding["code"].as_str().unwrap())
        .collect()
}

#[track_caller]
fn check(files: &[(&str, &str)], expected: &[&str]) {
    assert_eq!(codes(&json(tree(files).path(), &[])), expected);
}

#[test]
fn finds_every_skill_once() {
    let other = VALID
        .replace("note-helper", "b")
        .replace("Formats notes", "Rolls dice for a game");
    let dir = tree(&[
        ("note-helper/SKILL.md", VALID),
        ("deep/er/b/SKILL.md", &other),
        ("note-helper/scripts/template/SKILL.md", "no frontmatter"),
        (
            "note-helper/scripts/template/README.md",
            "uses scripts/template",
        ),
        ("node_modules/x/SKILL.md", "no frontmatter"),
    ]);
    let report = json(dir.path(), &[]);
    let paths: Vec<&str> = report["skills"]
        .as_array()
        .unwrap()
        .iter()
        .map(|s| s["path"].as_str().unwrap())
        .collect();
    assert_eq!(paths, ["deep/er/b", "note-helper"]);
    assert_eq!(report["profile"], "spec");
}

#[test]
fn a_skill_inside_a_skill_is_checked_for_itself() {
    check(
        &[
            ("a/SKILL.md", &VALID.replace("note-helper", "a")),
            ("a/more/b/SKILL.md", "x"),
        ],
        &["nested-skill", "frontmatter-missing"],
    );
}

#[test]
fn what_is_wrong_is_found() {
    check(&[("note-helper/SKILL.md", VALID)], &[]);
    for packages in ["node_modules", ".venv", "venv"] {
        let file = format!("note-helper/{packages}/a/broken\u{202e}.md");
        check(&[("note-helper/SKILL.md", VALID), (&file, "x")], &[]);
    }
    check(&[("note-helper/skill.md", VALID)], &["skill-md-missing"]);
    check(&[("other/SKILL.md", VALID)], &["name-directory-mismatch"]);
    check(&[("README.md", "x")], &["skill-md-missing"]);
    check(
        &[("note-helper/SKILL.md", VALID), ("note-helper/.env", "A=b")],
        &["credential-file"],
    );
}

#[test]
fn links_and_pipes_are_findings() {
    let dir = tree(&[("note-helper/SKILL.md", VALID)]);
    let skill = dir.path().join("note-helper");
    std::os::unix::fs::symlink("/etc/passwd", skill.join("out")).unwrap();
    std::os::unix::fs::symlink("SKILL.md", skill.join("in")).unwrap();
    assert!(
        Command::new("mkfifo")
            .arg(skill.join("pipe"))
            .status()
            .unwrap()
            .success()
    );
    let report = json(dir.path(), &[]);
    assert_eq!(
        codes(&report),
        ["link-inside", "link-escapes", "special-file"]
    );
}

#[test]
fn exit_statuses_differ() {
    let good = tree(&[("note-helper/SKILL.md", VALID)]);
    let warned = tree(&[(
        "note-helper/SKILL.md",
        &VALID.replace("Format them", "See [a](b.md)"),
    )]);
    let bad = tree(&[("other/SKILL.md", VALID)]);
    let status =
        |dir: &TempDir, more: &[&str]| run(&[&[dir.path().to_str().unwrap()], more].concat()).0;
    assert_eq!(status(&good, &[]), ExitStatus::Fine);
    assert_eq!(status(&warned, &[]), ExitStatus::Fine);
    assert_eq!(status(&warned, &["--strict"]), ExitStatus::Findings);
    assert_eq!(status(&bad, &[]), ExitStatus::Findings);
    assert_eq!(
        status(&bad, &["--level", "name-directory-mismatch=off"]),
        ExitStatus::Fine
    );
    assert_eq!(status(&bad, &["--profile", "lenient"]), ExitStatus::Fine);
}

#[test]
fn every_form_has_the_finding() {
    let dir = tree(&[("other/SKILL.md", VALID)]);
    let path = dir.path().to_str().unwrap();
    let report = |format| run(&[path, "--format", format]).1;
    assert!(
        report("text").starts_with("error[name-directory-mismatch]: the name is `note-helper`")
    );
    assert!(report("text").ends_with("1 skill (profile spec): 1 error, 0 warnings, 0 notes\n"));
    assert!(report("github").contains(",line=2,col=7,title=name-directory-mismatch::the name is"));
    assert!(report("junit").contains("<failure type=\"name-directory-mismatch\""));
    let sarif: Value = serde_json::from_str(&report("sarif")).unwrap();
    let run = &sarif["runs"][0];
    let result = &run["results"][0];
    assert_eq!(sarif["version"], "2.1.0");
    assert_eq!(result["ruleId"], "name-directory-mismatch");
    let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
    assert_eq!(
        run["tool"]["driver"]["rules"][index]["id"],
        result["ruleId"]
    );
    assert_eq!(
        result["locations"][0]["physicalLocation"]["region"]["startLine"],
        2
    );
    assert!(result["partialFingerprints"]["skillsValidate/v1"].is_string());
}

#[test]
fn a_baseline_hides_what_is_known() {
    let dir = tree(&[("other/SKILL.md", VALID)]);
    let (path, file) = (dir.path().to_str().unwrap(), dir.path().join("known.json"));
    let file = file.to_str().unwrap();
    let args = [path, "--baseline", file];
    assert_eq!(
        run(&[&args[..], &["--update-baseline"]].concat()).0,
        ExitStatus::Fine
    );
    let moved = VALID.replace("---\nname", "---\n# moved\nname");
    fs::write(dir.path().join("other/SKILL.md"), moved).unwrap();
    let (status, out, _) = run(&args);
    assert_eq!(status, ExitStatus::Fine);
    assert!(
        out.ends_with("0 errors, 0 warnings, 0 notes, 1 known\n"),
        "{out}"
    );
    fs::write(dir.path().join("other/.env"), "x").unwrap();
    assert_eq!(run(&args).0, ExitStatus::Findings);
}

#[test]
fn only_what_changed_is_reported() {
    if find::program(Need::Programs, "git").is_none() {
        return;
    }
    let dir = tree(&[("a/SKILL.md", VALID), ("b/SKILL.md", VALID)]);
    let git = |args: &[&str]| {
        let identity = ["-c", "user.name=t", "-c", "user.email=t@example.org"];
        let output = Command::new("git")
            .arg("-C")
            .arg(dir.path())
            .args(identity)
            .args(args)
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
    };
    git(&["init", "--quiet"]);
    git(&["add", "."]);
    git(&["commit", "--quiet", "-m", "x"]);
    let more = ["--changed-since", "HEAD"];
    assert_eq!(codes(&json(dir.path(), &more)), [""; 0]);
    fs::write(dir.path().join("b/new.md"), "x").unwrap();
    let report = json(dir.path(), &more);
    assert!(
        report["findings"]
            .as_array()
            .unwrap()
            .iter()
            .all(|f| f["file"].as_str().unwrap().contains("/b/"))
    );
    assert!(codes(&report).contains(&"name-directory-mismatch"));
}

#[test]
fn repairs_are_shown_first_and_made_once() {
    let text = "---\nname: x\ndescription: Use this: when\nversion: 1.0\n---\nBody\n";
    let dir = tree(&[("note-helper/SKILL.md", text)]);
    let (path, file) = (
        dir.path().to_str().unwrap(),
        dir.path().join("note-helper/SKILL.md"),
    );
    let (status, _, diff) = run(&[path, "--fix", "--dry-run"]);
    assert_eq!(status, ExitStatus::Findings);
    assert!(
        diff.contains("+description: \"Use this: when\"\n"),
        "{diff}"
    );
    assert_eq!(fs::read_to_string(&file).unwrap(), text);
    assert_eq!(run(&[path, "--fix"]).0, ExitStatus::Fine);
    let fixed = "---\nname: note-helper\ndescription: \"Use this: when\"\nmetadata:\n  version: \"1.0\"\n---\nBody\n";
    assert_eq!(fs::read_to_string(&file).unwrap(), fixed);
    assert_eq!(run(&[path, "--fix"]).2, "");
}

#[test]
fn settings_come_from_a_file() {
    let dir = tree(&[
        ("skills/other/SKILL.md", VALID),
        ("skills/third/SKILL.md", VALID),
        (
            "skills.toml",
            "exclude = [\"third\"]\n[[override]]\npaths = [\"other\"]\nlevels = { name-directory-mismatch = \"warning\" }\n",
        ),
    ]);
    let config = dir.path().join("skills.toml");
    let report = json(
        &dir.path().join("skills"),
        &["--config", config.to_str().unwrap()],
    );
    assert_eq!(codes(&report), ["name-directory-mismatch"]);
    assert_eq!(report["totals"]["warnings"], 1);
}

/// The step of `docs/ci.md`, on this project's own plugins.
#[test]
fn migrated_fixtures_are_current_and_valid() {
    let plugins = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/plugins");
    let out = tempfile::tempdir().unwrap();
    let (plugins, out) = (plugins.to_str().unwrap(), out.path().to_str().unwrap());
    let migrate = |more: &[&str]| {
        let args = [&["skills-migrate", plugins, "--out", out], more].concat();
        let args = migrate::Args::try_parse_from(args).unwrap();
        migrate::run(args, &mut Streams::in_memory(io::sink(), io::sink())).unwrap()
    };
    assert_eq!(migrate(&[]), ExitStatus::Fine);
    assert_eq!(migrate(&["--check"]), ExitStatus::Fine);
    for profile in ["spec", "skills-ref", "lenient", "claude-code", "codex"] {
        let (status, report, _) = run(&[out, "--profile", profile]);
        assert_eq!(status, ExitStatus::Fine, "{profile}: {report}");
    }
}

fn binary() -> String {
    tool!("skills-validate")
}

#[test]
fn a_closed_pipe_is_no_failure() {
    let dir = tree(&[("other/SKILL.md", VALID)]);
    let mut child = Command::new(binary())
        .arg(dir.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    assert!(output.status.code().is_some_and(|code| code < 2));
}

#[test]
fn what_cannot_be_looked_at_is_status_2() {
    let status = |arg: &str| {
        Command::new(binary())
            .arg(arg)
            .stderr(Stdio::null())
            .status()
            .unwrap()
    };
    assert_eq!(status("/does/not/exist").code(), Some(2));
    assert_eq!(status("--no-such-flag").code(), Some(2));
}

#[test]
fn the_settled_cases_pass() {
    let (Some(folder), Some(_)) = (find::shared("eval/conformance"), find::python()) else {
        return;
    };
    let cases = folder.join("cases.json");
    let work = tempfile::tempdir().unwrap();
    let output = Command::new("python3")
        .arg(folder.join("run.py"))
        .arg(cases)
        .args(["--bin", &binary(), "--work"])
        .arg(work.path())
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stdout)
    );
}
