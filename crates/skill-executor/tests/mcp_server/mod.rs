//! An MCP server over HTTP on loopback: JSON, events, or the HTTP of 2024-11-05.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

/// A server that runs until the test ends.
pub(crate) struct Server(u16);

/// A request.
struct Received {
    method: String,
    path: String,
    authorization: String,
    session: String,
    body: Value,
}

impl Server {
    /// Starts a server that answers with `json`, `events` or `sse`.
    pub(crate) fn start(protocol: &'static str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let stream = Arc::new(Mutex::new(None));
        thread::spawn(move || {
            for connection in listener.incoming() {
                let (connection, stream) = (connection.unwrap(), Arc::clone(&stream));
                thread::spawn(move || serve(connection, protocol, &stream));
            }
        });
        Self(port)
    }

    pub(crate) fn port(&self) -> u16 {
        self.0
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.0)
    }
}

fn receive(reader: &mut BufReader<TcpStream>) -> Option<Received> {
    let mut first = String::new();
    reader.read_line(&mut first).ok()?;
    let mut words = first.split(' ');
    let (method, path) = (words.next()?.to_owned(), words.next()?.to_owned());
    let (mut length, mut authorization, mut session) = (0, String::new(), String::new());
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim().split_once(": ") else {
            break;
        };
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.parse().unwrap(),
            "authorization" => value.clone_into(&mut authorization),
            "mcp-session-id" => value.clone_into(&mut session),
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let body = serde_json::from_slice(&body).unwrap_or_default();
    Some(Received {
        method,
        path,
        authorization,
        session,
        body,
    })
}

fn serve(connection: TcpStream, protocol: &str, stream: &Mutex<Option<TcpStream>>) {
    let mut writer = connection.try_clone().unwrap();
    let mut reader = BufReader::new(connection);
    while let Some(received) = receive(&mut reader) {
        let respond = |writer: &mut TcpStream, status: &str, kind: &str, body: &str| {
            let length = body.len();
            let head = format!(
                "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\nmcp-session-id: s1\r\ncontent-length: {length}\r\n\r\n{body}"
            );
            // The client may have gone.
            let _ = writer.write_all(head.as_bytes());
        };
        if is_endless(&mut writer, &received.path) {
            return;
        }
        match received.path.as_str() {
            "/moved" => {
                let _ = writer.write_all(b"HTTP/1.1 307 Moved\r\nlocation: http://elsewhere.example/mcp\r\ncontent-length: 0\r\n\r\n");
                continue;
            }
            "/secret" => {
                let said = format!("no entry for {}", received.authorization);
                respond(&mut writer, "401 Unauthorized", "text/plain", &said);
                continue;
            }
            "/large" => {
                respond(
                    &mut writer,
                    "200 OK",
                    "application/json",
                    &"x".repeat(20 << 20),
                );
                continue;
            }
            "/text" => {
                respond(&mut writer, "200 OK", "text/plain", "hello");
                continue;
            }
            "/other" if received.method == "POST" => {
                respond(&mut writer, "405 Not Allowed", "text/plain", "");
                continue;
            }
            _ => {}
        }
        if received.method == "GET" {
            let to = if received.path == "/other" {
                "http://127.0.0.2/messages"
            } else {
                "/messages"
            };
            let head = format!(
                "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\nevent: endpoint\ndata: {to}\n\n"
            );
            // First: a client that has read the head may send its message at once.
            *stream.lock().unwrap() = Some(writer.try_clone().unwrap());
            writer.write_all(head.as_bytes()).unwrap();
            continue;
        }
        if protocol == "sse" && received.path == "/mcp" {
            respond(&mut writer, "405 Not Allowed", "text/plain", "");
            continue;
        }
        let Some(answer) = answer(&received) else {
            respond(&mut writer, "202 Accepted", "text/plain", "");
            continue;
        };
        match protocol {
            "json" => respond(
                &mut writer,
                "200 OK",
                "application/json",
                &answer.to_string(),
            ),
            "events" => {
                let note =
                    json!({"jsonrpc": "2.0", "method": "notifications/message", "params": {}});
                let events =
                    format!(": hello\n\nevent: message\ndata: {note}\n\nid: 1\ndata: {answer}\n\n");
                respond(&mut writer, "200 OK", "text/event-stream", &events);
            }
            _ => {
                respond(&mut writer, "202 Accepted", "text/plain", "");
                let mut stream = stream.lock().unwrap();
                let event = format!("event: message\ndata: {answer}\n\n");
                stream
                    .as_mut()
                    .unwrap()
                    .write_all(event.as_bytes())
                    .unwrap();
            }
        }
    }
}

/// Answers a path without an end; returns false for any other.
fn is_endless(writer: &mut TcpStream, path: &str) -> bool {
    let note = json!({"jsonrpc": "2.0", "method": "notifications/message"});
    match path {
        "/forever" => {
            let event = format!("data: {note}\n\n");
            endless(
                writer,
                "text/event-stream",
                event.as_bytes(),
                Duration::ZERO,
            );
        }
        "/slow" => endless(writer, "application/json", b" ", Duration::from_millis(20)),
        _ => return false,
    }
    true
}

/// Sends pieces until nobody reads them, with pauses between them.
fn endless(writer: &mut TcpStream, kind: &str, piece: &[u8], pause: Duration) {
    let head = format!("HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\nconnection: close\r\n\r\n");
    let mut sent = writer.write_all(head.as_bytes());
    while sent.is_ok() {
        thread::sleep(pause);
        sent = writer.write_all(piece);
    }
}

fn answer(received: &Received) -> Option<Value> {
    let id = received.body.get("id")?;
    let params = &received.body["params"];
    let text = |text: &str| json!({"content": [{"type": "text", "text": text}]});
    let result = match received.body["method"].as_str()? {
        "initialize" => json!({
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "serverInfo": {"name": "fake", "version": "1"},
        }),
        "tools/list" => json!({"tools": [
            {"name": "echo", "inputSchema": {"type": "object"}},
            {"name": "session", "inputSchema": {"type": "object"}},
        ]}),
        _ if params["name"] == "echo" => text(params["arguments"]["text"].as_str()?),
        _ if received.session != "s1" && received.path == "/mcp" => text("no session"),
        _ => text(&received.authorization),
    };
    Some(json!({"jsonrpc": "2.0", "id": id, "result": result}))
}
