//! A request to a host, and its answer, as values.

use crate::body::Unread;

/// A request to a host.
#[derive(Clone, Debug)]
pub struct Question {
    /// `http`, `https`, `ws` or `wss`.
    pub scheme: &'static str,
    /// The method, in capitals.
    pub method: String,
    /// The host, without a port.
    pub host: String,
    /// The port of the connection.
    pub port: u16,
    /// The path, as it was sent.
    pub path: String,
    /// The query, as it was sent; empty without one.
    pub query: String,
    /// The headers in the order in which they were sent, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
    /// The reason why the body was not read, if it was not.
    pub unread: Option<Unread>,
}

/// The answer of a host.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// The headers, `content-type` among them.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

impl Question {
    /// Returns the first header of this name; empty without one.
    pub fn header(&self, name: &str) -> &str {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map_or("", |(_, value)| value)
    }
}

impl Answer {
    pub(crate) fn new(kind: &str, body: impl Into<Vec<u8>>) -> Self {
        Self {
            status: 200,
            headers: vec![("content-type".to_owned(), kind.to_owned())],
            body: body.into(),
        }
    }

    /// Returns the answer that begins a WebSocket with this protocol, if it is not empty.
    pub(crate) fn accepted(protocol: &str) -> Self {
        let protocol = Some(protocol).filter(|protocol| !protocol.is_empty());
        let header = |protocol: &str| ("sec-websocket-protocol".to_owned(), protocol.to_owned());
        Self {
            status: 101,
            headers: protocol.map(header).into_iter().collect(),
            body: Vec::new(),
        }
    }

    /// Returns the answer in place of one that is not there.
    pub(crate) fn unavailable(why: &str) -> Self {
        let body = serde_json::json!({"error": why});
        Self {
            status: 502,
            ..Self::new("application/json", body.to_string())
        }
    }

    /// Returns events for a stream (`text/event-stream`).
    pub(crate) fn events(events: &[String]) -> Self {
        let text = events.iter().fold(String::new(), |text, event| {
            text + "data: " + event + "\n\n"
        });
        Self::new("text/event-stream", text)
    }
}
