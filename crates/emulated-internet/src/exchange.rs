//! The record of a request, in a form in which equal requests are equal.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::question::Question;
use crate::unique::has_unique_keys;

/// Headers that say nothing of a request: they belong to the connection, or are random.
const LEFT_OUT: [&str; 9] = [
    "connection",
    "content-length",
    "accept-encoding",
    "keep-alive",
    "transfer-encoding",
    "te",
    "upgrade",
    "http2-settings",
    "sec-websocket-key",
];
/// The longest text and the longest JSON of a body that are kept, in bytes; of longer ones there is a digest.
const MAX_TEXT: usize = 64 << 10;
const MAX_JSON: usize = 1 << 20;
/// The word that takes the place of the random separator of a multipart body.
pub(crate) const BOUNDARY: &str = "BOUNDARY";

/// A request to a host of the emulated internet.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exchange {
    /// The method; `CONNECT` for bytes that are not HTTP, `MESSAGE` for a message on a WebSocket.
    pub method: String,
    /// The whole address, without a port that is usual for the scheme.
    pub url: String,
    /// Chosen headers, names in lower case; several of a name are joined by `, `.
    pub headers: BTreeMap<String, String>,
    /// The body by its kind: `{"json": …}`, `{"text": …}` or `{"bytes": n, "sha256": …}`; null if empty,
    /// `{"unread": …}` if it is not whole, and with a digest if it is too long to be kept.
    pub body: Value,
    /// The status of the answer; 0 without one.
    pub status: u16,
}

impl Exchange {
    /// Records a question.
    pub(crate) fn new(question: &Question, status: u16) -> Self {
        let content_type = question.header("content-type");
        let boundary = boundary(content_type);
        let without_boundary = |text: &str| match &boundary {
            Some(boundary) => text.replace(boundary, BOUNDARY),
            None => text.to_owned(),
        };
        let mut headers: BTreeMap<String, String> = BTreeMap::new();
        for (name, value) in &question.headers {
            let is_of_connection = name == "host" && names_host(value, question);
            if LEFT_OUT.contains(&name.as_str()) || is_of_connection {
                continue;
            }
            let value = without_boundary(value);
            let kept = headers.entry(name.clone()).or_default();
            if !kept.is_empty() {
                kept.push_str(", ");
            }
            kept.push_str(&value);
        }
        let body = match (&question.unread, std::str::from_utf8(&question.body)) {
            (Some(unread), _) => unread.to_value(),
            (None, Ok(text)) => of_text(&without_boundary(text)),
            (None, Err(_)) => of_bytes(&question.body, boundary.as_deref()),
        };
        Self {
            method: question.method.clone(),
            url: url(question),
            headers,
            body,
            status,
        }
    }

    /// Records the first bytes of a connection that is not HTTP, or why it could not be read.
    pub(crate) fn of_connection(host: &str, port: u16, bytes: &[u8], why: &str) -> Self {
        let body = match bytes {
            [] => json!({"text": why}),
            bytes => of_bytes(bytes, None),
        };
        Self {
            method: "CONNECT".to_owned(),
            url: format!("tcp://{host}:{port}"),
            headers: BTreeMap::new(),
            body,
            status: 0,
        }
    }

    /// Records a message on a WebSocket.
    pub(crate) fn of_message(url: &str, text: Result<&str, &[u8]>) -> Self {
        Self {
            method: "MESSAGE".to_owned(),
            url: url.to_owned(),
            headers: BTreeMap::new(),
            body: match text {
                Ok(text) => of_text(text),
                Err(bytes) => of_bytes(bytes, None),
            },
            status: 0,
        }
    }

    /// Returns about how much memory it takes, in bytes.
    pub(crate) fn size(&self) -> usize {
        let headers = self.headers.iter();
        let headers: usize = headers.map(|(name, value)| name.len() + value.len()).sum();
        self.url.len() + headers + self.body.to_string().len()
    }

    /// Returns the scheme, the host and the port.
    fn host(&self) -> &str {
        let start = self.url.find("://").map_or(0, |at| at + 3);
        let rest = &self.url[start..];
        let end = rest.find(['/', '?']).unwrap_or(rest.len());
        &self.url[..start + end]
    }

    /// Returns the request as JSON: all but the status.
    pub fn to_value(&self) -> Value {
        json!({
            "method": self.method,
            "host": self.host(),
            "url": self.url,
            "headers": self.headers,
            "body": self.body,
        })
    }
}

/// Returns the address of a question.
pub(crate) fn url(question: &Question) -> String {
    let Question {
        scheme, host, port, ..
    } = question;
    let mut res = format!("{scheme}://{host}");
    let usual = if ["https", "wss"].contains(scheme) {
        443
    } else {
        80
    };
    if *port != usual {
        let _ = write!(res, ":{port}");
    }
    res.push_str(&question.path);
    if !question.query.is_empty() {
        let _ = write!(res, "?{}", question.query);
    }
    res
}

