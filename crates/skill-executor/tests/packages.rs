//! Programs find the packages that were installed for their skill, or say which one is missing.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests lay out skills and read the environment"
)]

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use skill_executor::call::Host;
use skill_executor::envelope::Envelope;
use skill_executor::package::SkillPackage;
use skill_executor::prepare::{Settings, prepare, prune};
use skill_executor::sandbox::Sandbox;
use skill_executor::state::State;
use skill_executor::{Request, Runner, standard};
use skill_testing::{Need, find};
use tempfile::TempDir;

/// A program that answers with what the package `greet` exports.
const COMMONJS: &str = "const greet = require('greet');\nconsole.log(JSON.stringify({status: 'success', result: greet}));";
const MODULE: &str =
    "import greet from 'greet';\nconsole.log(JSON.stringify({status: 'success', result: greet}));";
const TOOL: &str = "const greet = require('greet');\nmodule.exports = { async processToolCall() { return greet; } };";

/// A directory with one skill, which requires a package in its own directory.
fn skill(file: &str, code: &str, metadata: &str) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = dir.path().join("skills/hello").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write(&format!("scripts/{file}"), code);
    write(
        "scripts/vendor/greet/package.json",
        r#"{"name": "greet", "version": "1.0.0", "main": "greet.js"}"#,
    );
    write("scripts/vendor/greet/greet.js", "module.exports = 'hello';");
    let head = "schema: 1\nname: hello\nversion: '1'\nenabled: true\nrunnable: true\n";
    let requires = "requires: {npm: [greet], packages: {npm: {greet: 'file:vendor/greet'}}}\n";
    let plugin_type = if metadata.contains("module") {
        "hybridservice"
    } else {
        "synchronous"
    };
    let legacy = format!(
        "legacy: {{host: vcp-main, name: Hello, directory: HelloDir, plugin_type: {plugin_type}}}\n"
    );
    write(
        "METADATA.yml",
        &format!("{head}{requires}{legacy}{metadata}"),
    );
    dir
}

fn direct(file: &str, code: &str) -> TempDir {
    let metadata = format!(
        "type: direct\ntransport: stdio-json\ntimeout_ms: 20000\nentry: {{runtime: node, argv: [node, {file}], dir: scripts}}\n"
    );
    skill(file, code, &metadata)
}

fn run(dir: &Path) -> (Envelope, Runner, SkillPackage) {
    let state = State::open(&dir.join("state")).unwrap();
    let environment = [("PATH".to_owned(), std::env::var("PATH").unwrap())];
    let host = Host {
        sandbox: Sandbox::off(),
        ..Host::new(state, environment.into())
    };
    let runner = Runner::new(standard(), host);
    let package = SkillPackage::read(&dir.join("skills/hello")).unwrap();
    let envelope = runner.run(&package, Request::new(json!({})));
    (envelope, runner, package)
}

fn is_possible() -> bool {
    find::node().is_some() && find::program(Need::Programs, "npm").is_some()
}

fn settings(dir: &Path) -> Settings {
    let mut environment: std::collections::BTreeMap<_, _> = std::env::vars().collect();
    let cache = dir.join("npm").display().to_string();
    environment.insert("npm_config_cache".to_owned(), cache);
    environment.insert("npm_config_fetch_retries".to_owned(), "0".to_owned());
    environment.insert(
        "npm_config_registry".to_owned(),
        "http://127.0.0.1:1".to_owned(),
    );
    Settings {
        environment,
        ..Settings::default()
    }
}

#[track_caller]
fn check(dir: &TempDir, file: &str) {
    let dir = dir.path();
    let (before, runner, package) = run(dir);
    let failure = before.outcome.unwrap_err();
    assert_eq!(failure.code.word(), "missing-package", "{failure:?}");
    assert_eq!(failure.details["package"], "greet");
    assert_eq!(failure.details["command"], "skills-run prepare hello");
    assert_eq!(failure.details["file"], format!("scripts/{file}"));
    let skills = [package];
    let prepared = prepare(&skills, runner.state(), &settings(dir), &mut |_| ()).unwrap();
    assert!(prepared.is_whole, "{}", prepared.report);
    assert!(!dir.join("skills/hello/scripts/node_modules").exists());
    let (after, runner, _) = run(dir);
    let value = after.outcome.unwrap().value;
    assert!(value.to_string().contains("hello"), "{value}");
    // The next removal keeps it while the skill is there, and removes it afterwards.
    assert_eq!(prune(runner.state()).unwrap()["kept"], 1);
    fs::remove_dir_all(dir.join("skills")).unwrap();
    let pruned = prune(runner.state()).unwrap();
    assert_eq!(
        (&pruned["kept"], &pruned["removed"]),
        (&json!(0), &json!(1))
    );
}

