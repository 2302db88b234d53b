//! One agent over HTTP: its socket and its received data.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::os::fd::{AsFd, BorrowedFd};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use super::client;

/// Time after which an answer counts as lost.
pub(super) const PATIENCE: Duration = Duration::from_secs(30);
/// Expected size of the largest answer in bytes; a larger one grows the buffer.
const ANSWER: usize = 32 * 1024;

/// An agent with a session.
pub(super) struct Agent {
    stream: TcpStream,
    port: u16,
    session: String,
    /// The start of every request, up to its length.
    head: String,
    request: Vec<u8>,
    heard: Vec<u8>,
    n_heard: usize,
    /// The pending read, with the time at which it was sent.
    pub(super) asked: Option<(usize, Instant)>,
}

impl Agent {
    /// Opens a session and waits for its answers.
    pub(super) fn connect(port: u16) -> Result<Self> {
        let stream = TcpStream::connect(("127.0.0.1", port))?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        let mut res = Self {
            stream,
            port,
            session: String::new(),
            head: head(port, ""),
            request: Vec::new(),
            heard: vec![0; ANSWER],
            n_heard: 0,
            asked: None,
        };
        res.post(&client::initialize())?;
        ensure!(!res.session.is_empty(), "no session was given");
        res.head = head(port, &res.session);
        res.post(&client::initialized())?;
        res.stream.set_nonblocking(true)?;
        Ok(res)
    }

    pub(super) fn fd(&self) -> BorrowedFd<'_> {
        self.stream.as_fd()
    }

    /// Sends a read without waiting. A request is smaller than any socket buffer.
    pub(super) fn ask(&mut self, id: usize) -> Result<()> {
        let body = client::read(id);
        self.write(&body);
        self.asked = Some((id, Instant::now()));
        self.n_heard = 0;
        Ok(self.stream.write_all(&self.request)?)
    }

    /// Reads available data. Returns true if the answer is complete.
    pub(super) fn hear(&mut self) -> Result<bool> {
        loop {
            if self.n_heard == self.heard.len() {
                self.heard.resize(self.heard.len() * 2, 0);
            }
            match self.stream.read(&mut self.heard[self.n_heard..]) {
                Ok(0) => bail!("the connection ended"),
                Ok(n) => self.n_heard += n,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(false),
                Err(error) => return Err(error.into()),
            }
            if whole(&self.heard[..self.n_heard])?.is_some() {
                return Ok(true);
            }
        }
    }

    /// Returns whether the received answer belongs to the read that was sent.
    pub(super) fn is_right(&self, id: usize) -> bool {
        let heard = &self.heard[..self.n_heard];
        let Ok(Some((start, _))) = whole(heard) else {
            return false;
        };
        heard.starts_with(b"HTTP/1.1 2")
            && message(&heard[start..]).and_then(client::answered) == Some(id)
    }

    /// Reads one skill after the other on a new connection; returns the sorted times. A wrong
    /// answer is an error.
    pub(super) fn reads_alone(mut self, n: usize) -> Result<Vec<Duration>> {
        self.stream = TcpStream::connect(("127.0.0.1", self.port))?;
        self.stream.set_nodelay(true)?;
        self.stream.set_read_timeout(Some(PATIENCE))?;
        let mut times = Vec::with_capacity(n);
        for id in 1..=n {
            self.ask(id)?;
            while !self.hear()? {}
            let (_, sent) = self.asked.take().context("nothing was asked")?;
            times.push(sent.elapsed());
            ensure!(self.is_right(id), "the answer to read {id} is wrong");
        }
        times.sort_unstable();
        self.leave();
        Ok(times)
    }

    /// Ends the session.
    pub(super) fn leave(mut self) {
        let (port, session) = (self.port, &self.session);
        let request = format!(
            "DELETE /mcp HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\nmcp-session-id: {session}\r\n\r\n"
        );
        let _ = self.stream.set_nonblocking(false);
        let _ = self.stream.write_all(request.as_bytes());
        self.n_heard = 0;
        let _ = self.hear();
    }

    fn write(&mut self, body: &str) {
        self.request.clear();
        self.request.extend_from_slice(self.head.as_bytes());
        let _ = write!(self.request, "{}\r\n\r\n{body}", body.len());
    }

    /// Sends one request and reads its whole answer.
    fn post(&mut self, message: &Value) -> Result<()> {
        self.write(&message.to_string());
        self.stream.write_all(&self.request)?;
        self.n_heard = 0;
        while !self.hear()? {}
        let heard = String::from_utf8_lossy(&self.heard[..self.n_heard]).into_owned();
        ensure!(
            heard.starts_with("HTTP/1.1 2"),
            "the server answers `{}`",
            heard.lines().next().unwrap_or_default()
        );
        let (head, _) = heard.split_once("\r\n\r\n").context("no head")?;
        if let Some(session) = field(head, "mcp-session-id") {
            session.clone_into(&mut self.session);
        }
        Ok(())
    }
}

