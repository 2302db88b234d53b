//! Plugins that need the parts of the old host around them, and what counts as a proof.

use skill_testing::{Need, find, skip};
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::{Answer, tool};

/// A directory of an old host with plugins, and their skills.
struct OldHost(TempDir);

/// Greets with a module of the host, data of a neighbour, the time and chance.
const READER: &str = r"
const fs = require('fs');
const path = require('path');
const { greet } = require('../../modules/greet.js');
const { randomUUID } = require('crypto');
const { word } = JSON.parse(fs.readFileSync(path.join(__dirname, '..', 'Library', 'words.json'), 'utf8'));
const result = [greet(word), randomUUID(), Math.random(), new Date().toISOString(), process.env.HostColour];
console.log(JSON.stringify({ status: 'success', result }));
";

/// Uses the network if its argument says so.
const DIALER: &str = r"
const net = require('net');
let text = '';
process.stdin.on('data', chunk => (text += chunk)).on('end', () => {
  const answer = result => console.log(JSON.stringify({ status: 'success', result }));
  if (JSON.parse(text).mode !== 'dial') return answer('stayed at home');
  net.connect(1, '127.0.0.1').on('error', error => answer(error.code));
});
require('https');
";

/// Answers with the length of its file, which has a password.
const GUARD: &str = r"
const fs = require('fs');
const path = require('path');
const text = fs.readFileSync(path.join(__dirname, 'hosts.json'), 'utf8');
console.log(JSON.stringify({ status: 'success', result: `${text.length} characters` }));
";

fn manifest(name: &str, command: &str, examples: &[Value]) -> String {
    let commands: Vec<Value> = examples
        .iter()
        .enumerate()
        .map(|(n, example)| {
            json!({"commandIdentifier": format!("Do{n}"), "description": "Does it.", "example": example.to_string()})
        })
        .collect();
    json!({
        "manifestVersion": "1.0.0", "name": name, "version": "1.0.0", "displayName": name,
        "description": format!("{name} of the test."), "pluginType": "synchronous",
        "entryPoint": {"command": command},
        "communication": {"protocol": "stdio", "timeout": 20_000},
        "capabilities": {"invocationCommands": commands},
    })
    .to_string()
}

impl OldHost {
    /// A host with one plugin, which was migrated.
    fn new(name: &str, code: &str, examples: &[Value]) -> Self {
        Self::with((name, "node main.js", "main.js"), code, examples)
    }

