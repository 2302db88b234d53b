//! A session with a server: the handshake, requests and their answers.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::RecvTimeoutError;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use skill_sandbox::{Killer, Report};

use super::doubts::Doubts;
use super::inbox::{Answer, Inbox, Watch};
use super::secrets::without_secrets_of;
use super::tools::Introspection;
use crate::cancel::Cancel;
use crate::envelope::{ErrorCode, Failure};
use crate::redact::Redactor;

/// The version of the protocol that is offered.
const VERSION: &str = "2025-11-25";
/// Older versions that are understood too.
const OLDER: [&str; 3] = ["2025-06-18", "2025-03-26", "2024-11-05"];
/// The maximum number of pages of a list of tools.
const MAX_PAGES: usize = 100;
/// The maximum number of tools of a server.
const MAX_TOOLS: usize = 2_000;
/// The maximum size of all pages of a list of tools, in bytes.
const MAX_LIST: usize = 32 << 20;

/// The limits of one request.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wait<'w> {
    pub(super) deadline: Instant,
    pub(super) cancel: &'w Cancel,
}

impl Wait<'_> {
    pub(super) fn left(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }
}

/// The way in which messages get to a server. Those of the server go to an [`Inbox`].
pub(super) trait Connection: Send + Sync + Debug {
    /// Sends a message.
    fn send(&self, message: &Value, wait: &Wait<'_>) -> Result<(), Failure>;

    /// Called with the version of the protocol that the server chose.
    fn agree(&self, _version: &str) {}

    /// Returns what the server printed on standard error since the last time.
    fn diagnostics(&self) -> String {
        String::new()
    }

    /// Returns how the process is confined.
    fn confinement(&self) -> Option<Report> {
        None
    }

    /// Returns what ends the process.
    fn killer(&self) -> Option<Killer> {
        None
    }
}

/// A session that any number of threads may use at once.
#[derive(Debug)]
pub(super) struct Session {
    connection: Box<dyn Connection>,
    inbox: Inbox,
    doubts: Doubts,
    next: AtomicU64,
    /// The server's own name and version, and what it says about its use.
    about: (String, String),
    /// The tools as they were listed last.
    tools: Mutex<Option<Arc<Listed>>>,
}

/// The tools of a server.
#[derive(Debug)]
pub(super) struct Listed {
    pub(super) tools: Introspection,
    /// The digest of each.
    pub(super) digests: BTreeMap<String, String>,
}

impl Session {
    /// Introduces us to the server.
    pub(super) fn open(
        connection: Box<dyn Connection>,
        inbox: Inbox,
        wait: &Wait<'_>,
    ) -> Result<Self, Failure> {
        let mut session = Self {
            connection,
            inbox,
            doubts: Doubts::default(),
            next: AtomicU64::new(1),
            about: Default::default(),
            tools: Mutex::new(None),
        };
        let params = json!({
            "protocolVersion": VERSION,
            "capabilities": {},
            "clientInfo": {"name": "skill-executor", "version": env!("CARGO_PKG_VERSION")},
        });
        let answer = session.request("initialize", params, wait, Watch::default())?;
        let version = answer["protocolVersion"].as_str().unwrap_or_default();
        if version != VERSION && !OLDER.contains(&version) {
            let version: String = version
                .chars()
                .take(40)
                .flat_map(char::escape_debug)
                .collect();
            let message = format!(
                "the MCP server speaks the protocol version `{version}`, expected {VERSION} or one of {}",
                OLDER.join(", ")
            );
            return Err(Failure::new(ErrorCode::Protocol, message));
        }
        session.connection.agree(version);
        let text = |pointer: &str| {
            answer
                .pointer(pointer)
                .and_then(Value::as_str)
                .unwrap_or_default()
        };
        let name = format!(
            "{} {}",
            text("/serverInfo/name"),
            text("/serverInfo/version")
        );
        session.about = (name.trim().to_owned(), text("/instructions").to_owned());
        let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        session.connection.send(&ready, wait)?;
        Ok(session)
    }

    /// Returns true if the server can be asked. After a call that was given up, waits until it is known whether
    /// the server still answers.
    pub(super) fn is_ready(&self, wait: &Wait<'_>) -> bool {
        self.doubts.settle(wait.left());
        self.is_open()
    }

    /// Returns true until the server has ended or left us.
    pub(super) fn is_open(&self) -> bool {
        self.inbox.is_open()
    }

    /// Returns what the server printed on standard error since the last time.
    pub(super) fn diagnostics(&self) -> String {
        self.connection.diagnostics()
    }

    /// Returns how the process is confined.
    pub(super) fn confinement(&self) -> Option<Report> {
        self.connection.confinement()
    }