/// Returns true if a `Host` header names the host of the connection.
fn names_host(value: &str, question: &Question) -> bool {
    let Question { host, port, .. } = question;
    value.eq_ignore_ascii_case(host) || value.eq_ignore_ascii_case(&format!("{host}:{port}"))
}

/// Returns the separator that a multipart type declares (RFC 2046, section 5.1.1).
fn boundary(content_type: &str) -> Option<String> {
    if !content_type.starts_with("multipart/") {
        return None;
    }
    let (_, rest) = content_type.split_once("boundary=")?;
    let boundary = rest.split(';').next().unwrap_or_default().trim();
    let boundary = boundary.trim_matches('"');
    (!boundary.is_empty()).then(|| boundary.to_owned())
}

fn of_text(text: &str) -> Value {
    if text.is_empty() {
        return Value::Null;
    }
    let value = (text.len() <= MAX_JSON).then(|| serde_json::from_str::<Value>(text).ok());
    let value = value.flatten().filter(|_| has_unique_keys(text));
    if let Some(value) = value.filter(|value| value.is_object() || value.is_array()) {
        return json!({"json": value});
    }
    if text.len() > MAX_TEXT {
        return of_bytes(text.as_bytes(), None);
    }
    json!({"text": text})
}

fn of_bytes(bytes: &[u8], boundary: Option<&str>) -> Value {
    let mut sum = Sha256::new();
    let mut rest = bytes;
    let separator = boundary.unwrap_or_default().as_bytes();
    while !separator.is_empty()
        && let Some(at) = rest
            .windows(separator.len())
            .position(|part| part == separator)
    {
        sum.update(&rest[..at]);
        sum.update(BOUNDARY);
        rest = &rest[at + separator.len()..];
    }
    sum.update(rest);
    let sum = data_encoding::HEXLOWER.encode(&sum.finalize());
    json!({"bytes": bytes.len(), "sha256": sum})
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Unread;

    /// `POST https://a.example/x` with this type and body.
    fn asked(content_type: &str, body: &[u8]) -> Question {
        let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        Question {
            scheme: "https",
            method: "POST".to_owned(),
            host: "a.example".to_owned(),
            port: 8443,
            path: "/x".to_owned(),
            query: "q=1".to_owned(),
            headers: vec![
                header("host", "a.example"),
                header("content-type", content_type),
                header("x-a", "1"),
                header("x-a", "2"),
            ],
            body: body.to_vec(),
            unread: None,
        }
    }

    fn recorded(content_type: &str, body: &[u8]) -> Exchange {
        Exchange::new(&asked(content_type, body), 200)
    }

    #[test]
    fn a_request_as_json() {
        let found = recorded("application/json", br#"{"b": 1}"#).to_value();
        let expected = json!({
            "method": "POST",
            "host": "https://a.example:8443",
            "url": "https://a.example:8443/x?q=1",
            "headers": {"content-type": "application/json", "x-a": "1, 2"},
            "body": {"json": {"b": 1}},
        });
        assert_eq!(found, expected);
    }

    #[test]
    fn a_header_that_names_another_host_counts() {
        let mut question = Question {
            headers: vec![("host".to_owned(), "A.example:8443".to_owned())],
            ..asked("text/plain", b"")
        };
        assert!(Exchange::new(&question, 200).headers.is_empty());
        question.headers[0].1 = "b.example".to_owned();
        assert_eq!(Exchange::new(&question, 200).headers["host"], "b.example");
    }

    #[test]
    fn what_was_not_read_is_said() {
        let question = Question {
            unread: Some(Unread::BrokenOff),
            ..asked("text/plain", b"")
        };
        let found = Exchange::new(&question, 200).body;
        assert_eq!(found, json!({"unread": "broken off"}));
        let (bytes, digest) = (1 << 30, "ab".to_owned());
        let long = Unread::TooLong { bytes, digest }.to_value();
        assert_eq!(long, json!({"bytes": 1 << 30, "sha256": "ab"}));
    }

    #[test]
    fn random_separators_do_not_count() {
        let with = |boundary: &str, file: &[u8]| {
            let kind = format!("multipart/form-data; boundary=\"{boundary}\"");
            let mut body = format!("--{boundary}\r\n\r\n").into_bytes();
            body.extend(file);
            body.extend(format!("\r\n--{boundary}--\r\n").bytes());
            recorded(&kind, &body)
        };
        for file in [&b"text"[..], &[0xff, 0xfe]] {
            assert_eq!(with("abcd", file), with("1234", file));
            assert_ne!(with("abcd", file), with("1234", b"other"));
        }
    }
}
