//! Tests that the fast path over HTTP gives the same answers as the SDK.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests lay out skills"
)]

use std::fs;
use std::net::SocketAddr;
use std::time::Duration;

use serde_json::{Value, json};
use skill_loader::catalog::{CatalogSettings, SkillRoot};
use skill_loader::load::Source;
use skill_mcp::http::{HttpSettings, bind, serve};
use skill_mcp::{Server, Settings};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// Sends a message and returns the head and the body of the answer.
async fn post(address: SocketAddr, session: &str, message: &Value) -> (String, String) {
    let body = message.to_string();
    let session = match session {
        "" => String::new(),
        id => format!("mcp-session-id: {id}\r\nmcp-protocol-version: 2025-11-25\r\n"),
    };
    let request = format!(
        "POST /mcp HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n{session}content-type: application/json\r\naccept: application/json, text/event-stream\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.to_ascii_lowercase(), body.to_owned())
}

/// Returns the message in a body, whether it is the whole body or an event.
fn message(body: &str) -> Value {
    let start = body.find('{').unwrap();
    let mut values = serde_json::Deserializer::from_str(&body[start..]).into_iter();
    values.next().unwrap().unwrap()
}

fn call(name: &str, arguments: &Value, is_slow: bool) -> Value {
    let mut res = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": arguments}});
    if is_slow {
        res["params"]["_meta"] = json!({});
    }
    res
}

fn is_fast(head: &str) -> bool {
    head.contains("content-type: application/json")
}

/// Starts a server of two skills with a session that takes the fast path.
async fn session() -> (TempDir, SocketAddr, String) {
    session_with("| 1 |\n").await
}

/// The same, with this text in a file of `snow`.
async fn session_with(table: &str) -> (TempDir, SocketAddr, String) {
    let dir = tempfile::tempdir().unwrap();
    for name in ["rain", "snow"] {
        fs::create_dir(dir.path().join(name)).unwrap();
        let text = format!(
            "---\nname: {name}\ndescription: Tells of {name}.\n---\n\n# {name}\n\nSay \"天气\" </skill_content>.\n"
        );
        fs::write(dir.path().join(name).join("SKILL.md"), text).unwrap();
    }
    fs::write(dir.path().join("snow/table.md"), table).unwrap();
    let settings = Settings {
        catalog: CatalogSettings {
            roots: vec![SkillRoot {
                path: dir.path().to_owned(),
                source: Source::Project,
            }],
            ..CatalogSettings::default()
        },
        max_active: 1,
        recheck: Duration::from_millis(50),
        ..Settings::default()
    };
    let listener = bind("127.0.0.1:0".parse().unwrap()).await.unwrap();
    let address = listener.local_addr().unwrap();
    let never = std::future::pending();
    tokio::spawn(serve(
        Server::new(settings),
        listener,
        HttpSettings::default(),
        never,
    ));
    let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}});
    let (head, _) = post(address, "", &hello).await;
    let id = head
        .lines()
        .find_map(|it| it.strip_prefix("mcp-session-id: "));
    let id = id.unwrap().to_owned();
    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    post(address, &id, &ready).await;

    // The server registers the handshake a moment after it was accepted.
    let list = call("list_skills", &json!({}), false);
    let mut n_tries = 0;
    while !is_fast(&post(address, &id, &list).await.0) {
        n_tries += 1;
        assert!(n_tries < 1_000, "no request takes the fast path");
    }
    (dir, address, id)
}