    /// Sends a request and waits for its answer. The server is notified if nobody waits any more.
    pub(super) fn request(
        &self,
        method: &str,
        mut params: Value,
        wait: &Wait<'_>,
        watch: Watch,
    ) -> Answer {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        if watch.wants_progress() {
            params["_meta"] = json!({"progressToken": id});
        }
        let receiver = self.inbox.register(id, watch)?;
        let inbox = self.inbox.clone();
        let cancelled = || Failure::new(ErrorCode::Cancelled, "the call was cancelled");
        let _watch = wait
            .cancel
            .on_cancel(move || inbox.finish(id, Err(cancelled())));
        let message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        if let Err(failure) = self.connection.send(&message, wait) {
            self.inbox.finish(id, Err(failure));
        }
        let before = wait.left();
        let answer = match receiver.recv_timeout(before) {
            Ok(answer) => answer,
            Err(RecvTimeoutError::Timeout) => Err(Failure::new(
                ErrorCode::Timeout,
                "the MCP server gave no answer in time",
            )),
            Err(RecvTimeoutError::Disconnected) => Err(Failure::new(
                ErrorCode::Unavailable,
                "the MCP server ended before it answered",
            )),
        };
        let is_given_up =
            |failure: &Failure| matches!(failure.code, ErrorCode::Cancelled | ErrorCode::Timeout);
        if answer.as_ref().is_err_and(is_given_up) && self.is_open() && method != "initialize" {
            self.inbox.finish(id, Err(cancelled()));
            let params = json!({"requestId": id, "reason": "the caller gave the call up"});
            let message =
                json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params});
            let fresh = Cancel::new();
            let wait = Wait {
                deadline: Instant::now() + Duration::from_secs(1),
                cancel: &fresh,
            };
            // The result does not matter, because nobody waits.
            let _ = self.connection.send(&message, &wait);
            self.doubt(&wait);
        }
        answer
    }

    /// Asks a program for something that every server answers, and ends it if it does not.
    fn doubt(&self, wait: &Wait<'_>) {
        let Some(killer) = self.connection.killer() else {
            return;
        };
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let Ok(answer) = self.inbox.register(id, Watch::default()) else {
            return;
        };
        self.doubts.check(self.inbox.clone(), (id, answer), killer);
        let message = json!({"jsonrpc": "2.0", "id": id, "method": "tools/list", "params": {}});
        // A server that does not take it does not answer.
        let _ = self.connection.send(&message, wait);
    }

    /// Returns the tools of the server, without secrets that it repeats: they are asked for once, and again
    /// after the server said that they changed.
    pub(super) fn tools(
        &self,
        redactor: &Redactor,
        wait: &Wait<'_>,
    ) -> Result<Arc<Listed>, Failure> {
        let mut known = self.tools.lock().unwrap_or_else(PoisonError::into_inner);
        if self.inbox.take_tools_changed() {
            *known = None;
        }
        if let Some(known) = &*known {
            return Ok(Arc::clone(known));
        }
        let tools = self.listed(redactor, wait)?;
        let digests = tools.digests();
        let listed = Arc::new(Listed { tools, digests });
        *known = Some(Arc::clone(&listed));
        Ok(listed)
    }

    /// Asks for all pages of the list of tools.
    fn listed(&self, redactor: &Redactor, wait: &Wait<'_>) -> Result<Introspection, Failure> {
        let mut res = Introspection {
            server: redactor.redact(&self.about.0),
            instructions: without_secrets_of(&redactor.redact(&self.about.1)),
            ..Introspection::default()
        };
        let too_large = |what: String| {
            Failure::new(
                ErrorCode::TooLarge,
                format!("the list of tools of the MCP server has {what}"),
            )
        };
        let mut cursor = Value::Null;
        let mut size = 0;
        for _ in 0..MAX_PAGES {
            let params = if cursor.is_null() {
                json!({})
            } else {
                json!({"cursor": cursor})
            };
            let mut page = self.request("tools/list", params, wait, Watch::default())?;
            size += page.to_string().len();
            let next = page
                .get_mut("nextCursor")
                .map(Value::take)
                .unwrap_or_default();
            res.add(&redactor.redact_value(page));
            if res.tools.len() > MAX_TOOLS || size > MAX_LIST {
                return Err(too_large(format!(
                    "more than {MAX_TOOLS} tools or {MAX_LIST} bytes"
                )));
            }
            if next.is_null() {
                return Ok(res);
            }
            if next == cursor {
                return Err(too_large("a page that leads to itself".to_owned()));
            }
            cursor = next;
        }
        Err(too_large(format!("more than {MAX_PAGES} pages")))
    }
}
