//! One exchange: a request, its redirects, its retries, and the answer.

use std::io::Read as _;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Map, Value};
use ureq::http::{HeaderMap, Request, Response, Uri};
use ureq::unversioned::resolver::{ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{DefaultConnector, NextTimeout};
use ureq::{Agent, Body};

use super::address::Address;
use super::policy::Hosts;
use crate::cancel::Cancel;
use crate::json;

/// Most redirects that are followed.
const MAX_REDIRECTS: usize = 5;

/// Most attempts of a request that may be repeated.
const MAX_ATTEMPTS: u32 = 3;

/// The pause before the second attempt; it doubles.
const FIRST_PAUSE: Duration = Duration::from_millis(200);

/// The time after its deadline when a request counts as lost.
const GRACE: Duration = Duration::from_secs(1);

/// A request to send, with its address and limits.
#[derive(Clone, Debug)]
pub struct Exchange {
    /// The address.
    pub address: Address,
    /// In capitals.
    pub method: String,
    /// Headers, in order.
    pub headers: Vec<(String, String)>,
    /// The arguments or the body.
    pub payload: Payload,
    /// It may be repeated whatever its method, because METADATA.yml says so.
    pub idempotent: bool,
    /// Hosts that may be asked.
    pub hosts: Hosts,
    /// Time for all attempts and redirects together.
    pub timeout: Duration,
    /// Most bytes of an answer.
    pub max_answer: usize,
}

/// The content of a request.
#[derive(Clone, PartialEq, Debug)]
pub enum Payload {
    /// Arguments: a query for methods without a body, otherwise JSON.
    Arguments(Map<String, Value>),
    /// The bytes of the body; the address has the query.
    Bytes(Option<Vec<u8>>),
}

/// The response.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    /// The status code.
    pub status: u16,
    /// Media type without parameters, in lower case; empty when there is none.
    pub media_type: String,
    /// The bytes.
    pub body: Vec<u8>,
    /// The number of attempts.
    pub attempts: u32,
    /// The time after which the server wants to be asked again (`retry-after` in seconds).
    pub retry_after: Option<Duration>,
    /// The scheme, host and port that answered, if redirects led to another one.
    pub redirected_to: Option<String>,
}

impl Answer {
    /// The body: JSON as its value, text as a string; the error says why it is neither.
    pub fn value(&self) -> Result<Value, String> {
        let text =
            std::str::from_utf8(&self.body).map_err(|_| "the answer is not text".to_owned())?;
        let is_json = self.media_type == "application/json" || self.media_type.ends_with("+json");
        if is_json {
            let exact = json::parse_exact(text);
            let exact = exact.map_err(|error| format!("the answer is not JSON: {error}"))?;
            return Ok(exact.value);
        }
        Ok(Value::String(text.to_owned()))
    }
}

/// The reason why there is no response.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum HttpError {
    /// The policy of the skill does not name this host.
    #[error("the skill may not reach {0}")]
    Denied(String),
    /// The request cannot be made.
    #[error("{0}")]
    Invalid(String),
    /// The caller cancelled the request.
    #[error("the request was cancelled")]
    Cancelled,
    /// The time was over.
    #[error("no answer from {0} in time")]
    Timeout(String),
    /// Nobody answered.
    #[error("{0} cannot be reached: {1}")]
    Unreachable(String, String),
    /// The answer is longer than allowed.
    #[error("the answer of {0} is longer than {1} bytes")]
    TooLarge(String, usize),
    /// A redirect would send the body to another host.
    #[error("{0} redirects the request with its body to {1}, where it is not sent")]
    Moved(String, String),
    /// There are too many redirects.
    #[error("{0} redirects more than {MAX_REDIRECTS} times")]
    Redirects(String),
}

impl Exchange {
    /// Sends it. Only methods that may be repeated are (RFC 9110 §9.2.2), after a connection that
    /// failed or an answer that asks to come back later (429, 502, 503, 504).
    ///
    /// A cancelled request is left to a detached thread, and is not repeated.
    pub fn run(&self, cancel: &Cancel) -> Result<Answer, HttpError> {
        let (sender, receiver) = mpsc::channel();
        let done = sender.clone();
        let _watch = cancel.on_cancel(move || drop(sender.send(Err(HttpError::Cancelled))));
        let (exchange, cancel) = (self.clone(), cancel.clone());
        thread::spawn(move || done.send(exchange.exchanged(&cancel)));
        let late = |_| Err(HttpError::Timeout(self.address.origin()));
        let answer = receiver.recv_timeout(self.timeout.saturating_add(GRACE));
        answer.unwrap_or_else(late)
    }

