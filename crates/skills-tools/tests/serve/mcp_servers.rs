//! Real MCP servers as skills: asked for their tools once, called by `skills-run`, and offered by
//! `skills-serve` to an official client, with the answers that they give when they are asked directly.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use skill_testing::find::clients;
use skill_testing::tool;
use tempfile::TempDir;

use super::clients::inspect;
use super::process::binary;

/// Returns what a tool prints, as JSON.
fn output(command: &mut Command) -> Value {
    let output = command.output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(&text)
        .unwrap_or_else(|error| panic!("{command:?}: {error}\n{text}{errors}"))
}

/// Migrates a list with one server and asks it for its tools.
fn lay_out(name: &str, entry: &Value, directory: &Path) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("in")).unwrap();
    let list = json!({"mcpServers": {name: entry}});
    fs::write(dir.path().join("in/.mcp.json"), list.to_string()).unwrap();
    let migrate = |words: &[&str]| {
        let mut command = Command::new(tool!("skills-migrate"));
        command.args(words).current_dir(dir.path());
        command
    };
    let migrated = migrate(&["in", "--out", "out"]).output().unwrap();
    assert!(migrated.status.success(), "{migrated:?}");
    // The server is outside of the skill, where a sandbox would not let it read its own files.
    permit(dir.path(), name, directory);
    // The second time, tools are known that ask for an approval.
    for _ in 0..2 {
        let found = output(&mut migrate(&["introspect", "out", "--state", "state"]));
        assert_eq!(found["ok"], true, "{found}");
    }
    dir
}

/// Lets the program of a skill use directories, as a user does.
fn permit(dir: &Path, name: &str, directory: &Path) {
    let mut command = Command::new(tool!("skills-run"));
    let setting = format!("SKILL_DIRECTORIES={}", directory.display());
    let words = ["configure", &format!("out/{name}"), &setting];
    let output = command
        .args(words)
        .args(["--state", "state"])
        .current_dir(dir)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
}

/// Calls a tool directly, by `skills-run`, and through `skills-serve`: the same text and the same
/// structured content.
#[track_caller]
fn check(dir: &TempDir, name: &str, direct: &[&str], (tool, arguments): (&str, &[&str])) {
    let flat = |words: &[&str]| -> Vec<String> {
        let pairs = words
            .iter()
            .flat_map(|pair| ["--tool-arg".to_owned(), (*pair).to_owned()]);
        pairs.collect()
    };
    let call = |target: &[&str], tool: &str| {
        let arguments = flat(arguments);
        let mut words = vec!["--method", "tools/call", "--tool-name", tool];
        words.extend(arguments.iter().map(String::as_str));
        inspect(target, &words).unwrap().unwrap()
    };
    let expected = call(direct, tool);
    let input: serde_json::Map<String, Value> = arguments
        .iter()
        .map(|pair| {
            let (key, value) = pair.split_once('=').unwrap();
            let value = serde_json::from_str(value).unwrap_or_else(|_| value.into());
            (key.to_owned(), value)
        })
        .collect();
    let answer = output(
        Command::new(tool!("skills-run"))
            .args([
                &format!("out/{name}"),
                "--command",
                tool,
                "--state",
                "state",
            ])
            .args(["--input", &Value::Object(input).to_string()])
            .current_dir(dir.path()),
    );
    assert_eq!(answer["content"], expected["content"], "{answer}");
    if let Some(structured) = expected.get("structuredContent") {
        assert_eq!(answer["value"], *structured);
    }
    let (skills, state) = (dir.path().join("out"), dir.path().join("state"));
    let served = [
        &binary(),
        "--stdio",
        skills.to_str().unwrap(),
        "--allow-run",
        name,
        "--state",
        state.to_str().unwrap(),
        "--tools",
        "commands",
    ]
    .map(str::to_owned);
    let served: Vec<&str> = served.iter().map(String::as_str).collect();
    let tools = inspect(&served, &["--method", "tools/list"])
        .unwrap()
        .unwrap();
    let tools = tools["tools"].as_array().unwrap();
    let own = tools
        .iter()
        .find(|one| one["name"].as_str().unwrap().ends_with(tool));
    let own = own.unwrap_or_else(|| panic!("no {tool} in {tools:?}"));
    let answer = call(&served, own["name"].as_str().unwrap());
    assert_eq!(answer["content"], expected["content"], "{answer}");
}

#[test]
fn the_server_everything_answers_alike_in_three_ways() {
    let Some(place) = clients("node") else { return };
    let node = place.join("node_modules/node/bin/node");
    let file = place.join("node_modules/@modelcontextprotocol/server-everything/dist/index.js");
    let (node, file) = (node.to_str().unwrap(), file.to_str().unwrap());
    let dir = lay_out(
        "everything",
        &json!({"command": node, "args": [file]}),
        &place,
    );
    let direct = [node, file];
    check(&dir, "everything", &direct, ("echo", &["message=hello"]));
    check(&dir, "everything", &direct, ("get-sum", &["a=2", "b=3"]));
}

#[test]
fn the_server_time_answers_alike_in_three_ways() {
    let (Some(place), Some(_)) = (clients("python"), clients("node")) else {
        return;
    };
    let program = place.join("py/bin/mcp-server-time");
    let program = program.to_str().unwrap();
    let dir = lay_out(
        "time",
        &json!({"command": program, "args": ["--local-timezone", "UTC"]}),
        &place,
    );
    let arguments = [
        "source_timezone=UTC",
        "time=12:00",
        "target_timezone=Asia/Tokyo",
    ];
    check(
        &dir,
        "time",
        &[program, "--local-timezone", "UTC"],
        ("convert_time", &arguments),
    );
}

/// A client of the SDK gets the same from a server and from `skills-serve` before it: schemas, progress,
/// all kinds of content, both kinds of errors, and its cancellation arrives.
#[test]
fn a_client_sees_the_server_behind_a_skill() {
    let Some(place) = clients("node") else { return };
    let node = place.join("node_modules/node/bin/node");
    let node = node.to_str().unwrap();
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients");
    let file = here.join("slow.mjs");
    let file = file.to_str().unwrap();
    let both = format!("{},{}", place.display(), here.display());
    let dir = lay_out(
        "slow",
        &json!({"command": node, "args": [file]}),
        Path::new(&both),
    );
    let seen = |prefix: &str, target: &[&str]| {
        let output = Command::new(node)
            .arg(here.join("direct.mjs"))
            .arg(prefix)
            .args(target)
            .env("CLIENTS", &place)
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{errors}");
        String::from_utf8(output.stdout).unwrap()
    };
    let direct = seen("", &[node, file]);
    for part in [
        "All parts",
        "\"required\":[\"two\"]",
        "\"idempotentHint\":true",
        "\"progress\":3",
        "step 1",
        "-32042",
        "\"audio\"",
        "1 cancelled",
    ] {
        assert!(direct.contains(part), "{part}: {direct}");
    }
    let (skills, state) = (dir.path().join("out"), dir.path().join("state"));
    let [skills, state] = [&skills, &state].map(|path| path.to_str().unwrap());
    let program = binary();
    let words = [
        "--allow-run",
        "slow",
        "--state",
        state,
        "--tools",
        "commands",
    ];
    let served = [&[program.as_str(), "--stdio", skills], &words[..]].concat();
    assert_eq!(seen("slow__", &served), direct);
}
