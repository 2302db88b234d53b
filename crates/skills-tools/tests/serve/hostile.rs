//! Clients that are slow, huge, malformed or foreign do not disturb the others.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use super::process::{Server, arguments, binary, skills};

/// Names and values.
type Headers<'h> = &'h [(&'h str, &'h str)];

pub(super) fn connect(server: &Server) -> TcpStream {
    let stream = TcpStream::connect(server.address()).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_mins(1)))
        .unwrap();
    stream
}

/// Sends bytes as they are; the status of the answer, 0 for none.
pub(super) fn send(server: &Server, bytes: &[u8]) -> u16 {
    let mut stream = connect(server);
    // A server that has heard enough may close before all is said.
    let _ = stream.write_all(bytes);
    let mut line = String::new();
    let _ = BufReader::new(stream).read_line(&mut line);
    line.split(' ')
        .nth(1)
        .and_then(|word| word.parse().ok())
        .unwrap_or(0)
}

/// A request to `/mcp` with these headers instead of the usual ones.
pub(super) fn request(server: &Server, headers: &[(&str, &str)], body: &str) -> Vec<u8> {
    let mut all = vec![
        ("host", server.address().to_owned()),
        ("content-type", "application/json".to_owned()),
        ("accept", "application/json, text/event-stream".to_owned()),
        ("content-length", body.len().to_string()),
        ("connection", "close".to_owned()),
    ];
    for (name, value) in headers {
        all.retain(|(known, _)| known != name);
        all.push((name, (*value).to_owned()));
    }
    let lines = all
        .iter()
        .map(|(name, value)| format!("{name}: {value}\r\n"));
    format!(
        "POST /mcp HTTP/1.1\r\n{}\r\n{body}",
        lines.collect::<String>()
    )
    .into_bytes()
}

fn initialize() -> String {
    json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "x", "version": "1"},
    }})
    .to_string()
}

/// A client that behaves is served.
#[track_caller]
pub(super) fn check_alive(server: &Server) {
    assert_eq!(send(server, &request(server, &[], &initialize())), 200);
}

#[test]
fn foreign_heads_and_bad_bodies_are_refused() {
    let dir = skills();
    let server = Server::start(dir.path(), &[]);
    let (good, long) = (initialize(), "x".repeat(2 << 20));
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let heads: [(Headers<'_>, &str, u16); 12] = [
        (&[], &good, 200),
        (&[("host", "evil.example")], &good, 403),
        (&[("host", "localhost.evil.example")], &good, 403),
        (&[("origin", "https://evil.example")], &good, 403),
        (&[("origin", "null")], &good, 403),
        (&[("accept", "text/html")], &good, 406),
        (&[("content-type", "text/plain")], &good, 415),
        (
            &[("mcp-session-id", "guessed")],
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}",
            404,
        ),
        (&[], "{\"jsonrpc\": ", 400),
        (&[], &deep, 400),
        (&[], &long, 413),
        (&[("content-length", "99999999999")], "", 413),
    ];
    for (headers, body, status) in heads {
        let found = send(&server, &request(&server, headers, body));
        // Who sends bytes that are not its kind gets some refusal, whichever layer notices.
        let is_refused = status >= 400 && (400..500).contains(&found);
        assert!(
            found == status || is_refused,
            "{headers:?}: {found}, expected {status}"
        );
        check_alive(&server);
    }
    for bytes in [
        &b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"[..],
        b"GET / HTTP/1.1\r\n\r\n",
        b"\0\0\0\0\r\n\r\n",
        b"POST /mcp HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
        b"GET /../../etc/passwd HTTP/1.1\r\nhost: localhost\r\n\r\n",
        b"GET /placeholders/%2e%2e%2f HTTP/1.1\r\nhost: localhost\r\n\r\n",
        b"POST /plugin-callback/..%2f/x HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2\r\n\r\n{}",
    ] {
        let found = send(&server, bytes);
        assert!(
            found == 0 || (400..500).contains(&found),
            "{found}: {bytes:?}"
        );
        check_alive(&server);
    }
}