/// Returns the start of every request of a session.
fn head(port: u16, session: &str) -> String {
    let mut res = format!(
        "POST /mcp HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\ncontent-type: application/json\r\naccept: application/json, text/event-stream\r\n"
    );
    if !session.is_empty() {
        res.push_str("mcp-session-id: ");
        res.push_str(session);
        res.push_str("\r\nmcp-protocol-version: 2025-11-25\r\n");
    }
    res.push_str("content-length: ");
    res
}

fn field<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    let mut fields = head.split("\r\n").filter_map(|line| line.split_once(':'));
    let (_, value) = fields.find(|(key, _)| key.eq_ignore_ascii_case(name))?;
    Some(value.trim())
}

/// Returns the range of the body of an answer if all of it has arrived.
fn whole(heard: &[u8]) -> Result<Option<(usize, usize)>> {
    let Some(end) = heard.windows(4).position(|four| four == b"\r\n\r\n") else {
        return Ok(None);
    };
    let start = end + 4;
    let head = std::str::from_utf8(&heard[..end])?;
    if field(head, "transfer-encoding").is_some() {
        // JSON contains no raw line break, so this is the last chunk.
        let is_whole = heard[start..].ends_with(b"0\r\n\r\n");
        return Ok(is_whole.then_some((start, heard.len())));
    }
    let length: usize = match field(head, "content-length") {
        Some(length) => length.parse()?,
        None => 0,
    };
    Ok((heard.len() >= start + length).then_some((start, start + length)))
}

/// Returns the message in a body: all of it, or the last event of a chunked stream.
fn message(body: &[u8]) -> Option<&[u8]> {
    if body.first() == Some(&b'{') {
        return Some(body);
    }
    let mut lines = body.split(|byte| *byte == b'\n');
    let mut data = lines
        .by_ref()
        .filter_map(|line| line.strip_prefix(b"data: "));
    data.rfind(|data| data.first() == Some(&b'{'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_whole_when_its_last_byte_has_come() {
        for (text, is_whole) in [
            ("HTTP/1.1 200 OK\r\ncontent-len", false),
            ("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab", false),
            ("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc", true),
            ("HTTP/1.1 202 Accepted\r\n\r\n", true),
            (
                "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n",
                false,
            ),
            (
                "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
                true,
            ),
        ] {
            let found = whole(text.as_bytes()).unwrap();
            assert_eq!(found.is_some(), is_whole, "{text:?}");
        }
    }

    #[test]
    fn the_message_is_the_last_event_or_all() {
        assert_eq!(message(b"{}"), Some(&b"{}"[..]));
        let stream = b"8\r\ndata: \n\n\r\na\r\ndata: {\"a\":1}\n\n\r\n0\r\n\r\n";
        assert_eq!(message(stream), Some(&b"{\"a\":1}"[..]));
        assert_eq!(message(b"none"), None);
    }
}
