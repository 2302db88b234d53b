//! Static skills that feed others: run before a call that needs their value, if it is too old.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests lay out their own skills"
)]

use std::fs;

use serde_json::{Value, json};
use skill_executor::call::Host;
use skill_executor::envelope::{ErrorCode, Failure};
use skill_executor::environment::HostEnvironment;
use skill_executor::package::SkillPackage;
use skill_executor::sandbox::Sandbox;
use skill_executor::state::State;
use skill_executor::{Request, Runner, standard};
use skill_testing::{Need, find};
use tempfile::TempDir;

const HEAD: &str = "schema: 1\nversion: '1'\nenabled: true\nrunnable: true\n";
const STATIC: &str = "type: static\ntransport: stdio-text\nentry: {runtime: shell, argv: [sh, main], dir: scripts}\n\
    placeholders: [{key: '{{Sky}}'}]\npermissions: {filesystem: skill}\n";
const DIRECT: &str = "type: direct\ntransport: stdio-json\nentry: {runtime: shell, argv: [sh, main], dir: scripts}\n\
    permissions: {filesystem: skill}\n";
const MODULE: &str = "type: service\ntransport: module\nentry: {runtime: node, module: main, dir: scripts}\n\
    host_answered: [plugin-manager]\npermissions: {filesystem: skill}\n";
/// Counts its runs.
const SKY: &str = "echo x >> $HOME/runs; echo sun $(grep -c x $HOME/runs)";
const SAYS: &str = "printf '{\"status\":\"success\",\"result\":{\"sky\":\"%s\"}}' \"${Sky-none}\"";
const ASKS: &str = "let manager; exports.initialize = (c, d) => { manager = d.pluginManager; };\n\
    exports.processToolCall = async () => ({ sky: manager.getPlaceholderValue('Sky'), all: manager.getAllPlaceholderValues().size });";

struct World(TempDir);

impl World {
    fn new(feeder: &str, program: &str) -> Self {
        let res = Self(TempDir::new().unwrap());
        res.skill("sky", &format!("{STATIC}{feeder}"), program);
        res.skill(
            "user",
            &format!("{DIRECT}requires: {{skills: [sky]}}\n"),
            SAYS,
        );
        res.skill("stranger", DIRECT, SAYS);
        res.skill(
            "module",
            &format!("{MODULE}requires: {{skills: [sky]}}\n"),
            ASKS,
        );
        res
    }

    fn skill(&self, name: &str, metadata: &str, program: &str) {
        let skill = self.0.path().join("skills").join(name);
        fs::create_dir_all(skill.join("scripts")).unwrap();
        fs::write(
            skill.join("SKILL.md"),
            format!("---\nname: {name}\ndescription: A skill.\n---\n"),
        )
        .unwrap();
        fs::write(
            skill.join("METADATA.yml"),
            format!("{HEAD}name: {name}\n{metadata}"),
        )
        .unwrap();
        fs::write(skill.join("scripts/main"), program).unwrap();
    }

    fn run(&self, name: &str) -> Value {
        self.run_permitting(name, |_| true)
    }

    /// Runs a skill; `permits` says which others may run because of it.
    fn run_permitting(&self, name: &str, permits: fn(&str) -> bool) -> Value {
        let path = ("PATH".to_owned(), std::env::var("PATH").unwrap_or_default());
        let state = State::open(&self.0.path().join("state")).unwrap();
        let host = Host {
            sandbox: Sandbox::off(),
            ..Host::new(state, HostEnvironment::from([path]))
        };
        let runner = Runner::new(standard(), host).with_permits(move |name| {
            let failure = || Failure::new(ErrorCode::Denied, format!("`{name}` may not run"));
            permits(name).then_some(()).ok_or_else(failure)
        });
        let skill = SkillPackage::read(&self.0.path().join("skills").join(name)).unwrap();
        runner.run(&skill, Request::new(Value::Null)).to_value()
    }

    fn sky(&self, name: &str) -> Value {
        self.run(name)["value"]["sky"].clone()
    }

