//! An agent that speaks MCP with `skills-serve` over its standard streams.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::{Value, json};

use super::place::{Place, tool};

pub(crate) struct Agent {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    n_calls: usize,
    /// The answer to questions of the server.
    pub(crate) yes: Value,
    /// The number of questions of the server.
    pub(crate) n_questions: usize,
}

impl Agent {
    /// Starts a server over the skills of a place, all of which may be run.
    pub(crate) fn start(place: &Place, more: &[&str]) -> Self {
        let mut command = tool("skills-serve");
        command
            .arg(place.path("skills"))
            .args(["--stdio", "--allow-run", "*"]);
        command.args(["--state", &place.text("state")]).args(more);
        let streams = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = streams.stderr(Stdio::null()).spawn().unwrap();
        let mut res = Self {
            stdin: child.stdin.take(),
            stdout: BufReader::new(child.stdout.take().unwrap()),
            child,
            n_calls: 0,
            yes: json!({"action": "accept"}),
            n_questions: 0,
        };
        let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {"elicitation": {}},
            "clientInfo": {"name": "agent", "version": "1"}});
        res.ask("initialize", &hello);
        res.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        res
    }

    /// Sends a line as it is.
    pub(crate) fn send_line(&mut self, line: &[u8]) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(line).unwrap();
        stdin.write_all(b"\n").unwrap();
    }

    fn send(&mut self, message: &Value) {
        self.send_line(message.to_string().as_bytes());
    }

    pub(crate) fn receive(&mut self) -> Value {
        let mut line = String::new();
        self.stdout.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|_| panic!("the server ended: {line}"))
    }

    /// Sends a request and returns its id.
    pub(crate) fn request(&mut self, method: &str, params: &Value) -> String {
        self.n_calls += 1;
        let id = format!("call-{}", self.n_calls);
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    /// The whole answer to a request; questions of the server are answered on the way.
    pub(crate) fn ask(&mut self, method: &str, params: &Value) -> Value {
        let id = self.request(method, params);
        loop {
            let message = self.receive();
            if message["method"] == "elicitation/create" {
                self.n_questions += 1;
                let yes = self.yes.clone();
                self.send(&json!({"jsonrpc": "2.0", "id": message["id"], "result": yes}));
            } else if message["id"] == id.as_str() {
                return message;
            }
        }
    }

    /// Returns the answer of a skill to a call with `code`, as text.
    pub(crate) fn run(&mut self, place: &Place, skill: &str, code: &str) -> String {
        let input: Value = serde_json::from_str(&place.input(code)).unwrap();
        let params =
            json!({"name": "run_skill", "arguments": {"skill_name": skill, "arguments": input}});
        self.ask("tools/call", &params).to_string()
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        drop(self.stdin.take());
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
