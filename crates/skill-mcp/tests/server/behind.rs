//! MCP servers behind skills: their log reaches the client, and calls that select no tool ask nobody.

use std::path::Path;

use serde_json::{Value, json};
use skill_executor::mcp::Introspection;
use tempfile::TempDir;

use crate::running::run_all;
use crate::{Agent, data, skill, write};

/// A server that says two things before each answer.
const SERVER: &str = r#"
import json, sys

tools = [{"name": name, "inputSchema": {}} for name in ["look", "wipe"]]
for line in sys.stdin:
    message = json.loads(line)
    method = message["method"]
    if "id" not in message:
        continue
    if method == "initialize":
        result = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}, "logging": {}}, "serverInfo": {"name": "s", "version": "1"}}
    elif method == "tools/list":
        result = {"tools": tools}
    else:
        for level in ["debug", "error"]:
            params = {"level": level, "logger": "s", "data": "works"}
            print(json.dumps({"jsonrpc": "2.0", "method": "notifications/message", "params": params}), flush=True)
        result = {"content": [{"type": "text", "text": "done"}]}
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
"#;

async fn agent(dir: &Path) -> Agent {
    let tools = json!({"tools": [{"name": "look", "inputSchema": {}}, {"name": "wipe", "inputSchema": {}}]});
    let digests = Introspection::from_list(&tools).digests();
    let mcp = json!({"command": "python3", "args": ["server.py"], "tools": digests});
    skill(dir, "skills/tools", "Works.");
    write(dir, "skills/tools/server.py", SERVER);
    let metadata = format!(
        "schema: 1\nname: tools\nversion: '1'\ntype: distributed\ntransport: mcp\nentry: {{runtime: python, mcp: {mcp}, dir: .}}\ncommands: [{{id: look}}, {{id: wipe}}]\n"
    );
    write(dir, "skills/tools/METADATA.yml", &metadata);
    let state = dir.join("state");
    let says = json!({"action": "accept", "content": {}});
    Agent::start_as(&dir.join("skills"), Some(says), |settings| {
        run_all(&state, settings);
    })
    .await
}

async fn run(agent: &mut Agent, command: Option<&str>) -> Value {
    let arguments = json!({"skill_name": "tools", "command": command});
    let arguments = arguments.as_object().unwrap().clone();
    let arguments = arguments.into_iter().filter(|(_, value)| !value.is_null());
    agent.tool("run_skill", arguments.collect()).await
}

fn n_logs(agent: &mut Agent) -> usize {
    let all = std::mem::take(&mut agent.notifications);
    all.iter()
        .filter(|method| *method == "notifications/message")
        .count()
}

#[tokio::test]
async fn the_log_of_a_server_reaches_the_client_at_its_level() {
    if skill_testing::find::python().is_none() {
        return;
    }
    let dir = TempDir::new().unwrap();
    let mut agent = agent(dir.path()).await;
    assert_eq!(agent.hello["capabilities"]["logging"], json!({}));
    let res = run(&mut agent, Some("look")).await;
    assert_eq!(res["content"][0]["text"], "done", "{res}");
    assert_eq!(n_logs(&mut agent), 2);
    let level = agent.call("logging/setLevel", json!({"level": "warning"}));
    assert_eq!(level.await, json!({}));
    run(&mut agent, Some("look")).await;
    assert_eq!(n_logs(&mut agent), 1);
}

#[tokio::test]
async fn nobody_is_asked_about_a_call_that_selects_no_tool() {
    let dir = TempDir::new().unwrap();
    let mut agent = agent(dir.path()).await;
    for (command, code) in [(None, "invalid-input"), (Some("lok"), "not-found")] {
        let res = run(&mut agent, command).await;
        assert_eq!(data(&res)["error"]["code"], code, "{res}");
        assert_eq!(agent.asked.len(), 0, "{res}");
    }
}
