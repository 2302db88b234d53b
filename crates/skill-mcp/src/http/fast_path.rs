//! The fast path of requests that only read, in a session of the older protocol: calls of tools, and
//! `resources/read`.
//!
//! The SDK passes each request to the task of its session and streams the answer back through
//! several channels. A call of a tool that only reads needs none of that. It is answered where it
//! was received, by the same code, as one JSON body. Streamable HTTP lets a server choose between
//! that and a stream (<https://modelcontextprotocol.io/specification/2025-11-25/basic/transports>).
//!
//! A file of a skill may have 16 MiB, and the Python SDK 2.3.0 refuses an event of a stream with more
//! than 1 MiB. A JSON body has no such limit.
//!
//! Measured with `cargo xtask bench serve http` (November 2026, 200 sessions, a busy machine, two
//! rounds): a read costs the server 48 and 43 µs of processor time here, and 149 and 129 µs through
//! the SDK. The promise for the slowest hundredth of the reads, 20 ms (`docs/benchmarks.md`), was
//! kept at 19.95 ms with this path; without it, it was not measured on an idle machine.
//!
//! **Invariant:** a request with anything that is unknown here goes to the SDK: the fast path never
//! refuses.

use hyper::Method;
use hyper::body::Bytes;
use hyper::header::{ACCEPT, CONTENT_TYPE, HeaderMap};
use hyper::http::request::Parts;
use rmcp::ErrorData;
use rmcp::model::{JsonObject, ProtocolVersion, ReadResourceResult, RequestId};
use serde_json::{Value, json};

use crate::tools::Json;

/// The space for the bytes around a cached result: the id, and names of evicted skills.
const MARGIN: usize = 512;

/// A request that only reads.
#[derive(PartialEq, Debug)]
pub(super) enum Reading {
    /// A call of a tool, which may turn out to be one that does not only read.
    Tool {
        name: String,
        arguments: Option<JsonObject>,
    },
    /// The URI of a resource.
    Resource(String),
}

/// Returns the id and the content of a request if the request has nothing else.
pub(super) fn parse(head: &Parts, body: &[u8]) -> Option<(RequestId, Reading)> {
    let is_plain = head.method == Method::POST && accepts(&head.headers) && is_older(&head.headers);
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
    let method = message.remove("method")?;
    let is_whole = message.remove("jsonrpc")? == "2.0" && message.is_empty();
    let reading = match method.as_str()? {
        "tools/call" => tool_call(&mut params)?,
        "resources/read" => match params.remove("uri")? {
            Value::String(uri) => Reading::Resource(uri),
            _ => return None,
        },
        _ => return None,
    };
    (is_whole && params.is_empty()).then_some((id, reading))
}

fn tool_call(params: &mut JsonObject) -> Option<Reading> {
    let Value::String(name) = params.remove("name")? else {
        return None;
    };
    let arguments = match params.remove("arguments") {
        None => None,
        Some(Value::Object(arguments)) => Some(arguments),
        Some(_) => return None,
    };
    Some(Reading::Tool { name, arguments })
}

/// Returns true if a client sends JSON and accepts both forms of an answer, without weights.
fn accepts(headers: &HeaderMap) -> bool {
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

/// Returns true for the protocol with sessions.
fn is_older(headers: &HeaderMap) -> bool {
    let name = "mcp-protocol-version";
    let mut known = ProtocolVersion::KNOWN_VERSIONS.iter();
    !headers.contains_key(name)
        || one(headers, name).is_some_and(|version| {
            known.any(|known| known.as_str() == version)
                && version < ProtocolVersion::V_2026_07_28.as_str()
        })
}

/// Returns the value of a header that occurs once.
fn one<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let mut all = headers.get_all(name).iter();
    let value = all.next()?.to_str().ok()?;
    all.next().is_none().then_some(value)
}

/// Returns the body of an answer: a response of JSON-RPC 2.0 with a result.
pub(super) fn response(id: &RequestId, result: &Json) -> Option<Bytes> {
    // One buffer of the right size avoids copies.
    let mut res = Vec::with_capacity(result.size() + MARGIN);
    res.extend_from_slice(b"{\"jsonrpc\":\"2.0\",\"id\":");
    serde_json::to_writer(&mut res, id).ok()?;
    res.extend_from_slice(b",\"result\":");
    result.append(&mut res)?;
    res.push(b'}');
    Some(res.into())
}

/// Returns the body of the answer to `resources/read`.
pub(super) fn resource(
    id: &RequestId,
    read: Result<ReadResourceResult, ErrorData>,
) -> Option<Bytes> {
    let message = match read {
        Ok(mut result) => {
            // The older protocol has no such field.
            result.result_type = None;
            json!({"jsonrpc": "2.0", "id": id, "result": result})
        }
        Err(error) => json!({"jsonrpc": "2.0", "id": id, "error": error}),
    };
    Some(serde_json::to_vec(&message).ok()?.into())
}

#[cfg(test)]
mod tests {
    use hyper::Request;

    use super::*;

    const CALL: &str = r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"a","arguments":{"b":1}}}"#;
    const BOTH: &str = "text/event-stream, application/json";

    /// Checks whether a request with these headers and this body takes the fast path.
    #[track_caller]
    fn check(headers: &[(&str, &str)], body: &str, expected: bool) {
        let mut request = Request::builder().method(Method::POST);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let (head, ()) = request.body(()).unwrap().into_parts();
        let found = parse(&head, body.as_bytes());
        assert_eq!(found.is_some(), expected, "{headers:?} {body}");
    }

    #[test]
    fn only_known_requests_take_the_fast_path() {
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
            ("tools/call", "resources/read", false),
            ("\"2.0\"", "\"1.0\"", false),
            ("\"id\"", "\"more\":1,\"id\"", false),
            ("}}}", "}}", false),
            (CALL, "[]", false),
            (CALL, "", false),
        ] {
            check(&[json, both], &CALL.replace(from, to), expected);
        }
    }
}
