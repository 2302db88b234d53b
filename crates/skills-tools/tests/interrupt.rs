//! A signal that ends a tool while a skill runs ends the skill as well.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests make directories and start the tools themselves"
)]

use skill_testing::tool;
use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use tempfile::TempDir;

/// A skill that begins and does not end; its processes are recognized by `mark`.
fn skill(mark: &str) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    let skill = dir.path().join("skills/endless");
    fs::create_dir_all(skill.join("scripts")).unwrap();
    let write = |path: &str, text: &str| fs::write(skill.join(path), text).unwrap();
    write(
        "SKILL.md",
        "---\nname: endless\ndescription: Never ends.\n---\n\nNever ends.\n",
    );
    write(
        "METADATA.yml",
        "schema: 1\nname: endless\nversion: '1'\ntype: direct\ntransport: stdio-json\ntimeout_ms: 600000\n\
         entry: {runtime: shell, argv: [sh, main.sh], dir: scripts}\n",
    );
    // `sleep` adds its arguments.
    write("scripts/main.sh", &format!("sleep 600 {mark} & wait\n"));
    dir
}

/// Processes that have `mark` among their arguments.
fn marked(mark: &str) -> usize {
    let all = fs::read_dir("/proc").unwrap().flatten();
    let arguments = all.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    let has = |arguments: &Vec<u8>| arguments.split(|b| *b == 0).any(|it| it == mark.as_bytes());
    arguments.filter(has).count()
}

/// Looks for at most half a minute.
fn until(is_so: impl Fn() -> bool) -> bool {
    for _ in 0..3_000 {
        if is_so() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    false
}

fn start(tool: String, dir: &Path, arguments: &[&str]) -> Child {
    Command::new(tool)
        .current_dir(dir)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Returns the output of a tool that gets `signal` while the skill runs. No process of the skill may be
/// left.
#[track_caller]
fn check(mut tool: Child, mark: &str, signal: &str) -> Output {
    let begun = until(|| marked(mark) > 0);
    let killed = Command::new("kill")
        .args([signal, &tool.id().to_string()])
        .status();
    if !begun {
        tool.kill().unwrap();
    }
    let output = tool.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(begun, "the skill never began: {said}");
    assert!(killed.unwrap().success());
    assert!(until(|| marked(mark) == 0), "{signal}: the skill goes on");
    output
}

#[test]
fn a_signal_ends_the_call_of_skills_run() {
    for (n, signal) in ["-INT", "-TERM"].into_iter().enumerate() {
        let mark = format!("0.{}1{n}", std::process::id());
        let dir = skill(&mark);
        let arguments = ["./skills/endless", "--state", "state"];
        let tool = start(tool!("skills-run"), dir.path(), &arguments);
        let output = check(tool, &mark, signal);
        let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(answer["error"]["code"], "cancelled", "{answer}");
        assert_eq!(output.status.code(), Some(1));
    }
}

#[test]
fn a_signal_ends_the_calls_of_skills_serve() {
    let mark = format!("0.{}2", std::process::id());
    let dir = skill(&mark);
    let arguments = ["skills", "--stdio", "--allow-run", "*", "--state", "state"];
    let mut tool = start(tool!("skills-serve"), dir.path(), &arguments);
    let hello = r#"{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}"#;
    let call = r#"{"name":"run_skill","arguments":{"skill_name":"endless"}}"#;
    let mut input = tool.stdin.take().unwrap();
    for line in [
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"initialize","params":{hello}}}"#),
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#.to_owned(),
        format!(r#"{{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{call}}}"#),
    ] {
        writeln!(input, "{line}").unwrap();
    }
    check(tool, &mark, "-TERM");
    drop(input);
}

/// The package managers of the user are not confined, and nobody waits for them any more.
#[test]
fn a_signal_ends_what_prepare_started() {
    for (n, signal) in ["-KILL", "-TERM"].into_iter().enumerate() {
        let mark = format!("0.{}3{n}", std::process::id());
        let dir = skill(&mark);
        let metadata = dir.path().join("skills/endless/METADATA.yml");
        let text = fs::read_to_string(&metadata).unwrap() + "requires: {npm: [axios]}\n";
        fs::write(&metadata, text).unwrap();
        let npm = dir.path().join("npm");
        fs::write(&npm, format!("#!/bin/sh\nsleep 600 {mark} & wait\n")).unwrap();
        fs::set_permissions(&npm, fs::Permissions::from_mode(0o755)).unwrap();
        let path = format!("{}:/usr/bin:/bin", dir.path().display());
        let tool = Command::new(tool!("skills-run"))
            .current_dir(dir.path())
            .args(["prepare", "./skills/endless", "--state", "state"])
            .env("PATH", path)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        check(tool.unwrap(), &mark, signal);
    }
}
