//! Tests of running skills: calls end with the agent that asked, and the most used modules are
//! preloaded.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use skill_executor::call::Host;
use skill_executor::sandbox::Sandbox;
use skill_executor::standard;
use skill_executor::state::State;
use skill_executor::zone::Zone;
use skill_loader::catalog::{CatalogSettings, SkillRoot};
use skill_loader::load::Source;
use skill_mcp::{RunPolicy, Runner, Server, Settings};
use tempfile::TempDir;

use crate::{Agent, skill, value, write};

/// Allows all skills to run, without a sandbox.
pub(crate) fn run_all(state: &Path, settings: &mut Settings) {
    run_with(state, None, settings);
}

/// Like [`run_all`], with the text of a configuration file.
fn run_with(state: &Path, config: Option<&str>, settings: &mut Settings) {
    let host = Host {
        sandbox: Sandbox::off(),
        zone: Zone::utc(),
        ..Host::new(State::open(state).unwrap(), std::env::vars().collect())
    };
    let policy = RunPolicy::new(|_| true);
    let config = config.map(str::to_owned);
    let runner = Runner::new(policy, host, config, standard(), &[]);
    settings.run = Some(Arc::new(runner));
}

/// Checks a condition repeatedly, for at most half a minute.
async fn until(is_so: impl Fn() -> bool) -> bool {
    for _ in 0..3_000 {
        if is_so() {
            return true;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    false
}

/// Starts an endless skill and checks that `then` ends it.
async fn check_given_up(then: impl AsyncFnOnce(Agent, u64)) {
    let dir = TempDir::new().unwrap();
    skill(dir.path(), "skills/endless", "Never ends.");
    let metadata = "schema: 1\nname: endless\nversion: '1'\ntype: direct\ntransport: stdio-json\ntimeout_ms: 600000\nentry: {runtime: shell, argv: [sh, main.sh], dir: scripts}\n";
    write(dir.path(), "skills/endless/METADATA.yml", metadata);
    let script = "sleep 600 & echo $! > pid; mv pid child.pid; wait\n";
    write(dir.path(), "skills/endless/scripts/main.sh", script);
    let state = dir.path().join("state");
    let mut agent = Agent::start(&dir.path().join("skills"), |settings| {
        run_all(&state, settings);
    })
    .await;
    let params = json!({"name": "run_skill", "arguments": {"skill_name": "endless"}});
    let call = json!({"jsonrpc": "2.0", "id": 77, "method": "tools/call", "params": params});
    agent.say(&call).await;
    let child = state.join("legacy/Plugin/endless/child.pid");
    assert!(until(|| child.is_file()).await, "the skill never began");
    then(agent, 77).await;
    let pid = fs::read_to_string(&child).unwrap();
    let is_gone = || {
        let stat = fs::read_to_string(format!("/proc/{}/stat", pid.trim()));
        stat.map_or(true, |stat| stat.contains(") Z "))
    };
    assert!(until(is_gone).await, "the skill goes on");
}

#[tokio::test]
async fn a_call_that_an_agent_cancels_ends() {
    check_given_up(async |mut agent, id| {
        let params = json!({"requestId": id, "reason": "enough"});
        agent
            .say(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}))
            .await;
        // The connection stays open.
        let tools = agent.call("tools/list", json!({})).await;
        assert!(tools["tools"].is_array(), "{tools}");
    })
    .await;
}

#[tokio::test]
async fn a_call_ends_with_the_agent_that_asked_for_it() {
    check_given_up(async |agent, _| drop(agent)).await;
}

#[tokio::test]
async fn the_most_used_modules_run_before_they_are_asked() {
    if skill_testing::find::node().is_none() {
        return;
    }
    let dir = TempDir::new().unwrap();
    let state = dir.path().join("state");
    // Recorded by hand: `often` and `seldom` are modules, `program` is not, `gone` does not exist.
    let calls = |skill: &str, n: usize| {
        format!(
            "{{\"at_ms\":1,\"skill\":\"{skill}\",\"executor\":\"service\",\"ok\":true,\"ms\":1}}\n"
        )
        .repeat(n)
    };
    let lines = [
        calls("program", 9),
        calls("gone", 8),
        calls("often", 3),
        calls("seldom", 1),
    ];
    write(&state, "usage/calls.jsonl", &lines.concat());
    for name in ["often", "seldom", "program"] {
        skill(dir.path(), &format!("skills/{name}"), "Works.");
        let kind = match name {
            "program" => {
                "type: direct\ntransport: stdio-json\nentry: {runtime: shell, argv: [sh, main.sh], dir: scripts}\n"
            }
            _ => {
                "type: service\ntransport: module\nentry: {runtime: node, module: main.js, dir: scripts}\n"
            }
        };
        let metadata = format!("schema: 1\nname: {name}\nversion: '1'\n{kind}");
        write(
            dir.path(),
            &format!("skills/{name}/METADATA.yml"),
            &metadata,
        );
        let source = "require('fs').writeFileSync(__dirname + '/loaded', ''); exports.processToolCall = () => process.pid;";
        write(
            dir.path(),
            &format!("skills/{name}/scripts/main.js"),
            source,
        );
    }
    let loaded = |name: &str| state.join(format!("legacy/Plugin/{name}/loaded")).is_file();
    let mut settings = Settings {
        catalog: CatalogSettings {
            roots: vec![SkillRoot {
                path: dir.path().join("skills"),
                source: Source::Project,
            }],
            ..CatalogSettings::default()
        },
        ..Settings::default()
    };
    run_all(&state, &mut settings);
    let runner = settings.run.clone().unwrap();
    let server = Server::new(settings);
    server.preload(1);
    assert!(until(|| loaded("often")).await, "nothing was started");
    // A number above that of the modules starts the remaining module and nothing else.
    server.preload(7);
    assert!(
        until(|| loaded("seldom")).await,
        "the second was not started"
    );
    assert!(!state.join("legacy/Plugin/program").exists());
    drop((server, runner));
}

