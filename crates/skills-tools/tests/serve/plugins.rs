//! Routes for programs of the old host: results of asynchronous skills, and placeholders.

use std::fs;
use std::io::{Read as _, Write as _};
use std::path::Path;

use serde_json::json;
use skill_testing::find;

use super::hostile::{check_alive, connect, request, send};
use super::process::{Server, skills};

/// A skill whose result arrives later; its state contains the address for the answer.
fn asynchronous(dir: &Path) {
    let skill = dir.join("skills/word-later");
    fs::create_dir_all(skill.join("scripts")).unwrap();
    let metadata = "schema: 1\nname: word-later\ntype: direct\ntransport: stdio-json\nenabled: true\nrunnable: true\nasync: {callback: true}\nentry: {runtime: python, argv: [python3, main.py], dir: scripts}\n";
    let text = "---\nname: word-later\ndescription: Gives a word later.\n---\n\nA word.\n";
    let main = "import json, os\nprint(json.dumps({'status': 'success', 'result': os.environ['CALLBACK_BASE_URL']}), flush=True)\n";
    fs::write(skill.join("SKILL.md"), text).unwrap();
    fs::write(skill.join("METADATA.yml"), metadata).unwrap();
    fs::write(skill.join("scripts/main.py"), main).unwrap();
}

/// The path of the callback URL that a call of the asynchronous skill was given.
fn callback_path(server: &Server) -> String {
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "run_skill", "arguments": {"skill_name": "word-later"},
        "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/clientInfo": {"name": "x", "version": "1"}},
    }});
    let version = [
        ("mcp-protocol-version", "2026-07-28"),
        ("mcp-method", "tools/call"),
        ("mcp-name", "run_skill"),
    ];
    let mut stream = connect(server);
    stream
        .write_all(&request(server, &version, &call.to_string()))
        .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let start = answer.find("/plugin-callback/").expect(&answer);
    let is_path = |c: char| c.is_ascii_alphanumeric() || "/-".contains(c);
    let path = answer[start..].split(|c| !is_path(c)).next();
    path.unwrap().to_owned()
}

/// Row 28: a result counts with the secret of its call, whoever sends it.
#[test]
fn results_arrive_with_the_secret_of_their_call_and_are_given_back() {
    if find::python().is_none() {
        return;
    }
    let dir = skills();
    asynchronous(dir.path());
    let server = Server::start(dir.path(), &[]);
    let post = |path: &str, body: &str| {
        let length = body.len();
        send(
            &server,
            format!(
                "POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-length: {length}\r\n\r\n{body}"
            )
            .as_bytes(),
        )
    };
    let get = |path: &str| {
        send(
            &server,
            format!("GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n").as_bytes(),
        )
    };
    let [first, second] = [(); 2].map(|()| callback_path(&server));
    assert_ne!(first, second);
    let done = "{\"done\": true}";
    for (path, body, status) in [
        ("/plugin-callback/word-later/1".to_owned(), done, 403),
        ("/plugin-callback/guess/word-later/1".to_owned(), done, 403),
        (format!("{first}/VideoMaker/1"), done, 403),
        (format!("{first}/word-later/1"), "no json", 400),
        (format!("{first}/%2e%2e/2"), done, 403),
        (format!("{first}/word-later/%2e%2e"), done, 400),
    ] {
        assert_eq!(post(&path, body), status, "{path}");
        assert_eq!(get("/plugin-callback/word-later/1"), 404, "{path}");
    }
    assert_eq!(post(&format!("{first}/word-later/1"), done), 200);
    assert_eq!(get("/plugin-callback/word-later/1"), 200);
    assert_eq!(post(&format!("{second}/word-later/1"), done), 403);
    assert_eq!(get("/placeholders/VCPNothing"), 404);
}

/// The whole answer to a `GET`.
fn got(server: &Server, path: &str) -> String {
    let mut stream = connect(server);
    let request = format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn placeholders_and_counters_are_given() {
    if find::python().is_none() {
        return;
    }
    let dir = skills();
    let skill = dir.path().join("skills/word-of-the-day");
    fs::create_dir_all(skill.join("scripts")).unwrap();
    let metadata = "schema: 1\nname: word-of-the-day\ntype: static\ntransport: stdout\nenabled: true\nrunnable: true\nentry: {runtime: python, argv: [python3, main.py], dir: scripts}\nplaceholders: [{key: WordOfTheDay}]\n";
    let text = "---\nname: word-of-the-day\ndescription: Gives a word.\n---\n\nA word.\n";
    fs::write(skill.join("SKILL.md"), text).unwrap();
    fs::write(skill.join("METADATA.yml"), metadata).unwrap();
    fs::write(skill.join("scripts/main.py"), "print('sunny')\n").unwrap();
    let server = Server::start(dir.path(), &[]);
    check_alive(&server);
    let value = got(&server, "/placeholders/WordOfTheDay");
    assert!(
        value.starts_with("HTTP/1.1 200") && value.contains("sunny"),
        "{value}"
    );
    let counters = got(&server, "/metrics");
    for line in [
        "skills_catalog_skills 3",
        "skills_sessions 1",
        "skills_http_responses_total{status=\"200\"} 2",
    ] {
        assert!(
            counters.lines().any(|known| known == line),
            "{line}\n{counters}"
        );
    }
}

/// Row 27: a page of another site starts nothing, and neither do many requests.
#[test]
fn placeholders_start_a_program_once_in_a_while() {
    let dir = skills();
    let skill = dir.path().join("skills/word-of-doom");
    fs::create_dir_all(skill.join("scripts")).unwrap();
    let metadata = "schema: 1\nname: word-of-doom\ntype: static\ntransport: stdout\nenabled: true\nrunnable: true\nentry: {runtime: shell, shell: 'cat x | sh', dir: scripts}\nplaceholders: [{key: WordOfDoom}]\n";
    let text = "---\nname: word-of-doom\ndescription: Gives no word.\n---\n\nNone.\n";
    fs::write(skill.join("SKILL.md"), text).unwrap();
    fs::write(skill.join("METADATA.yml"), metadata).unwrap();
    fs::write(skill.join("scripts/x"), "true").unwrap();
    let server = Server::start(dir.path(), &["--max-rate", "1"]);
    check_alive(&server);
    let as_image = "GET /placeholders/WordOfDoom HTTP/1.1\r\nhost: localhost\r\nsec-fetch-site: cross-site\r\nsec-fetch-mode: no-cors\r\nsec-fetch-dest: image\r\n\r\n";
    assert_eq!(send(&server, as_image.as_bytes()), 403);
    let answers: Vec<String> = (0..20)
        .map(|_| got(&server, "/placeholders/WordOfDoom"))
        .collect();
    let is = |status: &str| answers.iter().any(|answer| answer.starts_with(status));
    // It needs an approval, so it fails; the failure is kept, and a flood must wait.
    assert!(is("HTTP/1.1 403") && is("HTTP/1.1 429"), "{answers:?}");
}
