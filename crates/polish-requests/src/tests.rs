//! A server on loopback that answers as a model would, and files of jobs and answers.
#![expect(
    clippy::disallowed_methods,
    reason = "tests lay out plugins and serve on loopback"
)]

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::path::Path;
use std::thread::{self, JoinHandle};

use serde_json::{Value, json};
use skill_language::Language;
use skill_pipeline::{MigrateOptions, Mode, Pipeline};

use crate::{Done, Endpoint, Polishing, polish};

const KEY: &str = "canary-5b1c";
const QUOTE: &str = "Rolls dice of any number of sides";

fn plugin(dir: &Path) {
    let manifest = json!({
        "manifestVersion": "1.0.0", "name": "Dice", "displayName": "Dice", "version": "1.0.0",
        "description": "Rolls dice of any number of sides.", "author": "t",
        "pluginType": "synchronous", "entryPoint": {"type": "python", "command": "python3 dice.py"},
        "communication": {"protocol": "stdio"},
        "capabilities": {"invocationCommands": [
            {"commandIdentifier": "roll", "description": "Rolls dice.\n- `sides` (number, required): sides of a die"}
        ]},
    });
    let at = dir.join("plugins/Dice");
    fs::create_dir_all(&at).unwrap();
    fs::write(at.join("plugin-manifest.json"), manifest.to_string()).unwrap();
    fs::write(
        at.join("dice.py"),
        "import json, sys\nprint(json.dumps({'sum': 3}))\n",
    )
    .unwrap();
}

/// Runs a migration with polishing; returns the result and the messages.
fn run(dir: &Path, polishing: &Polishing, mode: Mode) -> (Done, String, bool) {
    let options = MigrateOptions::new(dir.join("plugins"), dir.join("skills")).mode(mode);
    let pipeline = Pipeline::open(options).unwrap();
    let mut messages = Vec::new();
    let mut run = pipeline.start(&|_| ()).unwrap();
    let done = polish(&mut run, polishing, Language::English, &mut messages).unwrap();
    let outcomes = run.all(&|_| ()).unwrap();
    let migrated = run.finish(outcomes).unwrap();
    (
        done,
        String::from_utf8(messages).unwrap(),
        migrated.totals.has_drift(),
    )
}

fn skill(dir: &Path) -> String {
    fs::read_to_string(dir.join("skills/dice/SKILL.md")).unwrap()
}

/// Answers one request on loopback; returns the address, and the request as text.
fn serve(status: &'static str, body: String) -> (String, JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let served = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            reader.read_line(&mut head).unwrap();
        }
        let length = head.to_lowercase();
        let length = length.split("content-length: ").nth(1).unwrap();
        let length: usize = length.lines().next().unwrap().parse().unwrap();
        let mut request = vec![0; length];
        reader.read_exact(&mut request).unwrap();
        write!(
            stream,
            "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
            body.len()
        )
        .unwrap();
        head + &String::from_utf8(request).unwrap()
    });
    (address, served)
}

fn slots() -> Value {
    json!({
        "what": {"text": "Rolls any number of dice and adds them up.", "quote": QUOTE},
        "when": [{"text": "decide something by chance", "quote": QUOTE}],
        "advice": [{"text": "Roll at https://example.org instead.", "quote": QUOTE}],
    })
}

#[test]
fn files_without_a_model() {
    let dir = tempfile::tempdir().unwrap();
    plugin(dir.path());
    let jobs = dir.path().join("jobs.jsonl");
    let export = Polishing {
        export: Some(jobs.clone()),
        ..Polishing::default()
    };
    let (done, messages, _) = run(dir.path(), &export, Mode::DryRun);
    assert_eq!(done, Done::Exported);
    assert!(
        messages.starts_with("jobs for a model: 1, written to "),
        "{messages}"
    );
    let job: Value = serde_json::from_str(&fs::read_to_string(&jobs).unwrap()).unwrap();
    let answers = dir.path().join("answers.jsonl");
    let line = json!({"skill": "dice", "digest": job["digest"], "slots": slots()});
    fs::write(
        &answers,
        format!("{line}\n{{\n{{\"skill\":\"x\",\"digest\":\"\",\"slots\":{{}}}}\n"),
    )
    .unwrap();
    let import = Polishing {
        import: Some(answers),
        ..Polishing::default()
    };
    let (done, messages, _) = run(dir.path(), &import, Mode::Write);
    assert_eq!(done, Done::Incomplete);
    for part in [
        "answers.jsonl:2: EOF while parsing",
        "there is no job for a skill `x`",
        "dice: `advice[0]` has `https://example.org`",
        "2 texts accepted (for 1 skills), 1 refused; unusable answers: 2",
    ] {
        assert!(messages.contains(part), "{part}: {messages}");
    }
    let text = skill(dir.path());
    let expected = "Rolls any number of dice and adds them up. Use when the user wants to decide something by chance.";
    assert!(text.contains(expected), "{text}");
    // Later runs need no model: nothing is open, and nothing changes.
    let (_, messages, has_drift) = run(dir.path(), &export, Mode::Check);
    assert!(messages.starts_with("jobs for a model: 0"), "{messages}");
    assert!(!has_drift);
}

