//! `skills-serve --nats` and `skills-run --nats`: the tools, as processes, with a real server
//! between them.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests make directories and start programs, and a failed step is a failed test"
)]

use skill_testing::{find, tool};
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};
use skill_nats::testing::TestServer;
use tempfile::TempDir;

/// A migrated skill that answers with its arguments, and where it ran.
fn lay_out(dir: &Path, name: &str, more: &str) {
    let skill = dir.join(name);
    fs::create_dir_all(skill.join("scripts")).unwrap();
    let text = format!("---\nname: {name}\ndescription: Repeats its input.\n---\n");
    fs::write(skill.join("SKILL.md"), text).unwrap();
    let metadata = format!(
        "schema: 1\nname: {name}\ndescription: Repeats its input.\nversion: 1.0.0\nenabled: true\nrunnable: true\n{more}"
    );
    fs::write(skill.join("METADATA.yml"), metadata).unwrap();
    let script = "import json, os, sys\ninput = json.load(sys.stdin)\nprint(json.dumps({'status': 'success', 'result': {'said': input.get('text'), 'here': os.path.exists('../config.env')}}))\n";
    fs::write(skill.join("scripts/main.py"), script).unwrap();
}

const DIRECT: &str = "type: direct\ntransport: stdio-json\nentry:\n  runtime: python\n  argv: [python3, main.py]\n  dir: scripts\n";

/// A node that ends when this is dropped.
struct Node(Child);

impl Node {
    fn start(server: &TestServer, dir: &TempDir, name: &str, allow: &str) -> Self {
        Self::start_at(&server.url(), dir, name, allow)
    }

    fn command(url: &str, dir: &TempDir, name: &str, allow: &str) -> Command {
        let mut command = Command::new(tool!("skills-serve"));
        command
            .arg(dir.path().join("theirs"))
            .args(["--nats", url, "--node", name, "--allow-run", allow])
            .arg("--state")
            .arg(dir.path().join("state"))
            .stderr(Stdio::piped());
        command
    }

    fn start_at(url: &str, dir: &TempDir, name: &str, allow: &str) -> Self {
        let mut child = Self::command(url, dir, name, allow).spawn().unwrap();
        let mut line = String::new();
        let stderr = child.stderr.take().unwrap();
        BufReader::new(stderr).read_line(&mut line).unwrap();
        assert!(line.contains(" skills of the node "), "{line}");
        Self(child)
    }

    /// Tells it to stop, and gives whether it ended well.
    fn stop(self) -> bool {
        self.stop_with(&["-TERM"])
    }

    /// Sends it signals one after another, and gives whether it ended well.
    fn stop_with(mut self, signals: &[&str]) -> bool {
        let id = self.0.id().to_string();
        for signal in signals {
            Command::new("kill").args([signal, &*id]).status().unwrap();
        }
        self.0.wait().unwrap().success()
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Runs `skills-run` and gives its answer and its exit status.
fn skills_run(dir: &TempDir, args: &[&str]) -> (Value, i32) {
    let output = Command::new(tool!("skills-run"))
        .args(args)
        .arg("--state")
        .arg(dir.path().join("state"))
        .env_remove("SKILLS_NATS_URL")
        .output()
        .unwrap();
    let answer = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
        panic!("{error}: {}", String::from_utf8_lossy(&output.stderr));
    });
    (answer, output.status.code().unwrap())
}

#[test]
fn a_skill_of_a_node_is_run_by_name() {
    if find::python().is_none() {
        return;
    }
    let Some(server) = TestServer::start() else {
        return;
    };
    let dir = tempfile::tempdir().unwrap();
    lay_out(&dir.path().join("theirs"), "speak", DIRECT);
    lay_out(&dir.path().join("theirs"), "hidden", DIRECT);
    let node = Node::start(&server, &dir, "lab-1", "sp*");
    let url = server.url();
    let input = r#"{"text": "你好"}"#;
    let (answer, status) = skills_run(&dir, &["speak", "--nats", &url, "--input", input]);
    assert_eq!(
        (&answer["value"]["said"], status),
        (&"你好".into(), 0),
        "{answer}"
    );
    assert_eq!(answer["meta"]["node"], "lab-1");
    // What the node does not offer is not there.
    let (answer, status) = skills_run(&dir, &["hidden", "--nats", &url]);
    assert_eq!((&answer["error"]["code"], status), (&"not-found".into(), 2));
    assert!(node.stop());
    let (answer, status) = skills_run(&dir, &["speak", "--nats", &url]);
    assert_eq!((&answer["error"]["code"], status), (&"not-found".into(), 2));
}

