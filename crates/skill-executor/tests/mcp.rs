//! Servers that speak MCP, as programs and with addresses, good and hostile.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests lay out their own skills"
)]

#[path = "mcp/addresses.rs"]
mod addresses; // servers with an address
mod mcp_server;
#[path = "mcp/secrets.rs"]
mod secrets; // a server over HTTP, on loopback

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use skill_executor::call::{Approval, Host, Options, Purpose};
use skill_executor::environment::HostEnvironment;
use skill_executor::mcp::Introspection;
use skill_executor::package::SkillPackage;
use skill_executor::sandbox::Sandbox;
use skill_executor::state::State;
use skill_executor::zone::Zone;
use skill_executor::{Progress, Request, Runner, standard};
use tempfile::TempDir;

const PROGRAM: &str = include_str!("mcp_server/server.py");

/// A skill with a server.
struct World {
    dir: TempDir,
    runner: Runner,
}

impl World {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let path = std::env::var("PATH").unwrap();
        let variables: BTreeMap<String, String> = [("PATH", path.as_str()), ("KEY", "s3cret-key")]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into();
        let host = Host {
            sandbox: Sandbox::off(),
            zone: Zone::utc(),
            ..Host::new(
                State::open(&dir.path().join("state")).unwrap(),
                HostEnvironment::from_caller(variables, &["KEY".to_owned()]),
            )
        };
        let runner = Runner::new(standard(), host);
        Self { dir, runner }
    }

    /// Lays out the skill; `mcp` is `entry.mcp`, `more` are further lines of METADATA.yml.
    fn skill(&self, mcp: &Value, more: &str) -> SkillPackage {
        let skill = self.dir.path().join("tools");
        std::fs::create_dir_all(&skill).unwrap();
        std::fs::write(skill.join("server.py"), PROGRAM).unwrap();
        let metadata = format!(
            "schema: 1\nname: tools\nversion: '1'\ntype: distributed\ntransport: mcp\nentry:\n  runtime: python\n  mcp: {mcp}\n  dir: .\n{more}"
        );
        std::fs::write(skill.join("METADATA.yml"), metadata).unwrap();
        SkillPackage::read(&skill).unwrap()
    }

    /// Lays out the skill with the tools that its server has.
    fn introspected(&self, mut mcp: Value, more: &str) -> SkillPackage {
        let found = self.introspect(&self.skill(&mcp, more)).unwrap();
        mcp["tools"] = json!(found.digests());
        let commands = found.tools.values().map(|tool| json!(tool.command));
        let commands: Vec<Value> = commands.collect();
        self.skill(&mcp, &format!("{more}commands: {}\n", json!(commands)))
    }

    fn introspect(&self, skill: &SkillPackage) -> Result<Introspection, String> {
        let prepared = self.runner.prepare(skill, Request::default()).unwrap();
        prepared.introspect().map_err(|failure| failure.message)
    }

    fn call(&self, skill: &SkillPackage, tool: &str, input: Value) -> Value {
        self.call_with(skill, tool, input, Options::default())
    }

    fn call_with(&self, skill: &SkillPackage, tool: &str, input: Value, options: Options) -> Value {
        let request = Request {
            command: Some(tool.to_owned()),
            options: Options {
                approval: Approval::Granted,
                ..options
            },
            ..Request::new(input)
        };
        self.runner.run(skill, request).to_value()
    }
}

/// Returns a server that is a program; `None` without Python.
fn program() -> Option<Value> {
    skill_testing::find::python()?;
    Some(
        json!({"command": "python3", "args": ["server.py", "${MODE}"], "env": {"TOKEN": "${KEY}", "PLAIN": "x"}}),
    )
}

const SETTINGS: &str = "config: {secret: [KEY], schema: {type: object, properties: {KEY: {type: string}, MODE: {type: string}}}}\n";

#[track_caller]
fn check(found: &Value, value: &Value) {
    assert_eq!(
        (&found["ok"], &found["value"]),
        (&json!(true), value),
        "{found}"
    );
}

