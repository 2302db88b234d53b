//! A server with an address: streamable HTTP, with JSON or events as answers.

use std::io::{BufReader, Read as _};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use serde_json::Value;
use ureq::http::{HeaderMap, Request, Response};
use ureq::{Agent, Body};

use super::inbox::Inbox;
use super::lines::{MAX_MESSAGE, event};
use super::session::{Connection, Wait};
use crate::envelope::{ErrorCode, Failure};
use crate::http::{Address, Clients, Hosts, HttpError, http_error, http_failure, limited};
use crate::json::utf16_prefix;

/// Characters of an answer that a failure quotes.
const QUOTED: usize = 500;
/// Bytes of an answer that is an error.
const MAX_ERROR: u64 = 64 << 10;
/// The time to tell a server that the session is over.
pub(super) const ENDING: Duration = Duration::from_millis(500);
/// The header of the session.
const SESSION: &str = "mcp-session-id";

/// Sends requests to the hosts that a skill may reach. Redirects are not followed.
#[derive(Debug)]
pub(super) struct Requests {
    agent: Agent,
    hosts: Hosts,
    headers: Vec<(String, String)>,
}

impl Requests {
    pub(super) fn new(hosts: Hosts, headers: Vec<(String, String)>) -> Self {
        Self {
            agent: Clients::default().of(&hosts).clone(),
            hosts,
            headers,
        }
    }

    /// Sends a request; an answer with any status is returned, except a redirect.
    pub(super) fn send(
        &self,
        method: &str,
        address: &Address,
        headers: &[(&str, &str)],
        body: Option<String>,
        limit: Option<Duration>,
    ) -> Result<Response<Body>, Failure> {
        if !self.hosts.permit(address) {
            return Err(http_failure(&HttpError::Denied(address.origin())));
        }
        let mut request = Request::builder().method(method).uri(address.to_string());
        let own = self
            .headers
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()));
        for (name, value) in headers.iter().copied().chain(own) {
            request = request.header(name, value);
        }
        let invalid = |error: ureq::http::Error| {
            Failure::new(
                ErrorCode::NotRunnable,
                format!("the request cannot be made: {error}"),
            )
        };
        let sent = match body {
            Some(body) => self.agent.run(limited(
                &self.agent,
                request.body(body).map_err(invalid)?,
                limit,
            )),
            None => self.agent.run(limited(
                &self.agent,
                request.body(()).map_err(invalid)?,
                limit,
            )),
        };
        let response = sent.map_err(|error| http_failure(&http_error(address, &error)))?;
        if response.status().is_redirection() {
            let to = response
                .headers()
                .get("location")
                .and_then(|to| to.to_str().ok());
            let to = to.and_then(|to| address.redirected(to).ok());
            let to = to.map_or_else(
                || "another address".to_owned(),
                |to| format!("{}{}", to.origin(), to.path()),
            );
            let message = format!(
                "the MCP server at {} redirects to {to}, which is not followed; if you trust it, write it in `entry.mcp.url` of METADATA.yml",
                address.origin()
            );
            return Err(Failure::new(ErrorCode::Denied, message));
        }
        Ok(response)
    }
}

/// A session over streamable HTTP.
#[derive(Debug)]
pub(super) struct Streamable(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    requests: Requests,
    address: Address,
    inbox: Inbox,
    state: Mutex<State>,
}

#[derive(Default, Debug)]
struct State {
    session: Option<String>,
    version: Option<String>,
}

impl Streamable {
    pub(super) fn new(requests: Requests, address: Address, inbox: Inbox) -> Self {
        let state = Mutex::default();
        Self(Arc::new(Shared {
            requests,
            address,
            inbox,
            state,
        }))
    }
}

impl Connection for Streamable {
    /// Requests are sent in a thread of their own, so that a cancelled one is left to it.
    fn send(&self, message: &Value, wait: &Wait<'_>) -> Result<(), Failure> {
        let id = message.get("method").and_then(|_| message["id"].as_u64());
        let (sender, receiver) = channel();
        let done = sender.clone();
        let (shared, message, limit) = (Arc::clone(&self.0), message.clone(), wait.left());
        thread::spawn(move || {
            let sent = shared.exchange(&message, id, limit);
            match (id, sent) {
                (Some(id), Err(failure)) => shared.inbox.finish(id, Err(failure)),
                (Some(id), Ok(())) => {
                    let failure = Failure::new(
                        ErrorCode::Protocol,
                        "the MCP server answered without a result",
                    );
                    shared.inbox.finish(id, Err(failure));
                }
                // The sender of a notification may have given up.
                (None, sent) => drop(done.send(sent)),
            }
        });
        if id.is_some() {
            return Ok(());
        }
        let given_up = || Failure::new(ErrorCode::Cancelled, "the call was cancelled");
        let _watch = wait
            .cancel
            .on_cancel(move || drop(sender.send(Err(given_up()))));
        let late = |_| {
            Err(Failure::new(
                ErrorCode::Timeout,
                "the MCP server took no message in time",
            ))
        };
        receiver.recv_timeout(wait.left()).unwrap_or_else(late)
    }

