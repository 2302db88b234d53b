//! Official clients walk through the same steps, and each of them sees the same.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use skill_testing::find::clients;

use super::process::{Server, arguments, binary, skills};

/// The output of all clients; `asked:` lines come from the question before a run.
const EXPECTED: &str = include_str!("../clients/expected.txt");

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/clients")
        .join(name)
}

/// The words after which a client is given its target: a URL or a command.
fn python(mode: &str) -> Option<Command> {
    let mut res = Command::new(clients("python")?.join("py/bin/python"));
    res.arg(file("client.py")).arg(file("steps.json")).arg(mode);
    Some(res)
}

fn node() -> Option<Command> {
    let place = clients("node")?;
    let mut res = Command::new(place.join("node_modules/node/bin/node"));
    res.arg(file("client.mjs"))
        .arg(file("steps.json"))
        .env("CLIENTS", place);
    Some(res)
}

fn walk(mut client: Command) -> String {
    let output = client.stdin(Stdio::null()).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{client:?}\n{errors}");
    String::from_utf8(output.stdout).unwrap()
}

#[track_caller]
fn check_stdio(client: Option<Command>, protocol: Option<&str>) {
    let Some(mut client) = client else { return };
    let dir = skills();
    client
        .arg(binary())
        .arg("--stdio")
        .args(arguments(dir.path()));
    check_transcript(&walk(client), protocol);
}

#[track_caller]
fn check_http(client: Option<Command>, protocol: Option<&str>) {
    let Some(mut client) = client else { return };
    let dir = skills();
    let server = Server::start(dir.path(), &[]);
    client.arg(&server.url);
    check_transcript(&walk(client), protocol);
}

#[track_caller]
fn check_transcript(found: &str, protocol: Option<&str>) {
    let (head, found) = match protocol {
        None => (None, found),
        Some(_) => {
            let (head, rest) = found.split_once('\n').unwrap();
            (head.strip_prefix("protocol: "), rest)
        }
    };
    assert_eq!(head, protocol);
    // Without a session nothing is active.
    let is_stateless = protocol == Some("2026-07-28");
    // There, an unknown resource has the code of wrong parameters.
    let code = if is_stateless { "-32602" } else { "-32002" };
    let expected = EXPECTED.replace("-32002", code);
    for (found, expected) in found.lines().zip(expected.lines()) {
        let is_active = expected.contains("is already active");
        if !(is_stateless && is_active) {
            assert_eq!(found, expected);
        }
    }
    assert_eq!(found.lines().count(), EXPECTED.lines().count(), "{found}");
}

#[test]
fn the_python_client_over_stdio_without_a_handshake() {
    check_stdio(python("auto"), Some("2026-07-28"));
}

#[test]
fn the_python_client_over_stdio_with_a_handshake() {
    check_stdio(python("legacy"), Some("2025-11-25"));
}

#[test]
fn the_python_client_over_http_without_sessions() {
    check_http(python("auto"), Some("2026-07-28"));
}

#[test]
fn the_python_client_over_http_with_sessions() {
    check_http(python("legacy"), Some("2025-11-25"));
}

#[test]
fn the_typescript_client_over_stdio() {
    check_stdio(node(), None);
}

#[test]
fn the_typescript_client_over_http() {
    check_http(node(), None);
}

/// Returns the output of the inspector's command line for one method.
pub(crate) fn inspect(target: &[&str], words: &[&str]) -> Option<Result<Value, String>> {
    let place = clients("node")?;
    let mut command = Command::new(place.join("node_modules/node/bin/node"));
    command.arg(place.join("node_modules/@modelcontextprotocol/inspector/cli/build/cli.js"));
    command
        .arg("--cli")
        .args(target)
        .args(words)
        .stdin(Stdio::null());
    let output = command.output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    Some(if output.status.success() {
        Ok(serde_json::from_slice(&output.stdout).unwrap())
    } else {
        Err(errors)
    })
}

/// Lists, reads by a tool and by a resource, and fails at both.
#[track_caller]
fn check_inspector(target: &[&str]) {
    let at = |words: &[&str], pointer: &str| {
        Some(inspect(target, words)?.unwrap().pointer(pointer)?.clone())
    };
    let Some(name) = at(&["--method", "tools/list"], "/tools/0/name") else {
        return;
    };
    assert_eq!(name, "list_skills");
    for (skill, pointer, expected) in [
        ("pdf-forms", "/_meta/skills-serve~1data/truncated", false),
        ("pdf-form", "/isError", true),
    ] {
        let skill = format!("skill_name={skill}");
        let tool = ["--method", "tools/call", "--tool-name", "read_skill"];
        let words = [&tool[..], &["--tool-arg", &skill]].concat();
        assert_eq!(at(&words, pointer), Some(expected.into()), "{skill}");
    }
    let read = |uri| ["--method", "resources/read", "--uri", uri];
    let media = at(&read("skill://pdf-forms/SKILL.md"), "/contents/0/mimeType");
    assert_eq!(media, Some("text/markdown".into()));
    let missing = inspect(target, &read("skill://x/y"));
    assert!(missing.unwrap().unwrap_err().contains("-32002"));
}

#[test]
fn the_inspector_over_http() {
    let dir = skills();
    let server = Server::start(dir.path(), &[]);
    check_inspector(&[&server.url, "--transport", "http"]);
}

#[test]
fn the_inspector_over_stdio() {
    let dir = skills();
    let arguments = arguments(dir.path());
    let binary = binary();
    let mut target = vec![binary.as_str(), "--stdio"];
    target.extend(arguments.iter().map(String::as_str));
    check_inspector(&target);
}