    /// A host with a plugin, its command and its file.
    fn with((name, command, file): (&str, &str, &str), code: &str, examples: &[Value]) -> Self {
        let res = Self(TempDir::new().unwrap());
        res.write("host/Plugin.js", "module.exports = {};\n");
        res.write("host/config.env.example", "HostColour=green\n");
        res.write(
            "host/modules/greet.js",
            "exports.greet = word => `Hello, ${word}!`;\n",
        );
        res.write("host/Plugin/Library/words.json", r#"{"word": "reader"}"#);
        let library = "console.log('{}');\n";
        res.write("host/Plugin/Library/main.js", library);
        res.write(
            "host/Plugin/Library/plugin-manifest.json",
            &manifest("Library", "node main.js", &[]),
        );
        let path = format!("host/Plugin/{name}/{file}");
        res.write(&path, code);
        fs::set_permissions(res.path(&path), Permissions::from_mode(0o755)).unwrap();
        res.write(
            &format!("host/Plugin/{name}/plugin-manifest.json"),
            &manifest(name, command, examples),
        );
        let answer = res.tool(&["host/Plugin", "--out", "skills", "--quiet"]);
        assert_eq!(answer.status, 0, "{answer:?}");
        res
    }

    fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn tool(&self, args: &[&str]) -> Answer {
        tool(self.0.path(), args)
    }

    /// Verifies one plugin, and returns its result in the report.
    fn verify(&self, name: &str, more: &[&str]) -> Value {
        let _ = fs::remove_file(self.path("report.json"));
        let args = [
            "verify",
            "host/Plugin",
            "skills",
            "--report",
            "report.json",
            "--only",
            name,
        ];
        let answer = self.tool(&[&args, more].concat());
        let report = fs::read_to_string(self.path("report.json"));
        let report = report.unwrap_or_else(|_| panic!("{answer:?}"));
        let report: Value = serde_json::from_str(&report).unwrap();
        report["results"][0].clone()
    }
}

const OPEN: [&str; 2] = ["--sandbox", "none"];

#[test]
fn the_plugin_finds_the_host_and_its_neighbours() {
    if find::node().is_none() {
        return;
    }
    let host = OldHost::new("Reader", READER, &[json!({"a": "b"})]);
    let result = host.verify("Reader", &OPEN);
    assert_eq!(result["verdict"], "verified", "{result:#}");
    let case = &result["cases"][0];
    // The clock and chance are the same in all runs, so that nothing is masked but the stamp of the answer.
    assert_eq!(case["masked"], json!([]), "{result:#}");
    assert_eq!(case["input"], json!({"a": "b"}), "{result:#}");
    let answer = &case["answers"]["plugin"]["value"];
    assert_eq!(
        answer["0"].as_str().or(answer[0].as_str()),
        Some("Hello, reader!"),
        "{result:#}"
    );

    host.write(
        "skills/reader/legacy/modules/greet.js",
        "exports.greet = word => `Hallo, ${word}!`;\n",
    );
    let result = host.verify("Reader", &OPEN);
    assert_eq!(result["verdict"], "differs", "{result:#}");
}

/// A made-up argument reaches the plugin as the old host passed it, as its skill gets it.
#[test]
fn the_plugin_gets_declared_truth_values_as_text() {
    const SHOUTER: &str = r"
let text = '';
process.stdin.on('data', chunk => (text += chunk)).on('end', () => {
  const { word, loud } = JSON.parse(text);
  if (typeof loud === 'boolean') throw new Error('expected a string');
  console.log(JSON.stringify({ status: 'success', result: `${word} ${loud}` }));
});
";
    if find::node().is_none() {
        return;
    }
    let examples = [json!({"word": "tea"})];
    let host = OldHost::new("Shouter", SHOUTER, &examples);
    let declared = r"Does it.\n参数:\n- word (字符串, 必需): 词语。\n- loud (布尔值, 可选, 默认false): 是否大声。";
    let text = manifest("Shouter", "node main.js", &examples).replace("Does it.", declared);
    host.write("host/Plugin/Shouter/plugin-manifest.json", &text);
    let answer = host.tool(&["host/Plugin", "--out", "skills", "--quiet"]);
    assert_eq!(answer.status, 0, "{answer:?}");
    let result = host.verify("Shouter", &OPEN);
    assert_eq!(result["verdict"], "verified", "{result:#}");
    let sent = result["cases"].as_array().unwrap().iter();
    let mut sent = sent.map(|case| &case["input"]["loud"]);
    assert!(sent.any(|loud| *loud == json!(false)), "{result:#}");
}

#[test]
fn an_answer_after_a_failed_connection_is_no_proof() {
    if find::node().is_none() {
        return;
    }
    let dial = OldHost::new("Dialer", DIALER, &[json!({"mode": "dial"})]);
    let result = dial.verify("Dialer", &["--sandbox", "none", "--allow-network"]);
    assert_eq!(result["verdict"], "unproven", "{result:#}");
    let reason = result["reason"].as_str().unwrap_or_default();
    assert!(reason.contains("127.0.0.1:1"), "{result:#}");
    // Without a sandbox nothing keeps it from the network.
    let result = dial.verify("Dialer", &OPEN);
    assert_eq!(
        result["reason"], "uses the network (--allow-network)",
        "{result:#}"
    );
}

#[test]
fn a_plugin_that_may_not_use_the_network_is_run_without_one() {
    if find::node().is_none() {
        return;
    }
    let examples = [json!({"mode": "stay"}), json!({"mode": "dial"})];
    let dialer = OldHost::new("Dialer", DIALER, &examples);
    let result = dialer.verify("Dialer", &[]);
    let is_confined = result["verdict"] == "verified";
    let reason = format!("no full sandbox: {result:#}");
    if !skip::unless_so(Need::Sandbox, is_confined, &reason) {
        return;
    }
    let verdict = |n: usize| &result["cases"][n]["verdict"];
    assert_eq!(
        (verdict(0), verdict(1)),
        (&json!("verified"), &json!("not run")),
        "{result:#}"
    );
    let dial = OldHost::new("Dialer", DIALER, &[json!({"mode": "dial"})]);
    let result = dial.verify("Dialer", &[]);
    assert_eq!(
        result["reason"], "uses the network (--allow-network)",
        "{result:#}"
    );
    let script = "#!/bin/sh\ncat >> log.txt\necho '{\"status\":\"success\",\"result\":\"kept\"}'\n";
    let keeper = OldHost::with(("Keeper", "./keep.sh", "keep.sh"), script, &examples);
    let result = keeper.verify("Keeper", &[]);
    assert_eq!(result["verdict"], "verified", "{result:#}");
    let remote = script.replace("cat", "curl -s example.com | cat");
    let sender = OldHost::with(("Sender", "./keep.sh", "keep.sh"), &remote, &examples);
    let result = sender.verify("Sender", &[]);
    assert_eq!(
        result["reason"], "uses the network (--allow-network)",
        "{result:#}"
    );
}

/// A program may use a file as a whole, so both sides have it without the secrets that a migration took out.
#[test]
fn secrets_that_were_taken_out_make_no_difference() {
    if find::node().is_none() {
        return;
    }
    let host = OldHost::new("Guard", GUARD, &[json!({"a": "b"})]);
    let password = "Tr0ub4dor-x9";
    let hosts = json!({"hosts": [{"name": "db", "password": password}], "port": 22});
    host.write("host/Plugin/Guard/hosts.json", &hosts.to_string());
    let migrate = ["host/Plugin", "--out", "skills", "--secrets", "redact"];
    let answer = host.tool(&migrate);
    assert_eq!(answer.status, 0, "{answer:?}");
    let skill = fs::read_to_string(host.path("skills/guard/scripts/hosts.json")).unwrap();
    assert!(!skill.contains(password), "{skill}");
    let result = host.verify("Guard", &OPEN);
    assert_eq!(result["verdict"], "verified", "{result:#}");
    let without = json!(["Plugin/Guard/hosts.json"]);
    assert_eq!(result["without_secrets"], without, "{result:#}");
    let status = host.tool(&["status", "host/Plugin", "skills", "--format", "json"]);
    let status: Value = serde_json::from_str(&status.stdout).unwrap();
    let known = &status["results"][0];
    assert_eq!(known["without_secrets"], without, "{known:#}");

    let other = skill.replace("22", "2222");
    host.write("skills/guard/scripts/hosts.json", &other);
    let result = host.verify("Guard", &OPEN);
    assert_eq!(result["verdict"], "differs", "{result:#}");
}