    fn agree(&self, version: &str) {
        self.0.state().version = Some(version.to_owned());
    }
}

impl Drop for Streamable {
    fn drop(&mut self) {
        if self.0.state().session.is_some() && self.0.inbox.is_open() {
            // Servers may refuse this, and end the session later by themselves.
            let _ = self.0.send("DELETE", None, ENDING);
        }
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn send(
        &self,
        method: &str,
        body: Option<String>,
        limit: Duration,
    ) -> Result<Response<Body>, Failure> {
        let (session, version) = {
            let state = self.state();
            (state.session.clone(), state.version.clone())
        };
        let mut headers = vec![("accept", "application/json, text/event-stream")];
        if body.is_some() {
            headers.push(("content-type", "application/json"));
        }
        headers.extend(session.as_deref().map(|session| (SESSION, session)));
        headers.extend(
            version
                .as_deref()
                .map(|version| ("mcp-protocol-version", version)),
        );
        self.requests
            .send(method, &self.address, &headers, body, Some(limit))
    }

    /// Sends a message, and hands what comes back to the inbox until the stream ends.
    fn exchange(&self, message: &Value, id: Option<u64>, limit: Duration) -> Result<(), Failure> {
        let response = self.send("POST", Some(message.to_string()), limit)?;
        let status = response.status().as_u16();
        if status == 404 && self.state().session.is_some() {
            let failure = Failure::new(
                ErrorCode::Unavailable,
                "the MCP server has ended the session; call again to begin another one",
            );
            self.inbox.end(&failure);
            return Err(failure);
        }
        if status >= 400 {
            return Err(refused(response));
        }
        if let Some(session) = header(response.headers(), SESSION) {
            self.state().session = Some(session.to_owned());
        }
        let media_type = header(response.headers(), "content-type").unwrap_or_default();
        let is_stream = media_type
            .trim_start()
            .to_ascii_lowercase()
            .starts_with("text/event-stream");
        let too_long = || {
            let message = format!("the MCP server sent a message of more than {MAX_MESSAGE} bytes");
            Failure::new(ErrorCode::TooLarge, message)
        };
        let broken = |error: std::io::Error| match error.kind() {
            std::io::ErrorKind::FileTooLarge => too_long(),
            _ => http_failure(&http_error(&self.address, &ureq::Error::from(error))),
        };
        let reader = response.into_body().into_reader();
        if is_stream {
            let mut reader = BufReader::new(reader);
            while let Some(event) = event(&mut reader).map_err(broken)? {
                self.take(event.data.as_bytes(), limit);
                if let Some(ended) = self.inbox.ended() {
                    return Err(ended);
                }
            }
            return Ok(());
        }
        let mut body = Vec::new();
        let bound = u64::try_from(MAX_MESSAGE).unwrap_or(u64::MAX);
        reader
            .take(bound + 1)
            .read_to_end(&mut body)
            .map_err(broken)?;
        if body.len() > MAX_MESSAGE {
            return Err(too_long());
        }
        if id.is_some() && !self.take(&body, limit) {
            let start = String::from_utf8_lossy(&body)
                .chars()
                .take(QUOTED)
                .collect::<String>();
            return Err(Failure::new(
                ErrorCode::Protocol,
                format!(
                    "the MCP server answered `{}`, expected JSON",
                    start.escape_debug()
                ),
            ));
        }
        Ok(())
    }

    /// Hands a message to the inbox; returns false if it is not JSON.
    fn take(&self, bytes: &[u8], limit: Duration) -> bool {
        let Some(answers) = self.inbox.take_text(bytes) else {
            return false;
        };
        for answer in answers {
            // A server that is gone is found by the next request.
            let _ = self.send("POST", Some(answer.to_string()), limit);
        }
        true
    }
}

fn header<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers.get(name)?.to_str().ok()
}

/// Converts an answer with an error status. What the server says is quoted.
pub(super) fn refused(response: Response<Body>) -> Failure {
    let status = response.status().as_u16();
    let mut body = Vec::new();
    // Half of an explanation is better than none.
    let _ = response
        .into_body()
        .into_reader()
        .take(MAX_ERROR)
        .read_to_end(&mut body);
    let said = serde_json::from_slice::<Value>(&body).ok();
    let said = said
        .as_ref()
        .and_then(|said| said.pointer("/error/message")?.as_str().map(str::to_owned));
    let said = said.unwrap_or_else(|| String::from_utf8_lossy(&body).trim().to_owned());
    let said = utf16_prefix(&said, QUOTED);
    let code = match status {
        401 | 403 => ErrorCode::Denied,
        _ => ErrorCode::Unavailable,
    };
    let said = if said.is_empty() {
        String::new()
    } else {
        format!(": {}", said.escape_debug())
    };
    Failure::new(code, format!("the MCP server answered {status}{said}")).with("status", status)
}