#[track_caller]
fn check_error(found: &Value, code: &str, part: &str) {
    assert_eq!(found["error"]["code"], code, "{found}");
    let message = found["error"]["message"].as_str().unwrap();
    assert!(message.contains(part), "{message}");
    assert!(!found.to_string().contains("s3cret"), "{found}");
}

#[test]
fn tools_of_a_program_answer_in_one_session() {
    let Some(server) = program() else { return };
    let world = World::new();
    let skill = world.introspected(server, SETTINGS);
    check(
        &world.call(&skill, "echo", json!({"text": "hé"})),
        &json!("hé"),
    );
    check(
        &world.call(&skill, "sum", json!({"a": 1, "b": 2})),
        &json!({"sum": 3}),
    );
    let parts = json!([{"type": "text", "text": "a"}, {"type": "image", "data": "AA==", "mimeType": "image/png"}]);
    check(&world.call(&skill, "parts", json!({})), &parts);
    // One process for all calls, and another one after it ended.
    let first = world.call(&skill, "pid", json!({}))["value"].clone();
    check(&world.call(&skill, "pid", json!({})), &first);
    check_error(
        &world.call(&skill, "crash", json!({})),
        "unavailable",
        "(code 3) before it answered: about to crash",
    );
    let second = world.call(&skill, "pid", json!({}));
    assert!(second["ok"] == true && second["value"] != first, "{second}");
    // Variables: those of `env`, with settings, and no others.
    check(
        &world.call(
            &skill,
            "env",
            json!({"names": ["TOKEN", "PLAIN", "CARGO_PKG_NAME"]}),
        ),
        &json!({"TOKEN": 10, "PLAIN": 1, "CARGO_PKG_NAME": 0}),
    );
    check_error(
        &world.call(&skill, "fail", json!({})),
        "plugin-error",
        "it did not work: ***",
    );
    check_error(
        &world.call(&skill, "refuse", json!({})),
        "invalid-input",
        "the MCP server: no such thing",
    );
}

#[test]
fn a_call_can_be_cancelled_and_reports_progress() {
    let Some(server) = program() else { return };
    let world = World::new();
    let skill = world.introspected(server, SETTINGS);
    let seen = Arc::new(Mutex::new(Vec::new()));
    let options = {
        let seen = Arc::clone(&seen);
        let each = move |done: f64, total: Option<f64>, message: Option<&str>| {
            seen.lock()
                .unwrap()
                .push((done, total, message.map(str::to_owned)));
        };
        Options {
            progress: Some(Progress::new(each)),
            ..Options::default()
        }
    };
    check(
        &world.call_with(&skill, "steps", json!({"n": 2}), options),
        &json!("done"),
    );
    let expected = [
        (1.0, Some(2.0), Some("step 1".to_owned())),
        (2.0, Some(2.0), Some("step 2".to_owned())),
    ];
    assert_eq!(*seen.lock().unwrap(), expected);
    // The server says that it began, and answers only when the call was cancelled.
    let cancel = skill_executor::cancel::Cancel::new();
    let options = {
        let cancel = cancel.clone();
        let progress = Progress::new(move |_, _, _| cancel.cancel());
        Options {
            progress: Some(progress),
            ..Options::default()
        }
    };
    let options = Options { cancel, ..options };
    check_error(
        &world.call_with(&skill, "wait", json!({}), options),
        "cancelled",
        "",
    );
    check(&world.call(&skill, "cancelled", json!({})), &json!(1));
    let options = Options {
        timeout: Some(Duration::from_millis(300)),
        ..Options::default()
    };
    check_error(
        &world.call_with(&skill, "wait", json!({}), options),
        "timeout",
        "no answer within 300 ms",
    );
    check(&world.call(&skill, "cancelled", json!({})), &json!(2));
}

