//! Tests that sessions leave nothing behind when they end.

use std::sync::atomic::Ordering;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::*;
use crate::settings::Settings;

/// Sends a request and returns the whole answer, in lower case.
async fn send(address: SocketAddr, method: &str, session: &str, body: &Value) -> String {
    let body = if body.is_null() {
        String::new()
    } else {
        body.to_string()
    };
    let session = match session {
        "" => String::new(),
        id => format!("mcp-session-id: {id}\r\n"),
    };
    let request = format!(
        "{method} /mcp HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n{session}content-type: application/json\r\naccept: application/json, text/event-stream\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer.to_ascii_lowercase()
}

/// Opens a session and returns its id.
async fn open(address: SocketAddr) -> String {
    let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}});
    let answer = send(address, "POST", "", &hello).await;
    let mut lines = answer.lines();
    let id = lines.find_map(|line| line.strip_prefix("mcp-session-id: "));
    id.unwrap().to_owned()
}

/// Waits until the server knows `n` sessions in every place that counts them.
async fn wait_for(server: &Server, n: usize) {
    let shared = &server.shared;
    let mut found = Vec::new();
    for _ in 0..2_000 {
        let n_handlers = shared.metrics.sessions.load(Ordering::Relaxed);
        found = vec![
            usize::try_from(n_handlers).unwrap(),
            shared.peers().len(),
            shared.sessions.len(),
        ];
        if found.iter().all(|found| *found == n) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("{found:?} are known, expected {n} of each");
}

#[tokio::test]
async fn sessions_that_have_ended_are_forgotten() {
    let server = Server::new(Settings::default());
    let listener = bind("127.0.0.1:0".parse().unwrap()).await.unwrap();
    let address = listener.local_addr().unwrap();
    let mut settings = HttpSettings::default();
    settings.limits.session_idle = Duration::from_secs(1);
    tokio::spawn(serve(
        server.clone(),
        listener,
        settings,
        std::future::pending(),
    ));
    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    for _ in 0..3 {
        let mut ids = Vec::new();
        for _ in 0..8 {
            let id = open(address).await;
            // A client that sends it twice is registered once.
            send(address, "POST", &id, &ready).await;
            send(address, "POST", &id, &ready).await;
            ids.push(id);
        }
        for id in ids.iter().take(4) {
            let answer = send(address, "DELETE", id, &Value::Null).await;
            assert!(answer.starts_with("http/1.1 204 "), "{answer}");
            let again = send(address, "DELETE", id, &Value::Null).await;
            assert!(again.starts_with("http/1.1 404 "), "{again}");
        }
        // The others are silent until they time out.
        wait_for(&server, 0).await;
    }
}
