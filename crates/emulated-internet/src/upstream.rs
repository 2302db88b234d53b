//! Requests that are passed on to real services while they are recorded.

use std::io::{self, Read as _};
use std::net::SocketAddr;
use std::time::Duration;

use ureq::http::{Request, Uri};
use ureq::unversioned::resolver::{ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{DefaultConnector, NextTimeout};
use ureq::{Agent, Body};

use crate::exchange;
use crate::question::{Answer, Question};

/// The longest time of a request.
const PATIENCE: Duration = Duration::from_mins(2);
/// The longest answer, in bytes.
const MAX_ANSWER: u64 = 16 << 20;
/// Headers of a connection, which are not passed on (RFC 9110, section 7.6.1), and those that this client sets.
pub(crate) const OF_CONNECTION: [&str; 11] = [
    "connection",
    "keep-alive",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "content-length",
    "accept-encoding",
    "http2-settings",
    "expect",
];

/// Returns the addresses of a host at a port.
pub type Resolve = fn(&str, u16) -> io::Result<Vec<SocketAddr>>;

/// A client of real services.
#[derive(Debug)]
pub struct Upstream {
    agent: Agent,
    resolve: Resolve,
}

/// Resolves names by a function.
struct ByFunction(Resolve);

impl Upstream {
    /// Returns a client that looks names up by `resolve`.
    pub fn new(resolve: Resolve) -> Self {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .proxy(None)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .allow_non_standard_methods(true)
            .timeout_global(Some(PATIENCE))
            .user_agent("")
            .accept("");
        let connector = DefaultConnector::default();
        Self {
            agent: Agent::with_parts(config.build(), connector, ByFunction(resolve)),
            resolve,
        }
    }

    /// Returns the function that looks names up.
    pub(crate) fn resolve(&self) -> Resolve {
        self.resolve
    }

    /// Sends a request, and returns the answer. It blocks. The error is the reason why there is none.
    pub(crate) fn send(&self, question: &Question) -> Result<Answer, String> {
        let mut request = Request::builder()
            .method(question.method.as_str())
            .uri(exchange::url(question));
        for (name, value) in &question.headers {
            if name == "host" || OF_CONNECTION.contains(&name.as_str()) {
                continue;
            }
            request = request.header(name, value);
        }
        request = request.header("accept-encoding", "identity");
        let host = question.header("host");
        if !host.is_empty() {
            request = request.header("host", host);
        }
        let response = if question.body.is_empty() {
            let request = request.body(()).map_err(|error| error.to_string())?;
            self.agent.run(request)
        } else {
            let request = request.body(question.body.clone());
            self.agent.run(request.map_err(|error| error.to_string())?)
        };
        answer(response.map_err(|error| error.to_string())?)
    }
}

fn answer(response: ureq::http::Response<Body>) -> Result<Answer, String> {
    let (head, body) = response.into_parts();
    let encoding = head.headers.get("content-encoding");
    if encoding.is_some_and(|encoding| encoding != "identity") {
        return Err("the answer is compressed although it must not be".to_owned());
    }
    let mut bytes = Vec::new();
    let reader = body.into_reader().take(MAX_ANSWER + 1);
    let mut reader = reader;
    let read = reader.read_to_end(&mut bytes);
    read.map_err(|error| error.to_string())?;
    if bytes.len() as u64 > MAX_ANSWER {
        return Err(format!("the answer is longer than {MAX_ANSWER} bytes"));
    }
    let kept = head.headers.iter().filter(|(name, _)| {
        let name = name.as_str();
        !OF_CONNECTION.contains(&name) && !["date", "content-encoding"].contains(&name)
    });
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ok(Answer {
        status: head.status.as_u16(),
        headers: kept
            .map(|(name, value)| (name.as_str().to_owned(), text(value.as_bytes())))
            .collect(),
        body: bytes,
    })
}

impl std::fmt::Debug for ByFunction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ByFunction")
    }
}

impl Resolver for ByFunction {
    fn resolve(
        &self,
        uri: &Uri,
        _: &ureq::config::Config,
        _: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let host = uri.host().unwrap_or_default();
        let host = host.trim_start_matches('[').trim_end_matches(']');
        let is_encrypted = uri.scheme_str() == Some("https");
        let usual = if is_encrypted { 443 } else { 80 };
        let found = (self.0)(host, uri.port_u16().unwrap_or(usual))?;
        let mut res = self.empty();
        // As many as the client holds.
        for address in found.into_iter().take(16) {
            res.push(address);
        }
        if res.is_empty() {
            return Err(ureq::Error::HostNotFound);
        }
        Ok(res)
    }
}