#[test]
fn slow_and_half_open_clients_are_not_waited_for() {
    let dir = skills();
    let server = Server::start(dir.path(), &[]);
    let mut held = Vec::new();
    // More bodies are under way than requests of one address may be answered at once.
    for n in 0..900 {
        let mut stream = connect(&server);
        let part: &[u8] = match n % 3 {
            0 => b"",
            1 => b"POST /mcp HTTP/1.1\r\nhost: loc",
            _ => b"POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{",
        };
        stream.write_all(part).unwrap();
        held.push(stream);
    }
    check_alive(&server);
    // A body that never comes is answered in the end: 408, or the connection is closed.
    let mut last = String::new();
    let _ = held.pop().unwrap().read_to_string(&mut last);
    assert!(
        last.is_empty() || last.starts_with("HTTP/1.1 408"),
        "{last}"
    );
    check_alive(&server);
}

#[test]
fn a_flood_must_wait_and_sessions_are_not_disturbed() {
    let dir = skills();
    let server = Server::start(dir.path(), &["--max-rate", "1"]);
    let mut stream = connect(&server);
    stream
        .write_all(&request(
            &server,
            &[("connection", "keep-alive")],
            &initialize(),
        ))
        .unwrap();
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    let session = lines.find_map(|line| line.strip_prefix("mcp-session-id: ").map(str::to_owned));
    let statuses: Vec<u16> = (0..40)
        .map(|_| send(&server, &request(&server, &[], &initialize())))
        .collect();
    assert!(statuses.contains(&429), "{statuses:?}");
    assert!(
        statuses.iter().all(|status| [200, 429].contains(status)),
        "{statuses:?}"
    );
    let session = [("mcp-session-id", session.as_deref().unwrap())];
    let ping = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}";
    assert_eq!(send(&server, &request(&server, &session, ping)), 202);
}

