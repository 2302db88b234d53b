//! An endpoint on loopback for results that arrive later: `POST /{plugin}/{taskId}`.
//!
//! The address contains the secret of the call that waits, so that nobody else can deliver a
//! result. Source: `docs/design/legacy-host.md` §1.4. The endpoint exists while one call waits; a
//! server of skills has its own endpoint and passes its address in `CALLBACK_BASE_URL`.
//!
//! Every process of this machine can connect. Many connections are served at one time, and none for
//! longer than `PATIENCE`, so that a slow or silent client delays nobody.

mod ready;
mod request;

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::time::{Duration, Instant};

use ready::Wake;
use request::{Delivery, InvalidRequest, Request};
use serde_json::Value;

use crate::call::Call;
use crate::envelope::{ErrorCode, Failure, Success};
use crate::results::{self, Secret};

/// The maximum time of one request, from the connection to its last byte.
const PATIENCE: Duration = Duration::from_secs(10);
/// The maximum number of connections at one time; for another one the oldest is closed.
const MAX_OPEN: usize = 64;
/// Bytes that are read at a time.
const PIECE: usize = 64 << 10;

/// A listening endpoint.
#[derive(Debug)]
pub struct Endpoint {
    listener: TcpListener,
    port: u16,
    secret: Secret,
    open: Vec<Connection>,
}

/// The connection of a client.
#[derive(Debug)]
struct Connection {
    stream: TcpStream,
    until: Instant,
    request: Request,
}

impl Endpoint {
    /// Listens on a free port of loopback for the results of a call that is about to begin.
    pub fn open(call: &Call<'_>) -> Result<Self, Failure> {
        let unavailable = |error: std::io::Error| {
            let message = format!("cannot listen on loopback: {error}");
            Failure::new(ErrorCode::Unavailable, message)
        };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(unavailable)?;
        listener.set_nonblocking(true).map_err(unavailable)?;
        let port = listener.local_addr().map_err(unavailable)?.port();
        let secret = results::expect(&call.host.state, call.skill.legacy_name())?;
        Ok(Self {
            listener,
            port,
            secret,
            open: Vec::new(),
        })
    }

    /// Returns the value of `CALLBACK_BASE_URL`.
    pub fn url(&self) -> String {
        let secret = self.secret.text();
        format!("http://127.0.0.1:{}/plugin-callback/{secret}", self.port)
    }

    /// Waits for the result of the call that `first` answered; every result of this call that
    /// arrives meanwhile is stored.
    pub fn result(
        mut self,
        call: &Call<'_>,
        first: Success,
        wait: Duration,
    ) -> Result<Success, Failure> {
        let until = Instant::now() + wait;
        let (wake, waker) = ready::pair().map_err(|error| Failure::io(&error))?;
        let _watch = call.options.cancel.on_cancel(move || drop(waker));
        let name = call.skill.legacy_name();
        while let Some(Delivery { plugin, task, body }) = self.next(&wake, until) {
            let state = &call.host.state;
            if results::accept(state, self.secret.text(), &plugin, &task, &body).is_err() {
                continue;
            }
            if task_of(&first.value).is_none_or(|own| own == task) {
                return Ok(Success::new(body));
            }
        }
        let message = format!(
            "no result of \"{name}\" arrived within {} ms",
            wait.as_millis()
        );
        Err(Failure::new(ErrorCode::Timeout, message).with("first", first.value))
    }

    /// Returns the next result, or `None` when the time is over or the waker of
    /// `wake` is dropped.
    fn next(&mut self, wake: &Wake, until: Instant) -> Option<Delivery> {
        loop {
            let now = Instant::now();
            let left = until.checked_duration_since(now)?;
            self.open.retain(|connection| connection.until > now);
            let ends = self.open.iter().map(|connection| connection.until - now);
            let wait = ends.fold(left, Duration::min);
            let streams = self.open.iter().map(|connection| &connection.stream);
            let ready = wake.wait(&self.listener, streams, wait);
            let mut streams = ready.streams.into_iter();
            if ready.is_woken {
                return None;
            }
            let mut found = None;
            let secret = self.secret.text();
            self.open.retain_mut(|connection| {
                let is_ready = streams.next().unwrap_or(false);
                if found.is_some() || !is_ready {
                    return true;
                }
                match connection.hear(secret) {
                    Ok(None) => return true,
                    Ok(Some(delivery)) => {
                        connection.answer(Ok(()));
                        found = Some(delivery);
                    }
                    Err(InvalidRequest) => connection.answer(Err(InvalidRequest)),
                }
                false
            });
            if found.is_some() {
                return found;
            }
            if ready.may_accept {
                self.accept();
            }
        }
    }

    fn accept(&mut self) {
        let Ok((stream, _)) = self.listener.accept() else {
            return;
        };
        if stream.set_nonblocking(true).is_err() {
            return;
        }
        if self.open.len() >= MAX_OPEN {
            self.open.remove(0);
        }
        self.open.push(Connection {
            stream,
            until: Instant::now() + PATIENCE,
            request: Request::default(),
        });
    }
}

impl Connection {
    /// Reads what has come.
    fn hear(&mut self, secret: &str) -> Result<Option<Delivery>, InvalidRequest> {
        let mut piece = vec![0; PIECE];
        match self.stream.read(&mut piece) {
            Ok(0) => Err(InvalidRequest),
            Ok(n) => self.request.take(&piece[..n], secret),
            Err(error)
                if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) =>
            {
                Ok(None)
            }
            Err(_) => Err(InvalidRequest),
        }
    }

    /// Answers as the old host did.
    fn answer(&mut self, result: Result<(), InvalidRequest>) {
        let (status, body) = match result {
            Ok(()) => (
                "200 OK",
                r#"{"status":"success","message":"Callback received"}"#,
            ),
            Err(InvalidRequest) => (
                "400 Bad Request",
                r#"{"status":"error","message":"expected POST CALLBACK_BASE_URL/plugin/task with a JSON body"}"#,
            ),
        };
        let length = body.len();
        let text = format!(
            "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
        );
        // A client that does not read the answer has delivered its result nevertheless.
        let _ = self.stream.write_all(text.as_bytes());
    }
}

/// Returns the id that a first answer announced for its result.
fn task_of(value: &Value) -> Option<String> {
    let keys = ["taskId", "task_id", "requestId", "id"];
    keys.iter().find_map(|key| match value.get(key)? {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    })
}

#[cfg(test)]
mod tests;
