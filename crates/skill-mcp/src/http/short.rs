//! The short way of a call that only reads, in a session of the older protocol.
//!
//! The SDK hands each request to the task of its session and streams the answer back through
//! several channels. A call of a tool that only reads needs none of that: it is answered where
//! it was received, by the same code, as one JSON body (streamable HTTP leaves a server the
//! choice between that and a stream:
//! <https://modelcontextprotocol.io/specification/2025-11-25/basic/transports>).
//!
//! **Invariant:** a request with anything that is not known here goes to the SDK: the short way
//! never refuses.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use hyper::Method;
use hyper::body::Bytes;
use hyper::header::{ACCEPT, CONTENT_TYPE, HeaderMap};
use hyper::http::request::Parts;
use rmcp::model::{JsonObject, ProtocolVersion, RequestId};
use serde_json::Value;

use crate::session::Session;
use crate::tools::Json;

/// The header that names a session.
pub(crate) const SESSION: &str = "mcp-session-id";
/// A session is shown to the SDK again after this part of the time that it may be silent, so
/// that it is not taken for a silent one.
const PART: u32 = 4;
/// Bytes around a result that was written before: the id, and names of skills that gave way.
const ROOM: usize = 512;

/// What the agents of all sessions were given, for those that have finished their handshake.
#[derive(Debug, Default)]
pub(crate) struct Memories(RwLock<BTreeMap<Arc<str>, Memory>>);

#[derive(Debug)]
struct Memory {
    session: Arc<Mutex<Session>>,
    /// When the SDK heard of it last.
    heard: Mutex<Instant>,
}

impl Memories {
    /// Takes a session whose `notifications/initialized` came with this head.
    pub(crate) fn begin(&self, head: &Parts, session: &Arc<Mutex<Session>>) -> Option<Arc<str>> {
        let id: Arc<str> = head.headers.get(SESSION)?.to_str().ok()?.into();
        let memory = Memory {
            session: session.clone(),
            heard: Mutex::new(Instant::now()),
        };
        let all = self.0.write();
        all.unwrap_or_else(PoisonError::into_inner)
            .insert(id.clone(), memory);
        Some(id)
    }

    /// Forgets a session.
    pub(crate) fn end(&self, id: &str) {
        let all = self.0.write();
        all.unwrap_or_else(PoisonError::into_inner).remove(id);
    }

    /// How many sessions are known.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.0.read().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// The session, unless the SDK has not heard of it for long.
    pub(super) fn recent(&self, id: &str, idle: Duration) -> Option<Arc<Mutex<Session>>> {
        let all = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let memory = all.get(id)?;
        let mut heard = memory.heard.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        if now.saturating_duration_since(*heard) >= idle / PART {
            *heard = now;
            return None;
        }
        Some(memory.session.clone())
    }
}

/// A call of a tool, and nothing else.
#[derive(PartialEq, Debug)]
pub(super) struct Asked {
    pub(super) id: RequestId,
    pub(super) tool: String,
    pub(super) arguments: Option<JsonObject>,
}

/// The call that a request makes, if it has nothing but that.
pub(super) fn asked(head: &Parts, body: &[u8]) -> Option<Asked> {
    let is_plain = head.method == Method::POST && takes(&head.headers) && is_older(&head.headers);
    if !is_plain {
        return None;
    }
    let Value::Object(mut message) = serde_json::from_slice(body).ok()? else {
        return None;
    };
    let Some(Value::Object(mut params)) = message.remove("params") else {
        return None;
    };
    let id = match message.remove("id")? {
        Value::String(id) => RequestId::String(id.into()),
        id => RequestId::Number(id.as_i64()?),
    };
    let is_call = message.remove("jsonrpc")? == "2.0" && message.remove("method")? == "tools/call";
    let Value::String(tool) = params.remove("name")? else {
        return None;
    };
    let arguments = match params.remove("arguments") {
        None => None,
        Some(Value::Object(arguments)) => Some(arguments),
        Some(_) => return None,
    };
    (is_call && message.is_empty() && params.is_empty()).then_some(Asked {
        id,
        tool,
        arguments,
    })
}