#[test]
fn a_token_is_needed_where_there_is_one() {
    let dir = skills();
    let token = dir.path().join("token");
    fs::write(&token, "0123456789abcdef\n").unwrap();
    let server = Server::start(dir.path(), &["--token-file", token.to_str().unwrap()]);
    for (headers, status) in [
        (&[][..], 401),
        (&[("authorization", "Bearer 0123456789abcdeg")][..], 401),
        (&[("authorization", "Bearer 0123456789abcdef")][..], 200),
    ] {
        assert_eq!(
            send(&server, &request(&server, headers, &initialize())),
            status
        );
    }
    assert_eq!(
        send(&server, b"GET /metrics HTTP/1.1\r\nhost: localhost\r\n\r\n"),
        401
    );
    assert_eq!(
        send(&server, b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n"),
        200
    );
}

#[test]
fn an_address_beyond_this_machine_needs_a_token() {
    let dir = skills();
    let output = Command::new(binary())
        .args(arguments(dir.path()))
        .args(["--http", "0.0.0.0:0"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.contains("--token-file"), "{errors}");
}

#[test]
fn a_signal_ends_it_in_order() {
    let dir = skills();
    let mut server = Server::start(dir.path(), &[]);
    check_alive(&server);
    let killed = Command::new("kill")
        .arg(server.pid().to_string())
        .status()
        .unwrap();
    assert!(killed.success());
    assert_eq!(server.wait().code(), Some(0));
}

/// Lines to a server over standard input; its answers until all of `wanted` are there, and whether
/// it ended well.
fn over_stdio(lines: &[Vec<u8>], wanted: &[u64]) -> (Vec<Value>, bool) {
    let dir = skills();
    let mut child = Command::new(binary())
        .args(arguments(dir.path()))
        .arg("--stdio")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    for line in lines {
        input.write_all(line).unwrap();
        input.write_all(b"\n").unwrap();
    }
    let mut answers = Vec::new();
    let output = BufReader::new(child.stdout.take().unwrap());
    for line in output.lines() {
        let answer: Value = serde_json::from_str(&line.unwrap()).unwrap();
        answers.push(answer);
        let is_there = |id: &u64| answers.iter().any(|answer| answer["id"] == *id);
        if wanted.iter().all(is_there) {
            break;
        }
    }
    drop(input);
    (answers, child.wait().unwrap().success())
}

/// Row 31: nobody waits for the answer to a line that cannot be read.
#[test]
fn bad_lines_get_an_error_and_the_next_one_is_answered() {
    let mut lines = vec![
        initialize().into_bytes(),
        b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}".to_vec(),
        vec![b'x'; 3 << 20],
        b"{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":".to_vec(),
        b"[]".to_vec(),
        b"null".to_vec(),
        b"{\"jsonrpc\":\"1.0\",\"id\":3,\"method\":\"tools/list\"}".to_vec(),
        b"{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"tools/list\"}".to_vec(),
        vec![0xff, 0xfe, 0x00],
        [vec![b'['; 200_000], vec![b']'; 200_000]].concat(),
        b"{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"tools/call\",\"params\":{\"name\":\"read_skill\",\"arguments\":[]}}".to_vec(),
        b"{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"skills/delete\",\"params\":{}}".to_vec(),
    ];
    let good = json!({"jsonrpc": "2.0", "id": 99, "method": "tools/call", "params": {
        "name": "read_skill", "arguments": {"skill_name": "pdf-forms"},
    }});
    lines.push(good.to_string().into_bytes());
    let (answers, ended_well) = over_stdio(&lines, &[99]);
    let last = answers.last().unwrap();
    assert_eq!(
        last["result"]["_meta"]["skills-serve/data"]["truncated"], false,
        "{last}"
    );
    let n_errors = |code: i64| {
        let is = |answer: &&Value| answer["error"]["code"] == code;
        answers.iter().filter(is).count()
    };
    // Too long, cut off, bytes that are not text, nested too deep; no message at all (four).
    assert_eq!((n_errors(-32700), n_errors(-32600)), (4, 4), "{answers:?}");
    assert!(ended_well);
}

#[test]
fn nothing_tells_where_the_skills_lie() {
    let dir = skills();
    let place = dir.path().display().to_string();
    drop(dir);
    let call = |id: u64, method: &str, params: Value| {
        json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
            .to_string()
            .into_bytes()
    };
    let tool = |id: u64, name: &str, arguments: Value| {
        call(
            id,
            "tools/call",
            json!({"name": name, "arguments": arguments}),
        )
    };
    let lines = vec![
        initialize().into_bytes(),
        b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}".to_vec(),
        tool(
            2,
            "read_skill_resource",
            json!({"skill_name": "pdf-forms", "path": "/etc/passwd"}),
        ),
        tool(
            3,
            "read_skill_resource",
            json!({"skill_name": "pdf-forms", "path": "references"}),
        ),
        tool(
            4,
            "read_skill_resource",
            json!({"skill_name": "pdf-forms", "path": "config.env"}),
        ),
        tool(
            5,
            "run_skill",
            json!({"skill_name": "word-count", "arguments": {}}),
        ),
        call(
            6,
            "resources/read",
            json!({"uri": "skill://pdf-forms/config.env"}),
        ),
        call(
            7,
            "resources/read",
            json!({"uri": "skill://pdf-forms/references"}),
        ),
        tool(99, "list_skills", json!({})),
    ];
    let (answers, _) = over_stdio(&lines, &[2, 3, 4, 5, 6, 7, 99]);
    // The directory of another run has another name, so what they have in common is looked for.
    let common = place.rsplit_once('/').unwrap().0;
    for answer in &answers {
        assert!(
            !answer.to_string().contains(&format!("{common}/.tmp")),
            "{answer}"
        );
    }
    for id in [2, 3, 4, 6, 7] {
        let answer = answers.iter().find(|answer| answer["id"] == id).unwrap();
        let is_error = answer["result"]["isError"] == true
            || matches!(answer["error"]["code"].as_i64(), Some(-32602 | -32002));
        assert!(is_error, "{answer}");
    }
}