    fn exchanged(&self, cancel: &Cancel) -> Result<Answer, HttpError> {
        let deadline = Instant::now() + self.timeout;
        let agent = agent(&self.hosts);
        let attempts = if self.idempotent || is_idempotent(&self.method) {
            MAX_ATTEMPTS
        } else {
            1
        };
        let mut pause = FIRST_PAUSE;
        for attempt in 1.. {
            let res = self.attempt(&agent, deadline).map(|answer| Answer {
                attempts: attempt,
                ..answer
            });
            let again = match &res {
                Ok(answer) => matches!(answer.status, 429 | 502..=504),
                Err(error) => matches!(error, HttpError::Unreachable(..)),
            };
            let asked = res.as_ref().ok().and_then(|answer| answer.retry_after);
            let wait = asked.unwrap_or_default().max(pause);
            if !again || attempt == attempts || Instant::now() + wait >= deadline {
                return res;
            }
            cancel.sleep(wait);
            if cancel.is_cancelled() {
                return res;
            }
            pause *= 2;
        }
        unreachable!("the loop above ends by returning")
    }

    /// One request and its redirects.
    fn attempt(&self, agent: &Agent, deadline: Instant) -> Result<Answer, HttpError> {
        let mut address = self.address.clone();
        let mut method = self.method.clone();
        let mut headers = self.headers.clone();
        for _ in 0..=MAX_REDIRECTS {
            if !self.hosts.permit(&address) {
                return Err(HttpError::Denied(address.origin()));
            }
            let mut response = self.send(agent, &address, &method, &headers, deadline)?;
            let Some(location) = location(&response) else {
                return self.answer(&address, &mut response);
            };
            let next = address.redirected(&location).map_err(HttpError::Invalid)?;
            if must_become_get(response.status().as_u16(), &method) {
                "GET".clone_into(&mut method);
            }
            if next.origin() != address.origin() {
                // Headers and bodies for one host are not sent to another.
                headers.clear();
                if self.body(&method).is_some() && self.hosts.permit(&next) {
                    return Err(HttpError::Moved(address.origin(), next.origin()));
                }
            }
            address = next;
        }
        Err(HttpError::Redirects(self.address.origin()))
    }

    fn send(
        &self,
        agent: &Agent,
        address: &Address,
        method: &str,
        headers: &[(String, String)],
        deadline: Instant,
    ) -> Result<Response<Body>, HttpError> {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(HttpError::Timeout(address.origin()));
        }
        let body = self.body(method);
        // A redirect carries the arguments in its address already, or not at all.
        let is_first = *address == self.address;
        let uri = match &self.payload {
            Payload::Arguments(arguments) if body.is_none() && is_first => {
                with_query(address, arguments)
            }
            _ => address.to_string(),
        };
        let mut request = Request::builder().method(method).uri(uri);
        for (name, value) in headers {
            request = request.header(name, value);
        }
        let has_type = headers
            .iter()
            .any(|(name, _)| name.eq_ignore_ascii_case("content-type"));
        let is_json = matches!(self.payload, Payload::Arguments(_));
        if body.is_some() && is_json && !has_type {
            request = request.header("content-type", "application/json");
        }
        let invalid = |error: ureq::http::Error| HttpError::Invalid(error.to_string());
        // A method that has a body says its length, also if that is 0.
        let body = body.or_else(|| has_body(method).then(Vec::new));
        let sent = match body {
            Some(body) => {
                let request = request.body(body).map_err(invalid)?;
                agent.run(limited(agent, request, Some(left)))
            }
            None => {
                let request = request.body(()).map_err(invalid)?;
                agent.run(limited(agent, request, Some(left)))
            }
        };
        sent.map_err(|error| http_error(address, &error))
    }

    /// Returns the body of a request with this method, which a redirect may have changed.
    fn body(&self, method: &str) -> Option<Vec<u8>> {
        match &self.payload {
            Payload::Arguments(arguments) => has_body(method)
                .then(|| json::stringify(&Value::Object(arguments.clone())).into_bytes()),
            Payload::Bytes(bytes) => bytes.clone().filter(|_| method == self.method),
        }
    }

    fn answer(
        &self,
        address: &Address,
        response: &mut Response<Body>,
    ) -> Result<Answer, HttpError> {
        let limit = u64::try_from(self.max_answer).unwrap_or(u64::MAX);
        let mut body = Vec::new();
        let reader = response
            .body_mut()
            .as_reader()
            .take(limit.saturating_add(1));
        let mut reader = reader;
        reader
            .read_to_end(&mut body)
            .map_err(|error| http_error(address, &ureq::Error::from(error)))?;
        if body.len() > self.max_answer {
            return Err(HttpError::TooLarge(address.origin(), self.max_answer));
        }
        Ok(Answer {
            status: response.status().as_u16(),
            media_type: media_type(response.headers()),
            body,
            attempts: 1,
            retry_after: retry_after(response.headers()),
            redirected_to: (address.origin() != self.address.origin()).then(|| address.origin()),
        })
    }
}