/// Whether a client sends JSON and takes both forms of an answer, said without weights.
fn takes(headers: &HeaderMap) -> bool {
    let is_json = one(headers, CONTENT_TYPE.as_str())
        .and_then(|text| text.split(';').next())
        .is_some_and(|text| text.trim().eq_ignore_ascii_case("application/json"));
    let accepted = one(headers, ACCEPT.as_str()).unwrap_or_default();
    let is_accepted = |media: &str| {
        let mut all = accepted.split(',');
        all.any(|text| text.trim().eq_ignore_ascii_case(media))
    };
    is_json && is_accepted("application/json") && is_accepted("text/event-stream")
}

/// Whether this is the protocol with sessions.
fn is_older(headers: &HeaderMap) -> bool {
    let name = "mcp-protocol-version";
    let mut known = ProtocolVersion::KNOWN_VERSIONS.iter();
    !headers.contains_key(name)
        || one(headers, name).is_some_and(|version| {
            known.any(|known| known.as_str() == version)
                && version < ProtocolVersion::V_2026_07_28.as_str()
        })
}

/// The value of a header that is there once.
fn one<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let mut all = headers.get_all(name).iter();
    let value = all.next()?.to_str().ok()?;
    all.next().is_none().then_some(value)
}

/// The body of an answer: a response of JSON-RPC 2.0 around a result.
pub(super) fn told(id: &RequestId, result: &Json) -> Option<Bytes> {
    // In one buffer of the right size, so that it is written at once.
    let mut res = Vec::with_capacity(result.size() + ROOM);
    res.extend_from_slice(b"{\"jsonrpc\":\"2.0\",\"id\":");
    serde_json::to_writer(&mut res, id).ok()?;
    res.extend_from_slice(b",\"result\":");
    result.append(&mut res)?;
    res.push(b'}');
    Some(res.into())
}

#[cfg(test)]
mod tests {
    use hyper::Request;

    use super::*;

    const CALL: &str = r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"a","arguments":{"b":1}}}"#;
    const BOTH: &str = "text/event-stream, application/json";

    /// Headers and a body, and whether they go the short way.
    #[track_caller]
    fn check(headers: &[(&str, &str)], body: &str, expected: bool) {
        let mut request = Request::builder().method(Method::POST);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let (head, ()) = request.body(()).unwrap().into_parts();
        let found = asked(&head, body.as_bytes());
        assert_eq!(found.is_some(), expected, "{headers:?} {body}");
    }

    #[test]
    fn only_what_is_known_goes_the_short_way() {
        let json = ("content-type", "application/json; charset=utf-8");
        let both = ("accept", BOTH);
        let version = |text| ("mcp-protocol-version", text);
        for (headers, expected) in [
            (&[json, both][..], true),
            (&[json, both, version("2025-11-25")], true),
            (&[json, both, version("2026-07-28")], false),
            (&[json, both, version("2025-11-24")], false),
            (
                &[json, both, version("2025-11-25"), version("2025-11-25")],
                false,
            ),
            (&[json, ("accept", "application/json")], false),
            (
                &[json, ("accept", "application/json;q=0, text/event-stream")],
                false,
            ),
            (&[json], false),
            (&[both, ("content-type", "text/plain")], false),
            (&[both], false),
        ] {
            check(headers, CALL, expected);
        }
        for (from, to, expected) in [
            (":7", ":\"x\"", true),
            (":7", ":-7", true),
            (":7", ":7.5", false),
            (":7", ":null", false),
            ("\"id\":7,", "", false),
            (",\"arguments\":{\"b\":1}", "", true),
            ("{\"b\":1}", "[1]", false),
            ("\"name\":\"a\"", "\"name\":\"a\",\"_meta\":{}", false),
            ("\"name\"", "\"nam\"", false),
            ("tools/call", "tools/list", false),
            ("\"2.0\"", "\"1.0\"", false),
            ("\"id\"", "\"more\":1,\"id\"", false),
            ("}}}", "}}", false),
            (CALL, "[]", false),
            (CALL, "", false),
        ] {
            check(&[json, both], &CALL.replace(from, to), expected);
        }
    }

    #[test]
    fn a_session_is_shown_to_the_sdk_now_and_then() {
        let memories = Memories::default();
        let request = Request::builder().header(SESSION, "one").body(()).unwrap();
        let (head, ()) = request.into_parts();
        let id = memories.begin(&head, &Arc::default()).unwrap();
        assert!(memories.recent("other", Duration::MAX).is_none());
        assert!(memories.recent(&id, Duration::from_hours(1)).is_some());
        assert!(memories.recent(&id, Duration::ZERO).is_none());
        memories.end(&id);
        assert!(memories.recent(&id, Duration::from_hours(1)).is_none());
    }
}
