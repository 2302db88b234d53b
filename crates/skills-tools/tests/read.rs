//! `skills-read`, called in process; the last tests start the binary, one of them under `strace`.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests make directories, and a failed step is a failed test"
)]

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};

use clap::Parser as _;
use serde_json::Value;
use skill_testing::{Buffer, Need, skip, tool};
use skills_cli::{ExitStatus, output::Streams};
use skills_read as read;
use tempfile::TempDir;

const SKILL: &str = "---\nname: report\ndescription: Writes reports.\n---\n# Report\n\n## 指标定义\n\n口径\n\n## Usage\n\nrun\n";

/// `skills/report` with a resource, beside a secret that links lead to.
fn tree() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    let skill = dir.path().join("skills/report");
    fs::create_dir_all(skill.join("references")).unwrap();
    fs::write(skill.join("SKILL.md"), SKILL).unwrap();
    fs::write(skill.join("references/a.md"), "# A\n{text}\n").unwrap();
    fs::write(dir.path().join("secret.md"), SKILL).unwrap();
    symlink("../../secret.md", skill.join("link.md")).unwrap();
    symlink("../..", skill.join("up")).unwrap();
    symlink("../secret.md", dir.path().join("skills/secret.md")).unwrap();
    dir
}

/// Returns the exit status and both streams of a run, without the directory of the test.
fn run(dir: &Path, args: &[&str]) -> (ExitStatus, String, String) {
    let (out, err) = (Buffer::default(), Buffer::default());
    let skills = dir.join("skills").to_string_lossy().into_owned();
    let words = ["skills-read", "--skills", &skills];
    let args = read::Args::try_parse_from(words.iter().chain(args)).unwrap();
    let mut streams = Streams::in_memory(out.clone(), err.clone());
    let status = read::run(args, &mut streams).unwrap();
    drop(streams);
    let here = format!("{}/", dir.display());
    (
        status,
        out.text().replace(&here, ""),
        err.text().replace(&here, ""),
    )
}

#[track_caller]
fn check(args: &[&str], status: ExitStatus, stdout: &str, stderr: &str) {
    let dir = tree();
    let found = run(dir.path(), args);
    assert_eq!(found, (status, stdout.to_owned(), stderr.to_owned()));
}

#[test]
fn gives_the_text_alone() {
    check(
        &["report", "--section", "指标定义"],
        ExitStatus::Fine,
        "## 指标定义\n\n口径\n\n",
        "",
    );
    check(
        &["report", "--resource", "references/a.md"],
        ExitStatus::Fine,
        "# A\n{text}\n",
        "",
    );
}

#[test]
fn prompts_are_printed_as_their_host_sends_them() {
    let dir = tree();
    let skill = dir.path().join("skills/report");
    let metadata = "schema: 1\nname: report\nversion: 1.0.0\ntype: prompt\nprompt:\n  template: references/template.md\n  dialect: DIALECT\n  command: team:report\n";
    let template = |dialect: &str, text: &str| {
        let metadata = metadata.replace("DIALECT", dialect);
        fs::write(skill.join("METADATA.yml"), metadata).unwrap();
        fs::write(skill.join("references/template.md"), text).unwrap();
    };
    let read = |arguments: &str| run(dir.path(), &["report", "--arguments", arguments]);
    let fine = |text: &str| (ExitStatus::Fine, text.to_owned(), String::new());

    template("claude", "Report on $0.\n!`git log --author=$1`\n");
    let sent = "Report on a week.\n[run `git log --author=me` first and use its output]\n";
    assert_eq!(read("'a week' me"), fine(sent));
    template("gemini", "Report.");
    assert_eq!(read("-v  now"), fine("Report.\n\n/team:report -v  now\n"));
    template("codex", "Report on $WEEK.");
    let (status, _, stderr) = read("WEEK");
    assert_eq!(status, ExitStatus::Findings);
    assert!(stderr.contains("arguments-refused"), "{stderr}");
    assert!(stderr.contains("this prompt takes WEEK=VALUE"), "{stderr}");

    fs::remove_file(skill.join("METADATA.yml")).unwrap();
    let (status, _, stderr) = read("x");
    assert_eq!(status, ExitStatus::Findings);
    assert!(
        stderr.contains("is not a prompt of another host"),
        "{stderr}"
    );
}

#[test]
fn says_what_is_left_out() {
    check(
        &["report", "--resource", "SKILL.md", "--max-excerpt", "20"],
        ExitStatus::Fine,
        "---\nname: report\n",
        "truncated: 17 characters (beginning); continue with --cursor fc95f66b8a4e-17-99\n",
    );
}

#[test]
fn a_missing_section_is_a_finding() {
    check(
        &["report", "--section", "Usagee"],
        ExitStatus::Findings,
        "# Report\n\n## 指标定义\n\n口径\n\n## Usage\n\nrun\n",
        "error[section-not-found]: no section is called `Usagee`; this is the beginning of the text\n  help: did you mean `Usage`?\nsections: # Report, ## 指标定义, ## Usage\n",
    );
}

#[test]
fn refusals_have_a_code_and_a_way_out() {
    check(
        &["reprot"],
        ExitStatus::Findings,
        "",
        "error[skill-not-found]: no skill is called `reprot`\n  help: did you mean `report`?\navailable: report\n",
    );
    for path in ["../../secret.md", "link.md", "up/secret.md"] {
        let dir = tree();
        let (status, stdout, stderr) = run(dir.path(), &["report", "--resource", path]);
        assert_eq!((status, stdout.as_str()), (ExitStatus::Findings, ""));
        assert!(
            stderr.starts_with("error[path-traversal-blocked]: "),
            "{stderr}"
        );
    }
    let dir = tree();
    let (status, _, stderr) = run(dir.path(), &["report", "--resource", "none.md"]);
    assert_eq!(status, ExitStatus::CouldNotRun);
    assert_eq!(stderr, "error[io]: `none.md`: no such file\n");
}

