//! Hostile clients, all at once: the memory that the server uses for them. Loopback only, bounded,
//! and held for a few seconds.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;

use super::client;

/// Connections with endless heads, most of a head each.
const N_HEADS: usize = 1_000;
/// Connections with endless bodies, most of the longest body each.
const N_BODIES: usize = 500;
/// Connections that send requests and never read.
const N_DEAF: usize = 300;
/// Number of reads that each of them requests; an answer has about 13 kB.
const N_ASKED: usize = 1_000;
/// Maximum number of sessions that are opened and abandoned.
const N_SESSIONS: usize = 5_000;
/// Size of a body just below the limit, in bytes.
const LONG: usize = 1_000_000;
/// Duration of one kind of attack.
const TIME: Duration = Duration::from_secs(4);

/// The connections of all kinds, which stay open.
pub(super) struct Crowd {
    held: Vec<TcpStream>,
    /// Number of sessions that were granted before the server refused.
    pub(super) n_sessions: usize,
}

/// Opens all connections.
pub(super) fn crowd(port: u16) -> Result<Crowd> {
    let mut held = Vec::new();
    let session = open(port)?;
    let begin = Instant::now();
    let mut n_sessions = 0;
    while n_sessions < N_SESSIONS && begin.elapsed() < TIME && !open(port)?.is_empty() {
        n_sessions += 1;
    }
    let start = format!("POST /mcp HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\n");
    let head = format!("{start}x-long: {}", "x".repeat(12_000));
    held.extend(say(port, N_HEADS, head.as_bytes())?);
    let json = "content-type: application/json\r\naccept: application/json, text/event-stream\r\n";
    let body = format!(
        "{start}{json}content-length: {LONG}\r\n\r\n{}",
        " ".repeat(LONG - 1)
    );
    held.extend(say(port, N_BODIES, body.as_bytes())?);
    let ask = (0..N_ASKED).map(|id| {
        let body = client::read(id);
        let length = body.len();
        format!("{start}{json}mcp-session-id: {session}\r\ncontent-length: {length}\r\n\r\n{body}")
    });
    let ask: String = ask.collect();
    held.extend(say(port, N_DEAF, ask.as_bytes())?);
    Ok(Crowd { held, n_sessions })
}

impl Crowd {
    /// Returns the number of open connections.
    pub(super) fn n_held(&self) -> usize {
        self.held.len()
    }
}

/// Opens connections that send `words` until the server stops reading.
fn say(port: u16, n: usize, words: &[u8]) -> Result<Vec<TcpStream>> {
    let mut all: Vec<(TcpStream, usize)> = Vec::with_capacity(n);
    for _ in 0..n {
        let stream = TcpStream::connect(("127.0.0.1", port))?;
        stream.set_nonblocking(true)?;
        all.push((stream, 0));
    }
    let begin = Instant::now();
    while begin.elapsed() < TIME {
        let mut is_new = false;
        for (stream, n_said) in &mut all {
            match stream.write(&words[*n_said..]) {
                Ok(n) => {
                    *n_said += n;
                    is_new |= n > 0;
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                // The server closed this connection.
                Err(_) => *n_said = words.len(),
            }
        }
        if all.iter().all(|(_, n_said)| *n_said == words.len()) {
            break;
        }
        if !is_new {
            thread::sleep(Duration::from_millis(10));
        }
    }
    Ok(all.into_iter().map(|(stream, _)| stream).collect())
}

/// Opens a session on a connection of its own and leaves; returns its id, or `None` if the server
/// refused.
fn open(port: u16) -> Result<String> {
    let mut stream = TcpStream::connect(("127.0.0.1", port))?;
    stream.set_read_timeout(Some(super::agent::PATIENCE))?;
    let body = client::initialize().to_string();
    let length = body.len();
    let request = format!(
        "POST /mcp HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\nconnection: close\r\ncontent-type: application/json\r\naccept: application/json, text/event-stream\r\ncontent-length: {length}\r\n\r\n{body}"
    );
    stream.write_all(request.as_bytes())?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    let mut lines = answer.lines();
    let id = lines.find_map(|line| line.strip_prefix("mcp-session-id: "));
    Ok(id.unwrap_or_default().to_owned())
}