    /// Makes the record of the last run as old as the epoch.
    fn age(&self) {
        for file in fs::read_dir(self.0.path().join("state/placeholders")).unwrap() {
            let path = file.unwrap().path();
            let mut record: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
            record["at_ms"] = json!(0);
            fs::write(path, record.to_string()).unwrap();
        }
    }
}

fn warnings(answer: &Value) -> Vec<&str> {
    let warnings = answer["warnings"].as_array().unwrap();
    warnings
        .iter()
        .map(|warning| warning["code"].as_str().unwrap())
        .collect()
}

#[test]
fn a_value_is_computed_again_when_a_moment_of_its_schedule_has_passed() {
    for (refresh, after_a_while) in [("refresh: {cron: '0 0 1 1 *'}\n", "sun 2"), ("", "sun 1")] {
        let world = World::new(refresh, SKY);
        assert_eq!(world.sky("user"), "sun 1");
        assert_eq!(world.sky("user"), "sun 1");
        assert_eq!(world.sky("stranger"), "none");
        world.age();
        assert_eq!(world.sky("stranger"), "none");
        assert_eq!(world.sky("user"), after_a_while, "{refresh}");
        assert_eq!(world.sky("user"), after_a_while);
    }
}

#[test]
fn a_skill_that_is_not_permitted_does_not_run_because_of_another() {
    let world = World::new("", SKY);
    let answer = world.run_permitting("user", |name| name != "sky");
    assert_eq!(warnings(&answer), ["feeder-failed"], "{answer}");
    assert_eq!(answer["value"]["sky"], "none");
    assert_eq!(world.sky("user"), "sun 1", "its first run");
    world.skill(
        "broken",
        &format!("{DIRECT}idempotent: true\nfallback: [stranger]\n"),
        "exit 3",
    );
    let answer = world.run("broken");
    assert_eq!(answer["ok"], true, "{answer}");
    let answer = world.run_permitting("broken", |name| name != "stranger");
    assert_eq!(answer["ok"], false, "{answer}");
    if find::program(Need::Node, "node").is_none() {
        return;
    }
    let calls = "let manager; exports.initialize = (c, d) => { manager = d.pluginManager; };\n\
        exports.processToolCall = () => manager.processToolCall('stranger', {});";
    world.skill("caller", MODULE, calls);
    assert_eq!(world.run("caller")["ok"], true);
    let answer = world.run_permitting("caller", |name| name != "stranger");
    let message = answer["error"]["message"].as_str().unwrap_or_default();
    assert!(message.contains("may not run"), "{answer}");
}

#[test]
fn a_module_asks_the_plugin_manager() {
    if find::program(Need::Node, "node").is_none() {
        return;
    }
    let world = World::new("refresh: {cron: '0 0 1 1 *'}\n", SKY);
    let value = &world.run("module")["value"];
    assert_eq!(json!([value["sky"], value["all"]]), json!(["sun 1", 1]));
    world.age();
    assert_eq!(world.sky("module"), "sun 2");
}

/// The call goes on with the last known value, and the skill is tried again at its next moment.
#[test]
fn a_feeder_that_fails_is_a_warning() {
    let fails = format!("{SKY}; [ $(grep -c x $HOME/runs) = 1 ] || exit 3");
    let world = World::new("refresh: {cron: '0 0 1 1 *'}\n", &fails);
    assert_eq!(world.sky("user"), "sun 1");
    world.age();
    let answer = world.run("user");
    assert_eq!(warnings(&answer), ["feeder-failed"], "{answer}");
    assert_eq!(answer["value"]["sky"], "sun 1");
    assert_eq!(warnings(&world.run("user")), [""; 0]);
}

/// A feeder runs under its own policy: an approval of the call does not count for it.
#[test]
fn a_feeder_needs_its_own_approval() {
    let world = World::new("", SKY);
    let metadata = STATIC.replace(
        "{filesystem: skill}",
        "{filesystem: skill, approval: required}",
    );
    world.skill("sky", &metadata, SKY);
    let answer = world.run("user");
    assert_eq!(warnings(&answer), ["feeder-failed"], "{answer}");
    assert!(
        answer["warnings"][0]["message"]
            .as_str()
            .unwrap()
            .contains("not approved"),
        "{answer}"
    );
    assert_eq!(answer["value"]["sky"], "none");
}
