//! Attacks on calls between machines, with a real NATS server.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use skill_nats::testing::TestServer;
use skill_testing::Need;

use super::messages::Wire;
use super::place::{Place, answer, has, other_tools, said, skip, tool};

/// A server, or none and the reason.
fn server(row: usize, more: &str) -> Option<TestServer> {
    if !has("python3") {
        skip(Need::Python, row, "no python3");
        return None;
    }
    TestServer::start_with(more)
}

/// A node with the skills of a place, ended when this is dropped.
struct Node(Child);

impl Node {
    fn start(place: &Place, url: &str, name: &str, more: &[&str]) -> Self {
        let mut command = tool("skills-serve");
        command
            .arg(place.path("skills"))
            .args(["--nats", url, "--node", name]);
        command.args(["--allow-run", "*", "--sandbox", "none"]);
        command.args(["--state", &place.text("state")]).args(more);
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        lines.read_line(&mut line).unwrap();
        assert!(line.contains(" skills of the node "), "{line}");
        std::thread::spawn(move || std::io::copy(&mut lines, &mut std::io::sink()));
        Self(child)
    }
}

impl Node {
    /// Returns true if the node ends by itself within `limit`.
    fn ends_within(&mut self, limit: Duration) -> bool {
        let start = Instant::now();
        while start.elapsed() < limit {
            if self.0.try_wait().unwrap().is_some() {
                return true;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        false
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Returns a place with one skill, which runs without a sandbox: these attacks are on the traffic
/// between nodes.
fn place() -> Place {
    let res = Place::new();
    res.skill("probe", "network: none, filesystem: skill");
    res
}

/// The answer of a node to a call with `code`.
fn call(place: &Place, url: &str, code: &str, more: &[&str]) -> Value {
    let mut command = tool("skills-run");
    command.args(["probe", "--nats", url, "--input", &place.input(code)]);
    command.args(["--state", &place.text("caller")]).args(more);
    answer(&mut command)
}

/// The documented configuration of the tools that are tested.
fn documented() -> PathBuf {
    let ours = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let theirs = other_tools().map(|bin| bin.join("../.."));
    let file = |root: PathBuf| root.join("docs/nats/nats-server.conf");
    let theirs = theirs.map(file).filter(|path| path.is_file());
    theirs.unwrap_or_else(|| file(ours))
}

/// The documented configuration with a second node, `lab-2`, that has the rights of the first.
fn with_second_node() -> String {
    let mut text = fs::read_to_string(documented()).unwrap();
    for who in ["ADMIN", "WORKER", "NODE", "CALLER"] {
        let name = format!("$SKILLS_{who}_PASSWORD");
        text = text.replace(&name, &format!("\"{}\"", who.to_lowercase()));
    }
    let start = text.find("    {\n      user: \"lab-1\"").unwrap();
    let end = start + text[start..].find("\n    }\n").unwrap() + "\n    }\n".len();
    let second = text[start..end].replace("lab-1", "lab-2");
    text.insert_str(end, &second);
    text
}

/// Whatever might carry a call or its answer.
const SUBJECTS: [&str; 9] = [
    ">",
    "skills.>",
    "skills.run.>",
    "skills.call.>",
    "skills.node.>",
    "skills.node.lab-1.>",
    "skills.answer.>",
    "_INBOX_caller.>",
    "skills.node.lab-2.*",
];

/// The message that `lab-2` may receive: it marks the end of the calls, and proves that it listens.
const OVER: &str = "the-calls-are-over";

/// Listens as `lab-2` to all that it may until the calls are over, and answers every message that
/// asks for it with a false claim.
fn eavesdrop(mut wire: Wire) -> String {
    let mut heard = String::new();
    while let Some(message) = wire.next() {
        heard.extend([message.subject, message.text]);
        if heard.contains(OVER) {
            return heard;
        }
        let lie = json!({"ok": true, "value": {"original_plugin_output": "a lie"}, "content": [],
            "warnings": [], "meta": {"skill": "probe", "node": "lab-1", "sandbox": "full"}});
        if let Some(reply) = message.reply {
            wire.publish(&reply, Some("result"), &lie);
        }
    }
    heard
}

#[test]
fn row_13_a_node_hears_and_answers_no_call_of_another() {
    let Some(server) = server(13, &with_second_node()) else {
        return;
    };
    let place = place();
    let as_user = |user: &str, password: &str| {
        server
            .url()
            .replace("nats://", &format!("nats://{user}:{password}@"))
    };
    let mut prepare = tool("skills-run");
    prepare.args(["nodes", "--prepare", "--nats", &as_user("admin", "admin")]);
    prepare.args(["--nats-inbox", "_INBOX_admin"]);
    let prepared = prepare.output().unwrap();
    assert!(prepared.status.success(), "{prepared:?}");
    let inbox = ["--nats-inbox", "_INBOX_lab-1"];
    let _node = Node::start(&place, &as_user("lab-1", "node"), "lab-1", &inbox);
    let mut wire = Wire::new(&server.url(), Some(("lab-2", "node")));
    for (id, subject) in SUBJECTS.iter().enumerate() {
        wire.subscribe(subject, id);
    }
    wire.settle();
    let thread = std::thread::spawn(move || eavesdrop(wire));
    let url = as_user("caller", "caller");
    for _ in 0..3 {
        let code = "password = 'of-the-call'; out = 'the truth'";
        let answer = call(&place, &url, code, &["--nats-inbox", "_INBOX_caller"]);
        assert_eq!(said(&answer), "the truth", "{answer}");
        assert_eq!(answer["meta"]["node"], "lab-1");
    }
    let mut caller = Wire::new(&server.url(), Some(("caller", "caller")));
    caller.publish("skills.node.lab-2.cancel", None, &json!(OVER));
    caller.settle();
    let heard = thread.join().unwrap();
    assert!(heard.contains(OVER), "lab-2 heard nothing: {heard}");
    assert!(!heard.contains("of-the-call"), "{heard}");
}

#[test]
fn row_22_a_name_with_other_bytes_on_another_node_is_refused() {
    let Some(server) = server(22, "") else {
        return;
    };
    let (honest, other) = (place(), place());
    let _honest = Node::start(&honest, &server.url(), "lab-1", &[]);
    let run = || call(&honest, &server.url(), "out = 'of lab-1'", &[]);
    assert_eq!(said(&run()), "of lab-1");
    let program = "import sys\nopen('$OUT', 'w').write(sys.stdin.read())\nprint('{}')\n";
    let stolen = other.text("outside/stolen");
    other.write(
        "skills/probe/scripts/main.py",
        &program.replace("$OUT", &stolen),
    );
    let _squatter = Node::start(&other, &server.url(), "a", &[]);
    let answer = run();
    assert!(
        !Path::new(&stolen).is_file(),
        "the other node got the call: {answer}"
    );
    assert_eq!(answer["error"]["code"], "ambiguous", "{answer}");
}

/// Lists skills as a node that lives and never gives a file, and counts how often it is asked.
fn silent_node(url: &str, n_skills: usize) -> Wire {
    let mut res = Wire::new(url, None);
    res.subscribe("skills.node.silent.>", 1);
    let beat = json!({"incarnation": "x", "skills": n_skills, "protocol": 2});
    res.publish("$KV.skills-nodes.silent", None, &beat);
    for n in 0..n_skills {
        let digest = format!("sha256:{n:064x}");
        let entry = json!({"skill": format!("a-{n}"), "digest": digest, "version": "1",
            "description": "Never comes.", "idempotent": true, "metadata": {}, "protocol": 2});
        res.publish(&format!("$KV.skills-catalog.a-{n}.silent"), None, &entry);
    }
    res.settle();
    res
}

#[test]
fn row_23_a_silent_node_is_asked_once_and_not_for_each_skill() {
    let Some(server) = server(23, "") else {
        return;
    };
    let (place, local) = (place(), Place::new());
    local.skill("local", "network: none, filesystem: skill");
    let _honest = Node::start(&place, &server.url(), "lab-1", &[]);
    let mut wire = silent_node(&server.url(), 3);
    let mut describe = tool("skills-describe");
    describe
        .arg(local.path("skills"))
        .args(["--nodes", &server.url()]);
    describe.args([
        "--nodes-dir",
        &local.text("kept"),
        "--no-index",
        "--format",
        "json",
    ]);
    let found = answer(&mut describe).to_string();
    assert!(
        found.contains("local") && found.contains("probe"),
        "{found}"
    );
    let asked = wire.settle();
    let n_asked = asked
        .iter()
        .filter(|it| it.subject.contains(".file"))
        .count();
    assert_eq!(n_asked, 1, "{asked:?}");
}

/// Long enough for a busy machine: a node that waits for its server never ends.
const TO_END: Duration = Duration::from_mins(1);

#[test]
fn row_24_a_node_ends_when_it_is_told_to_and_its_server_is_gone() {
    let Some(mut server) = server(24, "") else {
        return;
    };
    let place = place();
    let mut node = Node::start(&place, &server.url(), "lab-1", &[]);
    assert_eq!(
        said(&call(&place, &server.url(), "out = 'lives'", &[])),
        "lives"
    );
    server.kill();
    let id = node.0.id().to_string();
    let signalled = Command::new("kill").args(["-TERM", &id]).status().unwrap();
    assert!(signalled.success());
    assert!(node.ends_within(TO_END), "alive {TO_END:?} after SIGTERM");
}

#[test]
fn row_32_a_call_id_with_other_input_is_an_error() {
    let Some(server) = server(32, "") else {
        return;
    };
    let place = place();
    let _node = Node::start(&place, &server.url(), "lab-1", &[]);
    let run = |code: &str| call(&place, &server.url(), code, &["--call-id", "same-1"]);
    for _ in 0..2 {
        assert_eq!(said(&run("out = 'first'")), "first");
    }
    let answer = run("out = 'second'");
    assert_eq!(answer["error"]["code"], "invalid-input", "{answer}");
}