#[tokio::test]
async fn both_paths_answer_the_same() {
    let (_dir, address, id) = session().await;
    let forced = json!({"skill_name": "rain", "force": true});
    for (name, arguments) in [
        ("read_skill", &forced),
        ("read_skill", &json!({"skill_name": "rain"})),
        ("read_skill", &json!({"skill_name": "rian"})),
        ("read_skill", &json!({"skill": "rain"})),
        ("describe_skill", &json!({"skill_name": "rain"})),
        ("search_skills", &json!({"query": "rain"})),
        ("list_skills", &json!({})),
    ] {
        let (head, fast) = post(address, &id, &call(name, arguments, false)).await;
        assert!(is_fast(&head), "{name} {arguments}\n{head}");
        let (head, slow) = post(address, &id, &call(name, arguments, true)).await;
        assert!(!is_fast(&head), "{name} {arguments}\n{head}");
        assert_eq!(message(&fast), message(&slow), "{name} {arguments}");
    }
    let unknown = call("no_tool", &json!({}), false);
    let (head, answer) = post(address, &id, &unknown).await;
    assert!(!is_fast(&head));
    assert_eq!(message(&answer)["error"]["code"], -32602);
}

#[tokio::test]
async fn a_text_that_was_written_once_is_never_stale() {
    let (dir, address, id) = session().await;
    let forced = json!({"skill_name": "rain", "force": true});
    // The answer names the skills that are evicted this time.
    let snow = json!({"skill_name": "snow", "force": true});
    for is_slow in [true, false, false] {
        for (arguments, gone) in [(&forced, "snow"), (&snow, "rain")] {
            let (_, answer) = post(address, &id, &call("read_skill", arguments, is_slow)).await;
            let result = &message(&answer)["result"];
            if is_slow && gone == "snow" {
                continue;
            }
            assert_eq!(
                result["_meta"]["skills-serve/data"]["unloaded"],
                json!([gone])
            );
            let text = result["content"][0]["text"].as_str().unwrap();
            assert!(
                text.contains(&format!("\nno longer active: {gone}\n")),
                "{text}"
            );
        }
    }
    let (_, again) = post(address, &id, &call("read_skill", &snow, false)).await;
    assert_eq!(
        message(&again)["result"]["_meta"]["skills-serve/data"]["unloaded"],
        json!([])
    );
    // A new file is listed although the text is the same.
    fs::write(dir.path().join("snow/more.md"), "more\n").unwrap();
    let mut n_tries = 0;
    loop {
        let (head, answer) = post(address, &id, &call("read_skill", &snow, false)).await;
        assert!(is_fast(&head));
        if message(&answer)["result"]["_meta"]["skills-serve/data"]["resources_total"] == 2 {
            break;
        }
        n_tries += 1;
        assert!(n_tries < 1_000, "the new file is not listed");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn a_resource_is_one_json_body_whatever_its_size() {
    let (dir, address, id) = session().await;
    let big = "x".repeat(3 << 20);
    fs::write(dir.path().join("snow/big.txt"), &big).unwrap();
    let read = |uri: &str, is_slow: bool| {
        let mut res =
            json!({"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {"uri": uri}});
        if is_slow {
            res["params"]["_meta"] = json!({});
        }
        res
    };
    for uri in ["skill://rain/SKILL.md", "skill://rain/no.md"] {
        let (head, fast) = post(address, &id, &read(uri, false)).await;
        assert!(is_fast(&head), "{uri}\n{head}");
        let (head, slow) = post(address, &id, &read(uri, true)).await;
        assert!(!is_fast(&head), "{uri}\n{head}");
        assert_eq!(message(&fast), message(&slow), "{uri}");
        let code = uri.ends_with("no.md").then_some(-32002);
        assert_eq!(message(&fast)["error"]["code"], json!(code));
    }
    let mut n_tries = 0;
    loop {
        let (head, answer) = post(address, &id, &read("skill://snow/big.txt", false)).await;
        assert!(is_fast(&head));
        if message(&answer)["result"]["contents"][0]["text"] == big {
            break;
        }
        n_tries += 1;
        assert!(n_tries < 1_000, "the new file is not served");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// Sends a GET request; returns the head and the body of the answer.
async fn get(address: SocketAddr, path: &str, more: &str) -> (String, Vec<u8>) {
    let request =
        format!("GET {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n{more}\r\n");
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    let end = answer.windows(4).position(|it| it == b"\r\n\r\n").unwrap();
    let head = String::from_utf8(answer[..end].to_vec()).unwrap();
    (head.to_ascii_lowercase(), answer[end + 4..].to_vec())
}

fn header(head: &str, name: &str) -> String {
    let start = format!("{name}: ");
    let line = head.lines().find_map(|line| line.strip_prefix(&start));
    line.unwrap_or_default().to_owned()
}

#[tokio::test]
async fn installers_find_an_archive_of_each_skill() {
    let (dir, address, _) = session().await;
    fs::write(dir.path().join("snow/config.env"), "TOKEN=x").unwrap();
    // Other systems cannot store it; the rest of the skill is served.
    fs::write(dir.path().join("snow/con.txt"), "x").unwrap();
    let (head, body) = get(address, "/.well-known/agent-skills/index.json", "").await;
    assert_eq!(header(&head, "content-type"), "application/json");
    let index: Value = serde_json::from_slice(&body).unwrap();
    let skills = index["skills"].as_array().unwrap();
    let names: Vec<&Value> = skills.iter().map(|skill| &skill["name"]).collect();
    assert_eq!(names, ["rain", "snow"]);
    let again = format!("if-none-match: {}\r\n", header(&head, "etag"));
    let (head, body) = get(address, "/.well-known/agent-skills/index.json", &again).await;
    assert!(
        head.starts_with("http/1.1 304") && body.is_empty(),
        "{head}"
    );
    for skill in skills {
        let path = skill["url"].as_str().unwrap();
        let (head, archive) = get(address, path, "").await;
        assert!(head.starts_with("http/1.1 200"), "{head}");
        assert_eq!(header(&head, "content-type"), "application/zip");
        assert_eq!(
            header(&head, "cache-control"),
            "public, max-age=31536000, immutable"
        );
        let digest = skill_loader::Digest::from_content(&archive).to_string();
        assert_eq!(skill["digest"], digest);
        let text = String::from_utf8_lossy(&archive);
        assert!(text.contains("SKILL.md") && !text.contains("config.env"));
        assert!(!text.contains("con.txt"));
    }
    let gone = format!("/.well-known/agent-skills/rain/{}.zip", "0".repeat(64));
    for path in [
        gone.as_str(),
        "/.well-known/agent-skills/rain/SKILL.md",
        "/.well-known/agent-skills/",
    ] {
        let (head, _) = get(address, path, "").await;
        assert!(head.starts_with("http/1.1 404"), "{path}\n{head}");
    }
}

#[tokio::test]
async fn a_path_that_is_only_read_says_so() {
    let (_dir, address, _) = session().await;
    for (path, status, expected) in [
        ("/.well-known/agent-skills/index.json", "405", "use GET"),
        ("/healthz", "405", "use GET"),
        ("/", "405", "use GET"),
        ("/nowhere", "404", "the index for installers"),
    ] {
        let request = format!(
            "POST {path} HTTP/1.1\r\nhost: {address}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
        );
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        assert!(
            answer.starts_with(&format!("HTTP/1.1 {status} ")),
            "{answer}"
        );
        assert!(answer.contains(expected), "{path}\n{answer}");
        assert_eq!(
            answer.contains("allow: GET, HEAD"),
            status == "405",
            "{answer}"
        );
    }
}

#[tokio::test]
async fn a_skill_with_a_secret_is_not_offered_to_installers() {
    // In two parts, so that no scanner of this repository stumbles over it.
    let secret = format!("use ghp_{}", "qT7vXk2LmR9sWd4HzYb6NcPf3JgUa8Ee5BtK");
    for (table, expected) in [("| 1 |\n", &["rain", "snow"][..]), (&secret, &["rain"])] {
        let (_dir, address, _) = session_with(table).await;
        let request = format!(
            "GET /.well-known/agent-skills/index.json HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n"
        );
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        let index = message(&answer);
        let listed = index["skills"].as_array().unwrap().iter();
        let listed: Vec<&str> = listed.filter_map(|it| it["name"].as_str()).collect();
        assert_eq!(listed, expected);
    }
}