#[test]
fn a_skill_of_type_distributed_runs_on_a_node() {
    if find::python().is_none() {
        return;
    }
    let Some(server) = TestServer::start() else {
        return;
    };
    let dir = tempfile::tempdir().unwrap();
    lay_out(&dir.path().join("theirs"), "speak", DIRECT);
    lay_out(
        &dir.path().join("ours"),
        "speak",
        "type: distributed\ntransport: nats\n",
    );
    let _node = Node::start(&server, &dir, "lab-1", "*");
    let ours = dir.path().join("ours/speak");
    let ours = ours.to_str().unwrap();
    let input = r#"{"text": "hello"}"#;
    let (answer, status) = skills_run(&dir, &[ours, "--nats", &server.url(), "--input", input]);
    assert_eq!(
        (&answer["value"]["said"], status),
        (&"hello".into(), 0),
        "{answer}"
    );
    assert_eq!(answer["meta"]["executor"], "distributed");
    assert_eq!(answer["meta"]["node"], "lab-1");
    let (answer, status) = skills_run(&dir, &[ours, "--input", input]);
    assert_eq!(
        (&answer["error"]["code"], status),
        (&"not-runnable".into(), 1),
        "{answer}"
    );
}

#[test]
fn an_mcp_server_is_a_node_too() {
    let dir = tempfile::tempdir().unwrap();
    lay_out(&dir.path().join("theirs"), "speak", DIRECT);
    let mut child = Command::new(tool!("skills-serve"))
        .arg(dir.path().join("theirs"))
        .args(["--http", "127.0.0.1:0"])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let stderr = child.stderr.take().unwrap();
    BufReader::new(stderr).read_line(&mut line).unwrap();
    let _node = Node(child);
    let url = line.trim().rsplit(' ').next().unwrap();
    lay_out(
        &dir.path().join("ours"),
        "lister",
        "type: distributed\ntransport: mcp\ncommands:\n- id: list_skills\n  input_schema: {type: object}\nconfig:\n  schema:\n    type: object\n    properties:\n      MCP_SERVER_URL: {type: string}\n",
    );
    let config = dir.path().join("config.env");
    fs::write(&config, format!("MCP_SERVER_URL={url}\n")).unwrap();
    let ours = dir.path().join("ours/lister");
    let (ours, config) = (ours.to_str().unwrap(), config.to_str().unwrap());
    let (answer, status) = skills_run(&dir, &[ours, "--config", config]);
    assert_eq!(status, 0, "{answer}");
    assert!(answer["value"].to_string().contains("speak"), "{answer}");
    // Without an address, and with one where nobody listens, there is a reason.
    let (answer, status) = skills_run(&dir, &[ours]);
    assert_eq!(
        (&answer["error"]["code"], status),
        (&"not-runnable".into(), 1),
        "{answer}"
    );
    fs::write(config, "MCP_SERVER_URL=http://127.0.0.1:9/mcp\n").unwrap();
    let (answer, status) = skills_run(&dir, &[ours, "--config", config]);
    assert_eq!(
        (&answer["error"]["code"], status),
        (&"unavailable".into(), 1),
        "{answer}"
    );
}

#[test]
fn a_mirrored_skill_is_read_here_and_run_there() {
    if find::python().is_none() {
        return;
    }
    let Some(server) = TestServer::start() else {
        return;
    };
    let dir = tempfile::tempdir().unwrap();
    lay_out(&dir.path().join("theirs"), "speak", DIRECT);
    lay_out(&dir.path().join("theirs"), "both", DIRECT);
    lay_out(&dir.path().join("ours"), "both", DIRECT);
    let _node = Node::start(&server, &dir, "lab-1", "*");
    let [mirror, ours] = ["mirror", "ours"].map(|name| {
        let path = dir.path().join(name);
        path.to_str().unwrap().to_owned()
    });
    let url = server.url();
    let args = [
        "nodes", "--nats", &url, "--mirror", &mirror, "--skills", &ours,
    ];
    let (answer, status) = skills_run(&dir, &args);
    assert_eq!(answer["written"], serde_json::json!(["speak"]), "{answer}");
    assert_eq!((&answer["shadowed"][0]["by"], status), (&"local".into(), 0));
    // By its name, among ours and theirs.
    let output = Command::new(tool!("skills-run"))
        .args([
            "speak",
            "--skills",
            &ours,
            "--skills",
            &mirror,
            "--input",
            r#"{"text": "hi"}"#,
        ])
        .arg("--state")
        .arg(dir.path().join("state"))
        .env("SKILLS_NATS_URL", &url)
        .output()
        .unwrap();
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["value"]["said"], "hi", "{answer}");
    assert_eq!(answer["meta"]["node"], "lab-1");
}