#[test]
fn a_block_is_filled_once() {
    let dir = tree();
    let args = [
        "report",
        "--resource",
        "references/a.md",
        "--format",
        "block",
    ];
    let (_, stdout, _) = run(dir.path(), &args);
    let lines: Vec<&str> = stdout.lines().collect();
    assert_eq!(lines[0], "[Skill: report | source=project]");
    assert_eq!(lines[1], "[Skill Path: skills/report/references/a.md]");
    assert!(lines[2].starts_with("[Load Report: sha256="), "{stdout}");
    assert!(
        lines[2].ends_with(" truncated=false bytes_read=11]"),
        "{stdout}"
    );
    assert_eq!(lines[3..], ["", "# A", "{text}"]);
    let template = dir.path().join("template");
    fs::write(&template, "<{name} {nothing}>{text}").unwrap();
    let template = template.to_string_lossy().into_owned();
    let (_, stdout, _) = run(
        dir.path(),
        &[&args[..], &["--template", &template]].concat(),
    );
    assert_eq!(stdout, "<report {nothing}># A\n{text}\n");
}

#[test]
fn json_has_everything() {
    let dir = tree();
    let args = ["report", "--format", "json", "--section", "Usage"];
    let (_, stdout, _) = run(dir.path(), &args);
    let value: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(value["text"], "## Usage\n\nrun\n");
    assert_eq!(value["report"]["section"], "## Usage");
    assert_eq!(value["report"]["lines"], serde_json::json!([11, 13]));
    let (_, stdout, _) = run(dir.path(), &["nope", "--format", "json"]);
    let value: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(value["error"]["code"], "skill-not-found");
    assert_eq!(value["error"]["available"], serde_json::json!(["report"]));
}

#[test]
fn a_list_names_skills_and_what_was_left_out() {
    check(
        &["--list"],
        ExitStatus::Fine,
        "report: Writes reports.\n",
        "skills/secret.md: warning[link-not-followed]: a symbolic link is not followed\n  help: add its target to the trusted directories if you want to follow it\n",
    );
}

/// Standard output of the binary for a request on standard input, and its exit code.
fn request(dir: &Path, text: &str) -> (Value, Option<i32>) {
    let mut child = Command::new(tool!("skills-read"))
        .args(["--request", "-"])
        .current_dir(dir)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(text.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    (
        serde_json::from_slice(&output.stdout).unwrap(),
        output.status.code(),
    )
}

#[test]
fn answers_the_text_protocol() {
    let dir = tree();
    let ask = |name: &str| {
        let text = format!("<skill_request><skill_name>{name}</skill_name></skill_request>");
        request(dir.path(), &text)
    };
    let (answer, code) = ask("report");
    assert_eq!(code, Some(0));
    assert_eq!(answer["skillName"], "report");
    assert_eq!(answer["skillDescription"], "Writes reports.");
    assert_eq!(answer["skillLocation"], "skills/report/SKILL.md");
    let result = answer["result"].as_str().unwrap();
    assert_eq!(answer["contentLength"], result.chars().count());
    let (answer, code) = ask("../secret");
    assert_eq!(code, Some(1));
    assert_eq!(answer["availableSkills"], serde_json::json!(["report"]));
    let (answer, code) = request(dir.path(), "hello");
    assert!(answer["error"].is_string() && code == Some(1));
}

/// Every path that the tool opened, as `strace` shows them; nothing where `strace` is missing.
fn opened(dir: &Path, resource: &str) -> Option<Vec<String>> {
    let trace = dir.join("trace");
    let status = Command::new("strace")
        .args([
            "-f",
            "-qq",
            "-y",
            "-s",
            "4096",
            "-e",
            "trace=open,openat,openat2",
            "-o",
        ])
        .arg(&trace)
        .arg(tool!("skills-read"))
        .args(["report", "--resource", resource])
        .current_dir(dir)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    status.ok()?;
    let text = fs::read_to_string(trace).ok()?;
    // The last descriptor of a line is what was really opened: `= 5</tmp/x>`.
    let opened = text.lines().filter_map(|line| {
        let (_, result) = line.rsplit_once(") = ")?;
        Some(result.split_once('<')?.1.trim_end_matches('>').to_owned())
    });
    Some(opened.collect())
}

#[test]
fn strace_sees_nothing_outside_opened() {
    let dir = tree();
    let skills = fs::canonicalize(dir.path().join("skills")).unwrap();
    let secret = fs::canonicalize(dir.path().join("secret.md")).unwrap();
    for resource in [
        "references/a.md",
        "link.md",
        "up/secret.md",
        "../../secret.md",
        "up/skills/report/SKILL.md",
        "/etc/hosts.md",
        "%2e%2e/%2e%2e/secret.md",
    ] {
        let paths = opened(dir.path(), resource)
            .ok_or_else(|| "strace is not here or may not trace".to_owned());
        let Some(paths) = skip::unless(Need::Strace, paths) else {
            return;
        };
        let system = ["/etc/ld.so", "/lib", "/usr/lib", "/proc/", "/sys/", "/dev/"];
        let is_system = |path: &&String| system.iter().any(|prefix| path.starts_with(prefix));
        let ours: Vec<&String> = paths.iter().filter(|path| !is_system(path)).collect();
        assert!(!ours.is_empty(), "{paths:?}");
        for path in ours {
            assert!(
                Path::new(path).starts_with(&skills),
                "{resource} opened {path}"
            );
            assert_ne!(Path::new(path), secret);
        }
    }
}