/// There is one configuration file for all skills, and each skill gets the keys that it declares.
#[tokio::test]
async fn each_skill_gets_its_own_keys() {
    let dir = TempDir::new().unwrap();
    let state = dir.path().join("state");
    let config = "MAIL_PASSWORD=canary-mail\nBANK_PIN=canary-bank\nCITY=Oslo\n";
    for (name, key) in [
        ("mail", "MAIL_PASSWORD"),
        ("bank", "BANK_PIN"),
        ("probe", "CITY"),
    ] {
        skill(dir.path(), &format!("skills/{name}"), "Works.");
        let metadata = format!(
            "schema: 1\nname: {name}\nversion: '1'\ntype: direct\ntransport: stdio-json\nentry: {{runtime: shell, argv: [sh, main.sh], dir: scripts}}\nconfig: {{schema: {{properties: {{{key}: {{type: string}}}}}}}}\n"
        );
        let place = format!("skills/{name}");
        write(dir.path(), &format!("{place}/METADATA.yml"), &metadata);
        // Everything that the script can find in the file and in the environment.
        let script = "found=$({ cat config.env; env; } | grep -o 'canary-[a-z]*\\|Oslo' | sort -u | tr '\\n' ' ')\nprintf '{\"status\":\"success\",\"result\":[\"%s\"]}' \"$found\"\n";
        write(dir.path(), &format!("{place}/scripts/main.sh"), script);
    }
    let mut agent = Agent::start(&dir.path().join("skills"), |settings| {
        run_with(&state, Some(config), settings);
    })
    .await;
    for (name, own) in [
        ("mail", "canary-mail "),
        ("bank", "canary-bank "),
        ("probe", "Oslo "),
    ] {
        let answer = agent.tool("run_skill", json!({"skill_name": name})).await;
        assert_eq!(value(&answer), json!([own]), "{name}: {answer}");
    }
    // Files that were written for one skill contain no value that only another one declares.
    for (path, text) in texts(&state) {
        let n_keys = config.lines().filter(|line| {
            let value = line.split('=').nth(1).unwrap();
            text.contains(value)
        });
        assert!(n_keys.count() <= 1, "{path}: {text}");
    }
}

/// Returns the text files of a directory tree, without following links.
fn texts(dir: &Path) -> Vec<(String, String)> {
    let mut res = Vec::new();
    for entry in fs::read_dir(dir).unwrap().map(Result::unwrap) {
        let kind = entry.file_type().unwrap();
        if kind.is_dir() {
            res.append(&mut texts(&entry.path()));
        } else if let (true, Ok(text)) = (kind.is_file(), fs::read_to_string(entry.path())) {
            res.push((entry.path().display().to_string(), text));
        }
    }
    res
}

/// An agent learns why a skill is not run.
#[tokio::test]
async fn the_reason_of_a_refusal_is_reported() {
    let dir = TempDir::new().unwrap();
    for (name, words) in [
        ("off", "enabled: false\nrunnable: true\n"),
        (
            "lame",
            "enabled: true\nrunnable: false\nfindings: [{code: x, message: needs a browser}]\n",
        ),
    ] {
        skill(dir.path(), &format!("skills/{name}"), "Works.");
        let metadata = format!(
            "schema: 1\nname: {name}\nversion: '1'\ntype: direct\ntransport: stdio-json\n{words}entry: {{runtime: shell, argv: [sh, main.sh], dir: scripts}}\n"
        );
        write(
            dir.path(),
            &format!("skills/{name}/METADATA.yml"),
            &metadata,
        );
    }
    // `run_skill` exists only if at least one skill can run.
    skill(dir.path(), "skills/well", "Works.");
    let well = "schema: 1\nname: well\nversion: '1'\ntype: direct\ntransport: stdio-json\nentry: {runtime: shell, argv: [sh, main.sh], dir: scripts}\n";
    write(dir.path(), "skills/well/METADATA.yml", well);
    let state = dir.path().join("state");
    let mut agent = Agent::start(&dir.path().join("skills"), |settings| {
        run_all(&state, settings);
    })
    .await;
    for (name, why) in [
        (
            "off",
            "skill `off` is switched off, as its plugin was; `skills-run configure off --enable`",
        ),
        ("lame", "the skill `lame` cannot be run: needs a browser"),
    ] {
        let answer = agent.tool("run_skill", json!({"skill_name": name})).await;
        assert!(answer.to_string().contains(why), "{answer}");
    }
}

#[tokio::test]
async fn functions_of_the_host_are_run() {
    let dir = TempDir::new().unwrap();
    skill(dir.path(), "skills/skill-catalog", "Lists the skills.");
    let metadata = "schema: 1\nname: skill-catalog\nversion: '1'\ntype: internal\n";
    write(dir.path(), "skills/skill-catalog/METADATA.yml", metadata);
    let state = dir.path().join("state");
    let mut agent = Agent::start(&dir.path().join("skills"), |settings| {
        run_all(&state, settings);
    })
    .await;
    let params = json!({"skill_name": "skill-catalog"});
    let answer = agent.tool("run_skill", params).await;
    let skills = &value(&answer)["skills"];
    assert_eq!(skills[0]["name"], "skill-catalog", "{answer}");
}