/// The names that `skills-describe` tells, and what it says on standard error.
fn described(args: &[&str]) -> (Vec<String>, String) {
    let output = Command::new(tool!("skills-describe"))
        .args(args)
        .args(["--format", "json"])
        .output()
        .unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{stderr}");
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    let skills = answer["skills"].as_array().unwrap();
    let names = skills.iter().map(|skill| skill["name"].as_str().unwrap());
    (names.map(str::to_owned).collect(), stderr)
}

/// Returns the answer of `skills-serve` to a call of a tool over the standard streams.
fn served(args: &[&str], tool: &str, arguments: &Value) -> Value {
    let mut child = Command::new(tool!("skills-serve"))
        .args(args)
        .arg("--stdio")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}});
    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let call = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {
        "name": tool, "arguments": arguments}});
    let mut stdin = child.stdin.take().unwrap();
    for message in [hello, ready, call] {
        writeln!(stdin, "{message}").unwrap();
    }
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut answers = lines.map(|line| serde_json::from_str::<Value>(&line.unwrap()).unwrap());
    let answer = answers.find(|answer| answer["id"] == 2).unwrap();
    drop(stdin);
    assert!(child.wait().unwrap().success());
    answer["result"].clone()
}

#[test]
fn every_tool_sees_the_skills_of_nodes_behind_the_local_ones() {
    let Some(mut server) = TestServer::start() else {
        return;
    };
    let dir = tempfile::tempdir().unwrap();
    lay_out(&dir.path().join("theirs"), "speak", DIRECT);
    lay_out(&dir.path().join("theirs"), "both", DIRECT);
    lay_out(&dir.path().join("ours"), "both", DIRECT);
    let node = Node::start(&server, &dir, "lab-1", "*");
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    let (ours, kept, state, url) = (path("ours"), path("kept"), path("state"), server.url());
    let nodes = ["--nodes", &url, "--nodes-dir", &kept];
    let with_nodes = |more: &[&'static str]| [&[&*ours], &nodes[..], more].concat();

    let (names, stderr) = described(&with_nodes(&["--no-index"]));
    assert_eq!(names, ["both", "speak"]);
    assert!(stderr.contains("`both` is shadowed"), "{stderr}");
    let output = Command::new(tool!("skills-read"))
        .args(["speak", "--format", "json", "--skills", &ours])
        .args(nodes)
        .output()
        .unwrap();
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["skill"]["name"], "speak", "{answer}");
    let found = served(&with_nodes(&[]), "list_skills", &json!({}));
    let text = found["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("speak") && text.contains("both"), "{found}");
    let mut args = with_nodes(&["--allow-run", "*", "--state"]);
    args.push(&state);
    let run = json!({"skill_name": "speak", "arguments": {"text": "hi"}});
    let answer = served(&args, "run_skill", &run);
    assert!(answer.to_string().contains("lab-1"), "{answer}");

    // What left is gone, and without the server nobody knows what there is.
    assert!(node.stop());
    let (names, _) = described(&with_nodes(&["--no-index"]));
    assert_eq!(names, ["both"]);
    server.kill();
    let (names, stderr) = described(&with_nodes(&["--no-index"]));
    assert_eq!(names, ["both"]);
    assert!(
        stderr.contains("the skills of nodes are left out"),
        "{stderr}"
    );
}

/// Something between a node and its server that can stop to carry anything, in both directions and
/// without closing the connection.
fn half_open(server: &TestServer) -> (String, Arc<AtomicBool>) {
    let target = server.url().replace("nats://", "");
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("nats://{}", listener.local_addr().unwrap());
    let is_cut = Arc::new(AtomicBool::new(false));
    let cut = Arc::clone(&is_cut);
    std::thread::spawn(move || {
        for near in listener.incoming() {
            let near = near.unwrap();
            if cut.load(Ordering::SeqCst) {
                // Taken, and never answered.
                std::mem::forget(near);
                continue;
            }
            let far = TcpStream::connect(&target).unwrap();
            for (from, to) in [(&near, &far), (&far, &near)] {
                let (from, to) = (from.try_clone().unwrap(), to.try_clone().unwrap());
                let cut = Arc::clone(&cut);
                std::thread::spawn(move || carry(from, to, &cut));
            }
        }
    });
    (url, is_cut)
}

fn carry(mut from: TcpStream, mut to: TcpStream, cut: &AtomicBool) {
    let mut buffer = vec![0; 64 << 10];
    while let Ok(n @ 1..) = from.read(&mut buffer) {
        if !cut.load(Ordering::SeqCst) && to.write_all(&buffer[..n]).is_err() {
            break;
        }
    }
}

/// A node ends after a signal, even without its server. If it does not, this test waits until nextest
/// ends it.
#[test]
fn a_node_ends_even_without_its_server() {
    for signals in [&["-TERM"][..], &["-INT"], &["-TERM", "-TERM"]] {
        for is_gone in [true, false] {
            let Some(mut server) = TestServer::start() else {
                return;
            };
            let dir = tempfile::tempdir().unwrap();
            lay_out(&dir.path().join("theirs"), "speak", DIRECT);
            let (url, is_cut) = half_open(&server);
            let node = Node::start_at(&url, &dir, "lab-1", "*");
            if is_gone {
                server.kill();
            } else {
                is_cut.store(true, Ordering::SeqCst);
            }
            assert!(node.stop_with(signals), "{signals:?}, gone: {is_gone}");
        }
    }
}

/// The same for one that waits for its server from the start.
#[test]
fn a_node_ends_while_its_server_does_not_answer() {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("nats://{}", silent.local_addr().unwrap());
    let dir = tempfile::tempdir().unwrap();
    lay_out(&dir.path().join("theirs"), "speak", DIRECT);
    let child = Node::command(&url, &dir, "lab-1", "*").spawn().unwrap();
    // The node has connected, so it handles signals.
    let _connection = silent.accept().unwrap();
    assert!(Node(child).stop());
}

#[test]
fn an_id_with_other_input_is_an_error_and_names_that_differ_are_too() {
    if find::python().is_none() {
        return;
    }
    let Some(server) = TestServer::start() else {
        return;
    };
    let dir = tempfile::tempdir().unwrap();
    lay_out(&dir.path().join("theirs"), "speak", DIRECT);
    let _node = Node::start(&server, &dir, "lab-1", "*");
    let url = server.url();
    let call = |input: &str, more: &[&str]| {
        let args = [&["speak", "--nats", &url, "--input", input][..], more].concat();
        skills_run(&dir, &args)
    };
    let id = ["--call-id", "same-1"];
    let (answer, status) = call(r#"{"text": "first"}"#, &id);
    assert_eq!((&answer["value"]["said"], status), (&"first".into(), 0));
    let (answer, status) = call(r#"{"text": "first"}"#, &id);
    assert_eq!((&answer["value"]["said"], status), (&"first".into(), 0));
    let (answer, status) = call(r#"{"text": "second"}"#, &id);
    assert_eq!(
        (&answer["error"]["code"], status),
        (&"invalid-input".into(), 1),
        "{answer}"
    );
    // Another node, whose name comes first, with other bytes.
    let others = tempfile::tempdir().unwrap();
    lay_out(&others.path().join("theirs"), "speak", DIRECT);
    let script = others.path().join("theirs/speak/scripts/main.py");
    fs::write(script, "print('{}')\n").unwrap();
    let _squatter = Node::start(&server, &others, "a", "*");
    let (answer, status) = call(r#"{"text": "x"}"#, &[]);
    assert_eq!(
        (&answer["error"]["code"], status),
        (&"ambiguous".into(), 1),
        "{answer}"
    );
    let (answer, _) = call(r#"{"text": "x"}"#, &["--prefer", "lab-1"]);
    assert_eq!(answer["meta"]["node"], "lab-1", "{answer}");
    let (answer, status) = skills_run(&dir, &["nodes", "--nats", &url]);
    let why = answer["refused"]["speak"].as_str().unwrap();
    assert!(
        why.contains("`a` has") && why.contains("`lab-1` has"),
        "{why}"
    );
    assert_eq!(status, 1);
}