#[test]
fn a_server_that_hangs_is_started_again() {
    let Some(server) = program() else { return };
    let world = World::new();
    let skill = world.introspected(server, SETTINGS);
    let pid = || world.call(&skill, "pid", json!({}))["value"].clone();
    let hang = |seconds: f64| {
        let options = Options {
            timeout: Some(Duration::from_millis(300)),
            ..Options::default()
        };
        let found = world.call_with(&skill, "hang", json!({ "seconds": seconds }), options);
        check_error(&found, "timeout", "no answer within 300 ms");
    };
    let first = pid();
    hang(0.6);
    assert_eq!(pid(), first, "it answers again");
    hang(100.0);
    let second = pid();
    assert!(second.is_string() && second != first, "{second}");
}

#[test]
fn tools_that_were_not_accepted_are_not_called() {
    let Some(server) = program() else { return };
    let world = World::new();
    let skill = world.skill(&server, SETTINGS);
    check_error(
        &world.call(
            &world.skill(&server, &format!("{SETTINGS}commands: [{{id: echo}}]\n")),
            "echo",
            json!({}),
        ),
        "not-runnable",
        "`skills-migrate introspect ",
    );
    let found = world.introspect(&skill).unwrap();
    assert_eq!(found.server, "fake 1.0");
    let destructive: Vec<_> = found
        .tools
        .values()
        .filter(|tool| tool.command.needs_approval())
        .map(|tool| tool.command.id.as_str())
        .collect();
    assert_eq!(destructive, ["wipe"]);
    assert!(found.tools["echo"].command.idempotent);
    let skill = world.introspected(server, SETTINGS);
    std::fs::write(world.dir.path().join("mode"), "changed").unwrap();
    let mode = world.dir.path().join("mode").display().to_string();
    let config = format!("MODE={mode}\n");
    let World { dir, runner } = world;
    let runner = Runner::new(standard(), runner.into_host()).with_config(Some(config));
    let world = World { dir, runner };
    let found = world.call(&skill, "echo", json!({"text": "x"}));
    check_error(
        &found,
        "denied",
        "(new: `added`; removed: `pid`; changed: `echo` (hints)); nothing was called. `skills-migrate introspect ",
    );
    // The message names the directory of the skill, and says nothing about its sandbox.
    assert_eq!(found["warnings"], json!([]), "{found}");
}

#[test]
fn tools_that_change_during_a_session_are_not_called() {
    let Some(server) = program() else { return };
    let world = World::new();
    let skill = world.introspected(server, SETTINGS);
    check(&world.call(&skill, "grow", json!({})), &json!("done"));
    check_error(
        &world.call(&skill, "echo", json!({"text": "x"})),
        "denied",
        "(new: `added`; removed: `pid`; changed: `echo` (hints))",
    );
    // A new process has the tools that were accepted.
    let answer = world.call(&skill, "echo", json!({"text": "x"}));
    check(&answer, &json!("x"));
}

#[test]
fn a_program_that_is_missing_is_named() {
    let world = World::new();
    let found = |world: &World, skill: &SkillPackage| world.call(skill, "echo", json!({}));
    let mcp = json!({"command": "node", "args": ["weather.js"], "tools": {"echo": "sha256:0"}});
    let skill = world.skill(&mcp, "commands: [{id: echo}]\n");
    let part = "the program `weather.js` of its MCP server is missing: expected the file `weather.js` in the skill";
    check_error(&found(&world, &skill), "not-runnable", part);
    let message = world.introspect(&skill).unwrap_err();
    assert!(message.contains(part), "{message}");
    let settings = skill_executor::prepare::settings(Vec::new());
    let host = world.runner.host();
    let skills = std::slice::from_ref(&skill);
    let mut remarks = Vec::new();
    let mut remark = |text: &str| remarks.push(text.to_owned());
    let prepared = skill_executor::prepare::prepare_whole(skills, host, &settings, &mut remark);
    let prepared = prepared.unwrap();
    assert!(!prepared.is_whole);
    assert_eq!(prepared.report["ok"], false);
    let why = prepared.report["skills"][0]["cannot_run"].as_str().unwrap();
    assert!(why.contains(part), "{why}");
    assert!(remarks.iter().any(|it| it.contains(part)), "{remarks:?}");
    std::fs::write(skill.dir.join("weather.js"), "").unwrap();
    let message = found(&world, &skill)["error"]["message"].to_string();
    assert!(!message.contains("is missing"), "{message}");
}

