//! The executor of services over HTTP.

use serde_json::{Value, json};
use skill_model::{Entry, ExecutorKind, Transport};

use super::address::Address;
use super::clients::Clients;
use super::error::HttpError;
use super::headers::{AUTHORIZATION, filled};
use super::input::{MAX_ANSWER, given, setting};
use super::operation;
use super::policy::Hosts;
use super::reply;
use super::send::{Answer, Exchange, Payload};
use crate::answer::answer;
use crate::arguments;
use crate::call::{Call, DEFAULT_TIMEOUT};
use crate::envelope::{Envelope, ErrorCode, Failure, Success};
use crate::executor::Executor;
use crate::normalise::{Context, from_returned};
use crate::package::SkillPackage;
use crate::redact::Redactor;

/// Runs services that are asked over HTTP.
#[derive(Debug, Default)]
pub struct HttpService {
    clients: Clients,
}

impl Executor for HttpService {
    fn kind(&self) -> ExecutorKind {
        ExecutorKind::Service
    }

    fn handles(&self, skill: &SkillPackage) -> bool {
        skill.metadata.transport == Some(Transport::Http)
    }

    fn execute(&self, call: &Call<'_>) -> Envelope {
        answer(call, |meta, warnings| {
            let prepared = arguments::prepare(call)?;
            meta.command = prepared.command.map(str::to_owned);
            *warnings = prepared.warnings;
            let operation = operation::operation(call, meta.command.as_deref());
            let exchange = match operation {
                Some(operation) => {
                    operation::exchange(call, operation, &prepared.input, &self.clients, warnings)?
                }
                None => exchange(
                    call,
                    meta.command.as_deref(),
                    &prepared.input,
                    &self.clients,
                )?,
            };
            let answer = exchange
                .run(&call.options.cancel)
                .map_err(|error| failure(&error))?;
            meta.extra.insert("status".to_owned(), answer.status.into());
            meta.extra
                .insert("attempts".to_owned(), answer.attempts.into());
            if operation.is_some() && !answer.headers.is_empty() {
                let headers = Redactor::new(call).redact_value(json!(answer.headers));
                meta.extra.insert("headers".to_owned(), headers);
            }
            if let Some(origin) = &answer.redirected_to {
                meta.extra
                    .insert("redirected_to".to_owned(), origin.as_str().into());
            }
            match operation {
                Some(operation) if answer.status < 400 => {
                    warnings.extend(reply::other_type(operation, &answer));
                    warnings.extend(reply::not_json(&answer));
                    reply::value(call, &answer)
                }
                _ => finished(call, &prepared.input, &answer),
            }
        })
    }
}

/// The exchange that METADATA.yml describes, with these arguments.
fn exchange(
    call: &Call<'_>,
    command: Option<&str>,
    input: &Value,
    clients: &Clients,
) -> Result<Exchange, Failure> {
    let metadata = &call.skill.metadata;
    let not_runnable = |why: String| {
        let message = format!("skill `{}` cannot be asked: {why}", metadata.name);
        Failure::new(ErrorCode::NotRunnable, message)
    };
    let entry: Option<&Entry> = metadata.entry.as_ref();
    let endpoint = entry.and_then(|entry| entry.endpoint.as_deref());
    let (Some(entry), Some(endpoint)) = (entry, endpoint) else {
        return Err(not_runnable("it names no `entry.endpoint`".to_owned()));
    };
    let value = |key: &str| setting(call, key);
    let (address, login) = Address::with_login(endpoint).map_err(not_runnable)?;
    let mut headers = filled(&entry.headers, value).map_err(not_runnable)?;
    let is_authorization = |(name, _): &(String, String)| name.eq_ignore_ascii_case(AUTHORIZATION);
    let login = login.filter(|_| !headers.iter().any(is_authorization));
    headers.extend(login.map(|login| (AUTHORIZATION.to_owned(), login)));
    Ok(Exchange {
        address,
        method: method(entry).map_err(not_runnable)?,
        headers,
        payload: Payload::Arguments(given(call, input)?),
        idempotent: metadata.is_idempotent(command),
        hosts: Hosts::from_permissions(&metadata.permissions)?,
        timeout: call.timeout(DEFAULT_TIMEOUT),
        max_answer: MAX_ANSWER,
        long_answers: None,
        clients: clients.clone(),
    })
}

fn method(entry: &Entry) -> Result<String, String> {
    const KNOWN: [&str; 6] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];
    let method = entry
        .method
        .as_deref()
        .unwrap_or("POST")
        .to_ascii_uppercase();
    if KNOWN.contains(&method.as_str()) {
        return Ok(method);
    }
    let known = KNOWN.join(", ");
    Err(format!(
        "`{method}` is not a method, expected one of {known}"
    ))
}

/// An answer with a status below 400 is a value; JSON of it is taken as a module's return value is.
fn finished(call: &Call<'_>, input: &Value, answer: &Answer) -> Result<Success, Failure> {
    let value = answer.value();
    if answer.status >= 400 {
        // JSON that was cut cannot be read.
        let quoted = value.unwrap_or_else(|_| {
            let text = answer.body.utf8_chunks().next();
            text.map_or_else(Value::default, |text| text.valid().into())
        });
        let message = format!("the service answered {}", answer.status);
        let code = match answer.status {
            // Not now, says who may never have seen the request (RFC 9110 §15.6, RFC 6585 §4).
            429 | 502..=504 => ErrorCode::Unavailable,
            _ => ErrorCode::PluginError,
        };
        let failure = Failure::new(code, message);
        let failure = failure.with("status", answer.status).with("body", quoted);
        return Err(match answer.retry_after {
            Some(wait) => failure.with("retry_after_s", wait.as_secs()),
            None => failure,
        });
    }
    let value = value.map_err(|why| Failure::new(ErrorCode::Protocol, why))?;
    let timestamp = call.host.timestamp();
    let context = Context::new(call.skill.legacy_name(), input, &timestamp);
    from_returned(Some(value), context)
}

/// Returns the failure of a request without an answer.
pub(crate) fn failure(error: &HttpError) -> Failure {
    let code = match error {
        HttpError::Denied(_)
        | HttpError::Elsewhere(..)
        | HttpError::Moved(..)
        | HttpError::Inside(..) => ErrorCode::Denied,
        HttpError::Invalid(_) => ErrorCode::NotRunnable,
        HttpError::Cancelled => ErrorCode::Cancelled,
        HttpError::Timeout(_) => ErrorCode::Timeout,
        HttpError::Unreachable(..) | HttpError::BrokenOff(..) | HttpError::Redirects(_) => {
            ErrorCode::Unavailable
        }
        HttpError::TooLarge(..) => ErrorCode::TooLarge,
        HttpError::Encoded(..) | HttpError::Packed(..) => ErrorCode::Protocol,
        HttpError::Unwritable(_) => ErrorCode::Io,
    };
    Failure::new(code, error.to_string())
}