/// Resolves names of an allow-list as the relay of the sandbox does.
#[derive(Debug)]
struct SandboxResolver;

impl Resolver for SandboxResolver {
    fn resolve(
        &self,
        uri: &Uri,
        _: &ureq::config::Config,
        _: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let host = uri.host().unwrap_or_default();
        let host = host.trim_start_matches('[').trim_end_matches(']');
        let is_tls = uri.scheme_str() == Some("https");
        let port = uri.port_u16().unwrap_or(if is_tls { 443 } else { 80 });
        let found = skill_sandbox::addresses(host, port).unwrap_or_default();
        let mut res = self.empty();
        for address in found.into_iter().take(MAX_ADDRESSES) {
            res.push(address);
        }
        if res.is_empty() {
            return Err(ureq::Error::HostNotFound);
        }
        Ok(res)
    }
}

/// Addresses of one host that are tried: as many as the client holds.
const MAX_ADDRESSES: usize = 16;

/// Proxies of our environment are not for skills; redirects are followed by us.
pub(crate) fn agent(hosts: &Hosts) -> Agent {
    let config = Agent::config_builder()
        .http_status_as_error(false)
        .proxy(None)
        .max_redirects(0)
        .max_redirects_will_error(false)
        .user_agent(concat!("skill-executor/", env!("CARGO_PKG_VERSION")));
    match hosts {
        Hosts::Listed(_) => {
            Agent::with_parts(config.build(), DefaultConnector::default(), SandboxResolver)
        }
        _ => config.build().new_agent(),
    }
}

/// Sets the time limit of one request, or none.
pub(crate) fn limited<B: ureq::AsSendBody>(
    agent: &Agent,
    request: Request<B>,
    limit: Option<Duration>,
) -> Request<B> {
    let config = agent.configure_request(request);
    config.timeout_global(limit).build()
}

fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let value = headers.get("retry-after")?.to_str().ok()?;
    value.trim().parse().ok().map(Duration::from_secs)
}

fn is_idempotent(method: &str) -> bool {
    matches!(method, "GET" | "HEAD" | "OPTIONS" | "PUT" | "DELETE")
}

fn has_body(method: &str) -> bool {
    matches!(method, "POST" | "PUT" | "PATCH")
}

/// RFC 9110 §15.4: 303 always, 301 and 302 for POST, as everybody does.
fn must_become_get(status: u16, method: &str) -> bool {
    match status {
        303 => method != "HEAD",
        301 | 302 => method == "POST",
        _ => false,
    }
}

fn location(response: &Response<Body>) -> Option<String> {
    let redirects = matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308);
    let value = response.headers().get("location").filter(|_| redirects)?;
    value.to_str().ok().map(str::to_owned)
}

fn media_type(headers: &HeaderMap) -> String {
    let value = headers
        .get("content-type")
        .and_then(|value| value.to_str().ok());
    let own = value
        .unwrap_or_default()
        .split(';')
        .next()
        .unwrap_or_default();
    own.trim().to_ascii_lowercase()
}

/// The address with the arguments as a query; lists repeat their key, objects are JSON.
fn with_query(address: &Address, arguments: &Map<String, Value>) -> String {
    let mut res = address.to_string();
    let mut sign = if address.rest.contains('?') { '&' } else { '?' };
    for (key, value) in arguments {
        let values = value
            .as_array()
            .map_or(std::slice::from_ref(value), Vec::as_slice);
        for value in values {
            let text = value
                .as_str()
                .map_or_else(|| json::stringify(value), str::to_owned);
            res.push(sign);
            encode(key, &mut res);
            res.push('=');
            encode(&text, &mut res);
            sign = '&';
        }
    }
    res
}

fn encode(text: &str, res: &mut String) {
    use std::fmt::Write as _;
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            res.push(char::from(byte));
        } else {
            write!(res, "%{byte:02X}").expect("a string takes everything");
        }
    }
}

/// Converts an error of the client.
pub(crate) fn http_error(address: &Address, error: &ureq::Error) -> HttpError {
    let origin = address.origin();
    match error {
        ureq::Error::Timeout(_) => HttpError::Timeout(origin),
        ureq::Error::Io(error) if error.kind() == std::io::ErrorKind::TimedOut => {
            HttpError::Timeout(origin)
        }
        ureq::Error::BadUri(text) => HttpError::Invalid(text.clone()),
        ureq::Error::Http(error) => HttpError::Invalid(error.to_string()),
        error => HttpError::Unreachable(origin, error.to_string()),
    }
}