#[test]
fn nobody_is_asked_about_a_call_that_names_no_tool() {
    let world = World::new();
    let mcp = json!({"command": "x", "tools": {"look": "sha256:0", "wipe": "sha256:0"}});
    let commands = "commands: [{id: look}, {id: wipe, approval: required}]\n";
    let skill = world.skill(&mcp, commands);
    let prepare = |command: Option<&str>, purpose| {
        let options = Options {
            purpose,
            ..Options::default()
        };
        let request = Request {
            command: command.map(str::to_owned),
            options,
            ..Request::default()
        };
        world.runner.prepare(&skill, request).unwrap()
    };
    let unnamed = prepare(None, Purpose::Run);
    assert_eq!(unnamed.needs(), [""; 0]);
    check_error(
        &unnamed.run().to_value(),
        "invalid-input",
        "has several tools; name one with --command",
    );
    assert_eq!(prepare(Some("wipe"), Purpose::Run).needs().len(), 1);
    // Whoever only asks for the tools calls none, and cannot.
    let asking = prepare(None, Purpose::Introspect);
    assert_eq!(asking.needs(), [""; 0]);
    check_error(&asking.run().to_value(), "invalid-input", "and runs none");
}

#[test]
fn hostile_programs_are_bounded() {
    let Some(server) = program() else { return };
    let world = World::new();
    let skill = world.introspected(server.clone(), SETTINGS);
    check_error(
        &world.call(&skill, "long", json!({})),
        "too-large",
        "a line of more than 16777216 bytes",
    );
    // It is started first: on a busy machine that alone takes longer than the limit of the next call.
    world.call(&skill, "echo", json!({"text": "x"}));
    check_error(
        &world.call(&skill, "chatter", json!({})),
        "too-large",
        "that answer no request",
    );
    check(
        &world.call(&skill, "echo", json!({"text": "x"})),
        &json!("x"),
    );
    let mut modes = server;
    for (mode, part) in [
        ("pages", "a page that leads to itself"),
        ("endless", "more than 2000 tools"),
        ("version", "speaks the protocol version `1999-01-01`"),
        ("silent", "ended (code 0) before it answered"),
    ] {
        modes["args"] = json!(["server.py", mode]);
        let message = world
            .introspect(&world.skill(&modes, SETTINGS))
            .unwrap_err();
        assert!(message.contains(part), "{mode}: {message}");
    }
    modes["args"] = json!(["server.py", "schemas"]);
    let found = world.introspect(&world.skill(&modes, SETTINGS)).unwrap();
    let ids: Vec<_> = found.tools.keys().map(String::as_str).collect();
    assert_eq!(ids, ["answer", "cycle"]);
    let expected = [
        "`deep` is left out: the schema of its arguments has 81 levels, expected at most 28",
        "of the answers of the tool `answer` is left out: it has 740032 bytes, expected at most 262144",
        "`huge` is left out: the schema of its arguments has 740032 bytes, expected at most 262144",
        "`two words` is left out: its name has 9 bytes",
    ];
    assert_eq!(found.left_out.len(), expected.len(), "{found:?}");
    for (found, part) in found.left_out.iter().zip(expected) {
        assert!(found.contains(part), "{found}");
    }
}

#[test]
fn a_package_that_is_not_installed_is_named() {
    let world = World::new();
    for (package, list) in [("npm:@x/server", "npm"), ("pypi:some-server", "pip")] {
        let skill = world.skill(
            &json!({"package": package}),
            &format!(
                "requires: {{{list}: ['{}']}}\n",
                package.split_once(':').unwrap().1
            ),
        );
        let message = world.introspect(&skill).unwrap_err();
        assert!(
            message.contains("is not installed: `skills-run prepare tools` installs it"),
            "{message}"
        );
    }
}
