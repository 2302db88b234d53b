//! Tests that an approval covers what would run when it was given.

use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::running::run_all;
use crate::{Agent, skill, value, write};

const METADATA: &str = "schema: 1\nname: probe\nversion: '1'\ntype: direct\ntransport: stdio-json\nentry: {runtime: shell, argv: [sh, main.sh], dir: scripts}\npermissions: {network: none, filesystem: skill, admin: false, approval: none}\n";

fn script(dir: &Path, result: &str) {
    let text = format!("echo '{{\"status\":\"success\",\"result\":[\"{result}\"]}}'\n");
    write(dir, "skills/probe/scripts/main.sh", &text);
}

async fn agent(dir: &Path, says: Value) -> Agent {
    skill(dir, "skills/probe", "Works.");
    write(dir, "skills/probe/METADATA.yml", METADATA);
    script(dir, "one");
    let state = dir.join("state");
    let change = |settings: &mut skill_mcp::Settings| run_all(&state, settings);
    Agent::start_as(&dir.join("skills"), Some(says), change).await
}

/// Runs the skill; returns its value and the number of questions so far.
async fn run(agent: &mut Agent) -> (Value, usize) {
    let answer = agent
        .tool("run_skill", json!({"skill_name": "probe"}))
        .await;
    (value(&answer), agent.asked.len())
}

fn lasting() -> Value {
    json!({"action": "accept", "content": {"remember": true}})
}

#[tokio::test]
async fn a_lasting_yes_ends_when_the_skill_changes() {
    let dir = TempDir::new().unwrap();
    let mut agent = agent(dir.path(), lasting()).await;
    assert_eq!(run(&mut agent).await, (json!(["one"]), 1));
    assert_eq!(run(&mut agent).await, (json!(["one"]), 1));
    script(dir.path(), "two");
    assert_eq!(run(&mut agent).await, (json!(["two"]), 2));
    assert_eq!(run(&mut agent).await, (json!(["two"]), 2));
    // The program is the same and the permissions are not.
    let wider = METADATA.replace("filesystem: skill", "filesystem: any");
    write(dir.path(), "skills/probe/METADATA.yml", &wider);
    assert_eq!(run(&mut agent).await, (json!(["two"]), 3));
    // A call leaves code next to its program.
    let leaves = "echo 1 > left.py\necho '{\"status\":\"success\",\"result\":[3]}'\n";
    write(dir.path(), "skills/probe/scripts/main.sh", leaves);
    assert_eq!(run(&mut agent).await, (json!([3]), 4));
    assert_eq!(run(&mut agent).await, (json!([3]), 5));
    agent.says = Some(json!({"action": "decline"}));
    script(dir.path(), "six");
    assert_eq!(run(&mut agent).await, (Value::Null, 6));
}

#[tokio::test]
async fn where_every_call_needs_a_yes_none_lasts() {
    let dir = TempDir::new().unwrap();
    let mut agent = agent(dir.path(), lasting()).await;
    assert_eq!(run(&mut agent).await, (json!(["one"]), 1));
    let required = METADATA.replace("approval: none", "approval: required");
    write(dir.path(), "skills/probe/METADATA.yml", &required);
    for n_asked in 2..5 {
        assert_eq!(run(&mut agent).await, (json!(["one"]), n_asked));
    }
    // A lasting answer is not offered where it would not be kept.
    let properties = |nth: usize| &agent.asked[nth]["requestedSchema"]["properties"];
    assert!(properties(0)["remember"].is_object());
    assert_eq!(*properties(3), json!({}));
}

/// A lasting yes for one command does not cover another one that asks before each call.
#[tokio::test]
async fn a_lasting_yes_does_not_reach_a_command_that_asks_each_time() {
    let dir = TempDir::new().unwrap();
    let mut agent = agent(dir.path(), lasting()).await;
    let commands =
        format!("{METADATA}commands: [{{id: look}}, {{id: wipe, approval: required}}]\n");
    write(dir.path(), "skills/probe/METADATA.yml", &commands);
    for (command, n_asked) in [
        ("look", 1),
        ("look", 1),
        ("wipe", 2),
        ("wipe", 3),
        ("look", 3),
    ] {
        let arguments = json!({"skill_name": "probe", "command": command});
        let answer = agent.tool("run_skill", arguments).await;
        assert_eq!(value(&answer), json!(["one"]), "{command}");
        assert_eq!(agent.asked.len(), n_asked, "{command}");
    }
    let properties = |nth: usize| &agent.asked[nth]["requestedSchema"]["properties"];
    assert!(properties(0)["remember"].is_object());
    assert_eq!(*properties(1), json!({}));
}

/// Two commands that the arguments select; a yes is asked for before each call of the second one.
const SELECTED: &str = "commands:\n- {id: look, dispatch: {key: do, value: look}, input_schema: {type: object}}\n- {id: wipe, approval: required, dispatch: {key: do, value: wipe}, input_schema: {type: object}}\n";

#[tokio::test]
async fn no_name_or_argument_leads_a_lasting_yes_to_such_a_command() {
    let dir = TempDir::new().unwrap();
    let mut agent = agent(dir.path(), lasting()).await;
    write(
        dir.path(),
        "skills/probe/METADATA.yml",
        &format!("{METADATA}{SELECTED}"),
    );
    let calls = [
        (
            "run_skill",
            json!({"skill_name": "probe", "command": "look"}),
            1,
        ),
        (
            "run_skill",
            json!({"skill_name": "probe", "command": "look"}),
            1,
        ),
        (
            "run_skill",
            json!({"skill_name": "probe", "command": "wipe"}),
            2,
        ),
        (
            "run_skill",
            json!({"skill_name": "probe", "command": "WIPE"}),
            3,
        ),
        ("probe__wipe", json!({}), 4),
        // The program follows the argument, not the name.
        (
            "run_skill",
            json!({"skill_name": "probe", "arguments": {"do": "wipe"}}),
            5,
        ),
        (
            "run_skill",
            json!({"skill_name": "probe", "command": "look", "arguments": {"do": "wipe"}}),
            6,
        ),
        ("probe__look", json!({"do": "wipe"}), 7),
        // Programs ignore the case, take a list, or decide by themselves.
        (
            "run_skill",
            json!({"skill_name": "probe", "arguments": {"do": "WIPE"}}),
            8,
        ),
        (
            "run_skill",
            json!({"skill_name": "probe", "command": "look", "arguments": {"do": ["wipe"]}}),
            9,
        ),
        (
            "run_skill",
            json!({"skill_name": "probe", "arguments": {"what": "all"}}),
            10,
        ),
        ("probe__look", json!({}), 10),
    ];
    for (tool, arguments, n_asked) in calls {
        let answer = agent.tool(tool, arguments.clone()).await;
        assert_eq!(value(&answer), json!(["one"]), "{tool} {arguments}");
        assert_eq!(agent.asked.len(), n_asked, "{tool} {arguments}");
    }
    let offers = agent.asked.iter().map(|asked| {
        let properties = &asked["requestedSchema"]["properties"];
        properties.get("remember").is_some()
    });
    let offers: Vec<bool> = offers.collect();
    assert_eq!(offers.iter().position(|is_offered| *is_offered), Some(0));
    assert_eq!(offers.iter().filter(|is_offered| **is_offered).count(), 1);
}