#[test]
fn programs_find_installed_packages() {
    if is_possible() {
        check(&direct("a.js", COMMONJS), "a.js");
    }
}

/// They ignore `NODE_PATH`.
#[test]
fn modules_of_ecmascript_find_them_too() {
    if is_possible() {
        check(&direct("a.mjs", MODULE), "a.mjs");
    }
}

#[test]
fn modules_that_a_host_loads_find_them_too() {
    if is_possible() {
        let metadata = "type: service\ntransport: module\nentry: {runtime: node, module: a.js, exports: [processToolCall], dir: scripts}\n";
        check(&skill("a.js", TOOL, metadata), "a.js");
    }
}

/// An installed package may load a peer only when it is used, and the program may catch the error.
#[test]
fn a_peer_of_an_installed_package_is_named() {
    if !is_possible() {
        return;
    }
    let dir = direct(
        "a.js",
        "let answer;\ntry { answer = {status: 'success', result: require('greet')()}; }\ncatch (error) { answer = {status: 'error', error: 'greeting failed: ' + error.message}; }\nconsole.log(JSON.stringify(answer));",
    );
    let package = dir.path().join("skills/hello/scripts/vendor/greet");
    fs::write(
        package.join("package.json"),
        r#"{"name": "greet", "version": "1.0.0", "main": "greet.js", "peerDependencies": {"voice": "*"}, "peerDependenciesMeta": {"voice": {"optional": true}}}"#,
    )
    .unwrap();
    fs::write(
        package.join("greet.js"),
        "module.exports = () => require('voice');",
    )
    .unwrap();
    let (_, runner, package) = run(dir.path());
    let settings = settings(dir.path());
    prepare(&[package], runner.state(), &settings, &mut |_| ()).unwrap();
    let failure = run(dir.path()).0.outcome.unwrap_err();
    assert_eq!(failure.code.word(), "missing-package", "{failure:?}");
    assert_eq!(failure.details["package"], "voice");
    assert_eq!(failure.details["file"], "node_modules/greet/greet.js");
    let own = failure.details["plugin_error"].as_str().unwrap();
    assert!(own.starts_with("greeting failed"), "{own}");
}

/// An error of the program that only has the words of Node.js stays its own.
#[test]
fn words_about_a_module_are_not_a_missing_package() {
    if find::node().is_some() {
        let code = r#"console.log(JSON.stringify({status: 'error', error: "the page says: Cannot find module 'x'"}));"#;
        let (envelope, ..) = run(direct("a.js", code).path());
        assert_eq!(envelope.outcome.unwrap_err().code.word(), "plugin-error");
    }
}

/// A module may end the whole process while it is loaded; that does not mean a missing package.
#[test]
fn a_program_that_ends_itself_says_so() {
    if find::node().is_some() {
        let (envelope, ..) = run(direct("a.js", "process.exit(1)").path());
        assert_eq!(envelope.outcome.unwrap_err().code.word(), "exit-code");
    }
}

/// The shell lines in SKILL.md run in the skill's own directory.
#[test]
fn a_shell_finds_them_after_the_exported_lines() {
    if !is_possible() {
        return;
    }
    for (file, code) in [("a.js", COMMONJS), ("a.mjs", MODULE)] {
        let dir = direct(file, code);
        let (_, runner, package) = run(dir.path());
        let skills = [package];
        let settings = settings(dir.path());
        let prepared = prepare(&skills, runner.state(), &settings, &mut |_| ());
        let lines = skill_executor::prepare::Shell::Sh.lines(&prepared.unwrap().variables);
        let line = format!(
            "{lines}cd {}/scripts && node {file}",
            skills[0].dir.display()
        );
        let run = std::process::Command::new("/bin/sh")
            .args(["-c", &line])
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&run.stdout).into_owned();
        let reply: Value = serde_json::from_str(&text).unwrap_or_default();
        assert_eq!(reply["result"], "hello", "{run:?}");
    }
}
