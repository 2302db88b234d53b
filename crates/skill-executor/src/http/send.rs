//! One exchange: a request, its redirects, its retries, and the answer.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use http_request::shown;
use serde_json::{Map, Value};
use ureq::http::{Request, Response};
use ureq::{Agent, Body};

use super::address::Address;
use super::answer_headers::{
    encoding, given_headers, location, media_type, retry_after, said_length,
};
use super::clients::{Clients, limited};
use super::error::{HttpError, MAX_REDIRECTS};
use super::long::{LongAnswer, LongAnswers};
use super::policy::{Hosts, leads_inside};
use crate::answer_file::ending;
use crate::cancel::Cancel;
use crate::masks::{MAX_UNPACKED, Packed};
use crate::{clock, json};

/// Most attempts of a request that may be repeated.
const MAX_ATTEMPTS: u32 = 3;

/// The pause before the second attempt; it doubles.
const FIRST_PAUSE: Duration = Duration::from_millis(200);

/// Bytes of an answer with an error status; the rest of an explanation is not read.
const MAX_ERROR: usize = 64 << 10;

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
    /// The place of long answers; without it, all are kept in memory.
    pub long_answers: Option<LongAnswers>,
    /// The clients, whose connections stay open.
    pub clients: Clients,
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
    /// The bytes; those at the beginning of a long answer.
    pub body: Vec<u8>,
    /// The file of a long answer.
    pub file: Option<LongAnswer>,
    /// The number of attempts.
    pub attempts: u32,
    /// The time after which the server wants to be asked again (`retry-after`).
    pub retry_after: Option<Duration>,
    /// The headers that a caller may need: where something is, how to go on, when to come back. For `HEAD`,
    /// whose answer is nothing else, all of them.
    pub headers: BTreeMap<String, String>,
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
        // Whoever waits may have gone.
        thread::spawn(move || drop(done.send(exchange.exchanged(&cancel))));
        let late = |_| Err(HttpError::Timeout(self.address.origin()));
        let answer = receiver.recv_timeout(self.timeout.saturating_add(GRACE));
        answer.unwrap_or_else(late)
    }

    fn exchanged(&self, cancel: &Cancel) -> Result<Answer, HttpError> {
        let deadline = Instant::now() + self.timeout;
        let attempts = if self.idempotent || is_idempotent(&self.method) {
            MAX_ATTEMPTS
        } else {
            1
        };
        let mut pause = FIRST_PAUSE;
        for attempt in 1.. {
            let res = self.attempt(cancel, deadline).map(|answer| Answer {
                attempts: attempt,
                ..answer
            });
            let again = match &res {
                Ok(answer) => matches!(answer.status, 429 | 502..=504),
                Err(error) => {
                    matches!(error, HttpError::Unreachable(..) | HttpError::BrokenOff(..))
                }
            };
            let asked = res.as_ref().ok().and_then(|answer| answer.retry_after);
            let wait = asked.unwrap_or_default().max(pause);
            // A server may ask for more time than a clock can count.
            let next = Instant::now().checked_add(wait);
            let is_late = next.is_none_or(|next| next >= deadline);
            if !again || attempt == attempts || is_late {
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
    fn attempt(&self, cancel: &Cancel, deadline: Instant) -> Result<Answer, HttpError> {
        let mut agent = self.clients.of(&self.hosts);
        let mut address = self.address.clone();
        let mut method = self.method.clone();
        let mut headers = self.headers.clone();
        let mut from = None;
        for _ in 0..=MAX_REDIRECTS {
            if !self.hosts.permit(&address) {
                let to = address.origin();
                return Err(match from {
                    Some(from) => HttpError::Elsewhere(from, to),
                    None => HttpError::Denied(to),
                });
            }
            let sent = (method.as_str(), &headers[..], from.is_none());
            let mut response = self.send(agent, &address, sent, deadline)?;
            let Some(location) = location(&response) else {
                return self.answer(&address, &mut response, cancel);
            };
            let next = address.redirected(&location).map_err(HttpError::Invalid)?;
            if must_become_get(response.status().as_u16(), &method) {
                "GET".clone_into(&mut method);
                headers.retain(|(name, _)| !is_about_body(name));
            }
            if next.origin() != address.origin() {
                // Headers and bodies for one host are not sent to another.
                headers.clear();
                agent = self.clients.careful();
                if self.hosts == Hosts::Any && leads_inside(&address, &next) {
                    return Err(HttpError::Inside(address.origin(), next.origin()));
                }
                if self.body(&method).is_some() && self.hosts.permit(&next) {
                    return Err(HttpError::Moved(address.origin(), next.origin()));
                }
            }
            from = Some(address.origin());
            address = next;
        }
        Err(HttpError::Redirects(self.address.origin()))
    }

    fn send(
        &self,
        agent: &Agent,
        address: &Address,
        (method, headers, is_first): (&str, &[(String, String)], bool),
        deadline: Instant,
    ) -> Result<Response<Body>, HttpError> {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(HttpError::Timeout(address.origin()));
        }
        let body = self.body(method);
        // A redirect carries the arguments in its address already, or not at all.
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
        if !headers
            .iter()
            .any(|(name, _)| name.eq_ignore_ascii_case("accept-encoding"))
        {
            request = request.header("accept-encoding", "identity");
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
        cancel: &Cancel,
    ) -> Result<Answer, HttpError> {
        let status = response.status().as_u16();
        let media_type = media_type(response.headers());
        let headers = given_headers(response.headers(), self.method == "HEAD");
        let failed = |error| match http_error(address, &ureq::Error::from(error)) {
            HttpError::Unreachable(origin, why) => HttpError::BrokenOff(origin, why),
            error => error,
        };
        let long = self.long_answers.as_ref().filter(|_| status < 400);
        let in_memory = match long {
            _ if status >= 400 => self.max_answer.min(MAX_ERROR),
            Some(long) => long.in_memory.min(self.max_answer),
            None => self.max_answer,
        };
        let retry_after = retry_after(response.headers(), clock::now_ms());
        // In compressed bytes no secret is found; none were asked for.
        if let Some(encoding) = encoding(response.headers()) {
            if status < 400 {
                return Err(HttpError::Encoded(address.origin(), encoding));
            }
            return Ok(Answer {
                status,
                media_type,
                body: Vec::new(),
                file: None,
                headers,
                attempts: 1,
                retry_after,
                redirected_to: None,
            });
        }
        let is_too_long = |it| it > self.max_answer && self.method != "HEAD";
        if status < 400 && said_length(response.headers()).is_some_and(is_too_long) {
            return Err(HttpError::TooLarge(address.origin(), self.max_answer));
        }
        let mut reader = response.body_mut().as_reader();
        let mut body = Vec::new();
        let limit = u64::try_from(in_memory).unwrap_or(u64::MAX);
        let start = reader.by_ref().take(limit.saturating_add(1));
        let mut start = start;
        start.read_to_end(&mut body).map_err(failed)?;
        let mut file = None;
        if body.len() > in_memory {
            let too_large = || HttpError::TooLarge(address.origin(), self.max_answer);
            match long {
                _ if status >= 400 => body.truncate(in_memory),
                None => return Err(too_large()),
                Some(long) => {
                    let parts = (&body[..], &mut reader as &mut dyn std::io::Read);
                    let limits = (self.max_answer, cancel);
                    let written = long.write(parts, ending(&media_type), limits, &failed);
                    file = Some(written.map_err(|error| match error {
                        HttpError::TooLarge(..) => too_large(),
                        HttpError::Packed(_, max) => HttpError::Packed(address.origin(), max),
                        error => error,
                    })?);
                }
            }
        }
        if let Some(long) = long.filter(|_| file.is_none()) {
            let mut packed = Packed::new(&long.masks);
            if packed.push(&body) || packed.finish() {
                return Err(HttpError::Packed(address.origin(), MAX_UNPACKED));
            }
        }
        Ok(Answer {
            status,
            media_type,
            body,
            file,
            headers,
            attempts: 1,
            retry_after,
            redirected_to: (address.origin() != self.address.origin()).then(|| address.origin()),
        })
    }
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
        303 => !matches!(method, "GET" | "HEAD"),
        301 | 302 => method == "POST",
        _ => false,
    }
}

/// Returns true for a header that describes a body, which a request without one does not have.
///
/// Source: <https://fetch.spec.whatwg.org/#request-body-header-name>.
fn is_about_body(name: &str) -> bool {
    const NAMES: [&str; 5] = [
        "content-encoding",
        "content-language",
        "content-length",
        "content-location",
        "content-type",
    ];
    NAMES.iter().any(|it| name.eq_ignore_ascii_case(it))
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
        ureq::Error::BadUri(text) => HttpError::Invalid(shown(text)),
        ureq::Error::Http(error) => HttpError::Invalid(error.to_string()),
        error => HttpError::Unreachable(origin, error.to_string()),
    }
}
