//! An endpoint on loopback for results that arrive later: `POST /{plugin}/{taskId}`.
//!
//! The address holds the secret of the one call that waits: who does not know it delivers nothing.
//! Source: `legacy-host.md` §1.4. It lives as long as one call waits; a server of skills has an
//! endpoint of its own and hands its address on in `CALLBACK_BASE_URL`.

use std::io::{BufRead as _, BufReader, PipeReader, Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use serde_json::Value;

use crate::call::Call;
use crate::envelope::{ErrorCode, Failure, Success};
use crate::results::{self, Secret};
use crate::{json, state};

/// Largest body, in bytes.
const MAX_BODY: usize = 16 << 20;
/// Longest head of a request, in bytes.
const MAX_HEAD: u64 = 64 << 10;
/// How long one request may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// A listening endpoint.
#[derive(Debug)]
pub struct Endpoint {
    listener: TcpListener,
    port: u16,
    secret: Secret,
}

impl Endpoint {
    /// Listens on a free port of loopback for the results of a call that is about to begin.
    pub fn open(call: &Call<'_>) -> Result<Self, Failure> {
        let unavailable = |error: std::io::Error| {
            let message = format!("cannot listen on loopback: {error}");
            Failure::new(ErrorCode::Unavailable, message)
        };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(unavailable)?;
        let port = listener.local_addr().map_err(unavailable)?.port();
        let secret = results::expect(&call.host.state, call.skill.legacy_name())?;
        Ok(Self {
            listener,
            port,
            secret,
        })
    }

    /// What `CALLBACK_BASE_URL` becomes.
    pub fn url(&self) -> String {
        let secret = self.secret.text();
        format!("http://127.0.0.1:{}/plugin-callback/{secret}", self.port)
    }

    /// Waits for the result of the call that `first` answered; every result of this call that
    /// arrives meanwhile is stored.
    pub fn result(
        self,
        call: &Call<'_>,
        first: Success,
        wait: Duration,
    ) -> Result<Success, Failure> {
        let until = Instant::now() + wait;
        let (wake, waker) = std::io::pipe().map_err(|error| state::failed(&error))?;
        let _watch = call.options.cancel.on_cancel(move || drop(waker));
        let name = call.skill.legacy_name();
        while let Some((plugin, task, body)) = self.next(&wake, until) {
            let state = &call.host.state;
            if results::accept(state, self.secret.text(), &plugin, &task, &body).is_err() {
                continue;
            }
            if task_of(&first.value).is_none_or(|own| own == task) {
                return Ok(Success::of(body));
            }
        }
        let message = format!(
            "no result of \"{name}\" arrived within {} ms",
            wait.as_millis()
        );
        Err(Failure::new(ErrorCode::Timeout, message).with("first", first.value))
    }

    /// The next result, or nothing when the time is over or `wake` is closed.
    fn next(&self, wake: &PipeReader, until: Instant) -> Option<(String, String, Value)> {
        loop {
            let left = until.checked_duration_since(Instant::now())?;
            let timeout = Timespec {
                tv_sec: left.as_secs().cast_signed(),
                tv_nsec: left.subsec_nanos().into(),
            };
            let mut set = [
                PollFd::new(&self.listener, PollFlags::IN),
                PollFd::new(wake, PollFlags::IN),
            ];
            let ready = poll(&mut set, Some(&timeout)).is_ok_and(|ready| ready > 0);
            if ready && !set[1].revents().is_empty() {
                return None;
            }
            if ready
                && let Ok((stream, _)) = self.listener.accept()
                && let Some(result) = receive(stream, self.secret.text())
            {
                return Some(result);
            }
        }
    }
}

/// The id under which a first answer said that the result would come.
fn task_of(value: &Value) -> Option<String> {
    let keys = ["taskId", "task_id", "requestId", "id"];
    keys.iter().find_map(|key| match value.get(key)? {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    })
}

/// One request, answered as the old host did.
fn receive(stream: TcpStream, secret: &str) -> Option<(String, String, Value)> {
    stream.set_read_timeout(Some(PATIENCE)).ok()?;
    stream.set_write_timeout(Some(PATIENCE)).ok()?;
    let mut answer = stream.try_clone().ok()?;
    let result = read_request(stream, secret);
    let (status, body) = match &result {
        Some(_) => (
            "200 OK",
            r#"{"status":"success","message":"Callback received"}"#,
        ),
        None => (
            "400 Bad Request",
            r#"{"status":"error","message":"expected POST CALLBACK_BASE_URL/plugin/task with a JSON body"}"#,
        ),
    };
    let length = body.len();
    let text = format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
    );
    // Who does not wait for the answer has still delivered.
    let _ = answer.write_all(text.as_bytes());
    result
}

fn read_request(stream: TcpStream, secret: &str) -> Option<(String, String, Value)> {
    let mut reader = BufReader::new(stream).take(MAX_HEAD);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let (plugin, task) = target(&line, secret)?;
    let mut length = 0;
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).ok()?;
        let header = header.trim();
        if header.is_empty() {
            break;
        }
        let (name, value) = header.split_once(':')?;
        if name.eq_ignore_ascii_case("content-length") {
            length = value.trim().parse().ok()?;
        }
    }
    if length > MAX_BODY {
        return None;
    }
    reader.set_limit(length as u64);
    let mut body = Vec::new();
    reader.read_to_end(&mut body).ok()?;
    let body = json::parse(std::str::from_utf8(&body).ok()?).ok()?;
    Some((plugin, task, body))
}

/// Plugin and task: what follows the secret in the path of a POST.
fn target(line: &str, secret: &str) -> Option<(String, String)> {
    let mut words = line.split(' ');
    if words.next()? != "POST" {
        return None;
    }
    let path = words.next()?.split(['?', '#']).next()?;
    let mut parts = path.rsplit('/');
    let task = unescaped(parts.next()?)?;
    let plugin = unescaped(parts.next()?)?;
    (parts.next()? == secret).then_some((plugin, task))
}

/// Percent escapes of a URL.
fn unescaped(part: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = part.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        rest = tail;
        if *first == b'%' {
            let digits = std::str::from_utf8(rest.get(..2)?).ok()?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = &rest[2..];
        } else {
            bytes.push(*first);
        }
    }
    String::from_utf8(bytes).ok()
}
