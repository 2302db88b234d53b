//! The headers with which a browser lets a page of an allowed origin send requests
//! (<https://fetch.spec.whatwg.org/#http-cors-protocol>).

use http_body_util::{BodyExt as _, Empty};
use hyper::header::{HeaderMap, HeaderValue};
use hyper::{Response, StatusCode};

use super::answer::Answer;
use super::settings::HttpSettings;

const ALLOWED: &str = "authorization, content-type, accept, last-event-id, mcp-session-id, mcp-protocol-version, mcp-method, mcp-name";

/// Answers a preflight request.
pub(super) fn preflight() -> Answer {
    let mut res = Response::new(Empty::new().boxed());
    *res.status_mut() = StatusCode::NO_CONTENT;
    res
}

/// Adds the headers that let a page of this origin read the answer, if the origin is allowed.
pub(super) fn allow(origin: Option<HeaderValue>, headers: &mut HeaderMap, settings: &HttpSettings) {
    let is_listed = |origin: &HeaderValue| {
        let origin = origin.to_str().unwrap_or_default();
        settings
            .origins
            .iter()
            .any(|known| known.eq_ignore_ascii_case(origin))
    };
    let Some(origin) = origin.filter(is_listed) else {
        return;
    };
    headers.insert("access-control-allow-origin", origin);
    for (name, value) in [
        ("vary", "Origin"),
        ("access-control-allow-methods", "GET, POST, DELETE"),
        ("access-control-allow-headers", ALLOWED),
        ("access-control-expose-headers", "mcp-session-id"),
        ("access-control-max-age", "600"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
}