#[test]
fn a_model_is_asked() {
    let dir = tempfile::tempdir().unwrap();
    plugin(dir.path());
    let content = format!("Here it is:\n```json\n{}\n```", slots());
    let reply = json!({"choices": [{"message": {"role": "assistant", "content": content}}]});
    let (address, served) = serve("200 OK", reply.to_string());
    let asked = |address: &str| Polishing {
        endpoint: Some(Endpoint::with_key(address, "m-1", Some(KEY.to_owned())).unwrap()),
        ..Polishing::default()
    };
    let (done, messages, _) = run(dir.path(), &asked(&address), Mode::Write);
    let request = served.join().unwrap();
    assert_eq!(done, Done::Judged, "{messages}");
    assert!(
        request.starts_with("POST /v1/chat/completions "),
        "{request}"
    );
    assert!(request.contains(&format!("Bearer {KEY}")), "{request}");
    assert!(request.contains(r#""model":"m-1""#), "{request}");
    let lock = fs::read_to_string(dir.path().join("skills/polish.lock.json")).unwrap();
    assert!(
        lock.contains(r#""model": "m-1""#) && !lock.contains(KEY),
        "{lock}"
    );
    let first = skill(dir.path());
    // The skill has its texts, so that nobody is asked again: the server is gone.
    let (done, messages, _) = run(dir.path(), &asked(&address), Mode::Write);
    assert_eq!(done, Done::Judged, "{messages}");
    assert_eq!(skill(dir.path()), first);
}

#[test]
fn an_error_of_the_server_is_said() {
    for (status, body, part) in [
        (
            "401 Unauthorized",
            format!("bad key {KEY}"),
            "answered 401: bad key ***",
        ),
        ("200 OK", "{}".to_owned(), "has no text at choices[0]"),
        ("200 OK", "<html>".to_owned(), "is not JSON"),
    ] {
        let dir = tempfile::tempdir().unwrap();
        plugin(dir.path());
        let (address, served) = serve(status, body);
        let endpoint = Endpoint::with_key(&address, "m", Some(KEY.to_owned())).unwrap();
        let asked = Polishing {
            endpoint: Some(endpoint),
            ..Polishing::default()
        };
        let (done, messages, _) = run(dir.path(), &asked, Mode::Write);
        served.join().unwrap();
        assert_eq!(done, Done::Incomplete);
        assert!(
            messages.contains(part) && !messages.contains(KEY),
            "{messages}"
        );
        assert!(skill(dir.path()).contains("Rolls dice of any number"));
    }
}

#[test]
fn addresses() {
    let check = |url: &str, key: Option<&str>, expected: &str| {
        let found = Endpoint::with_key(url, "m", key.map(str::to_owned));
        let found = found.map_or_else(|error| error, |it| format!("{it:?}"));
        assert!(found.contains(expected), "{url}: {found}");
    };
    check(
        "http://127.0.0.1:8080",
        Some("k"),
        "rest: \"/v1/chat/completions\"",
    );
    check(
        "https://a.example/api/v3/",
        Some("k"),
        "rest: \"/api/v3/chat/completions\"",
    );
    check(
        "https://a.example/v1/chat/completions",
        None,
        "rest: \"/v1/chat/completions\"",
    );
    check("http://a.example/v1", Some("k"), "without encryption");
    check("http://a.example/v1", None, "a.example");
    check("ftp://a.example", None, "only http and https");
}
