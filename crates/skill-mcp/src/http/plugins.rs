//! The routes that migrated plugins expect of a host: results that arrive after their call, and the
//! values of static skills.
//!
//! - `POST /plugin-callback/{secret}/{plugin}/{task}` stores a result of the call that the secret
//!   belongs to. `GET /plugin-callback/{plugin}/{task}` returns it.
//! - `GET /placeholders/{key}` returns the value of a placeholder. The result of a run, or its
//!   failure, is reused for half a minute, so that readers cannot start programs at will.
//!
//! Source: `docs/protocols.md`; the old host answered a callback with `Callback received`.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use hyper::body::Bytes;
use hyper::{Method, StatusCode};
use serde_json::{Value, json};
use skill_executor::envelope::{ErrorCode, Failure};
use skill_executor::results;

use super::answer::{Answer, plain};
use crate::run::{Chosen, Runner};
use crate::shared::Shared;

/// The time for which a value is reused.
const MAX_AGE: Duration = Duration::from_secs(30);

/// The result of a static skill: its values, or the failure.
type Outcome = Result<Value, Failure>;

/// The recent results of static skills, by skill.
#[derive(Debug, Default)]
pub(super) struct RecentValues {
    known: Mutex<BTreeMap<String, (Instant, Arc<Outcome>)>>,
    /// Locked while a skill runs.
    running: tokio::sync::Mutex<()>,
}

/// Stores or returns the result of an asynchronous call.
pub(super) async fn callback(
    shared: &Arc<Shared>,
    method: Method,
    path: &str,
    body: Bytes,
) -> Answer {
    let Some(runner) = shared.settings.run.clone() else {
        return error(StatusCode::NOT_FOUND, "this server does not run skills");
    };
    let parts: Option<Vec<String>> = path.split('/').map(decoded).collect();
    let work = move || match (method, parts.unwrap_or_default().as_slice()) {
        (Method::POST, [secret, plugin, task]) => store(&runner, secret, (plugin, task), &body),
        (Method::GET, [plugin, task]) => load(&runner, plugin, task),
        (Method::POST, [_, _]) => error(
            StatusCode::FORBIDDEN,
            "expected the callback URL of the call, which ends in a secret",
        ),
        _ => error(
            StatusCode::NOT_FOUND,
            "expected POST /plugin-callback/SECRET/PLUGIN/TASK or GET /plugin-callback/PLUGIN/TASK",
        ),
    };
    let work = shared.on_disk(work);
    work.await.unwrap_or_else(|| {
        error(
            StatusCode::INTERNAL_SERVER_ERROR,
            "internal error: the request could not be completed",
        )
    })
}

fn store(runner: &Runner, secret: &str, (plugin, task): (&str, &str), body: &[u8]) -> Answer {
    let text = std::str::from_utf8(body).ok();
    let Some(body) = text.and_then(|text| skill_executor::json::parse(text).ok()) else {
        return error(StatusCode::BAD_REQUEST, "the result is not JSON");
    };
    match results::accept(runner.state(), secret, plugin, task, &body) {
        Ok(()) => {
            let received = json!({"status": "success", "message": "Callback received"});
            answer(StatusCode::OK, &received)
        }
        Err(failure) => failed(&failure),
    }
}

fn load(runner: &Runner, plugin: &str, task: &str) -> Answer {
    match results::find(runner.state(), plugin, task) {
        Ok(Some(value)) => answer(StatusCode::OK, &value),
        Ok(None) => error(StatusCode::NOT_FOUND, "there is no such result (yet)"),
        Err(failure) => failed(&failure),
    }
}

/// Returns the value of a placeholder, whose key may have braces.
pub(super) async fn placeholder(shared: &Arc<Shared>, values: &RecentValues, key: &str) -> Answer {
    let none = || {
        error(
            StatusCode::NOT_FOUND,
            "no skill that may run provides this placeholder",
        )
    };
    let (Some(runner), Some(key)) = (shared.settings.run.clone(), decoded(key)) else {
        return none();
    };
    let key = key.trim_matches(['{', '}']).to_owned();
    let catalog = shared.store.catalog();
    let among = catalog.clone();
    let provides =
        |placeholder: &skill_model::Placeholder| placeholder.key.trim_matches(['{', '}']) == key;
    let mut skills = among.all().filter(|skill| runner.runs(skill));
    let skill = skills.find(|skill| {
        let metadata = skill.metadata.as_deref();
        metadata.is_some_and(|metadata| metadata.placeholders.iter().any(provides))
    });
    let Some(skill) = skill.cloned() else {
        return none();
    };
    let _running = values.running.lock().await;
    if let Some(known) = values.recent(&skill.name) {
        return value(&known, &key);
    }
    let name = skill.name.clone();
    let run = tokio::task::spawn_blocking(move || runner.placeholders(&Chosen { catalog, skill }));
    match run.await {
        Ok(Some(envelope)) => {
            let outcome = envelope.outcome.map(|success| success.value);
            value(&values.keep(name, outcome), &key)
        }
        _ => none(),
    }
}

impl RecentValues {
    fn recent(&self, skill: &str) -> Option<Arc<Outcome>> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let (at, outcome) = known.get(skill)?;
        (at.elapsed() < MAX_AGE).then(|| outcome.clone())
    }

    fn keep(&self, skill: String, outcome: Outcome) -> Arc<Outcome> {
        let outcome = Arc::new(outcome);
        let known = self.known.lock();
        let mut known = known.unwrap_or_else(PoisonError::into_inner);
        known.insert(skill, (Instant::now(), outcome.clone()));
        outcome
    }
}

fn value(outcome: &Outcome, key: &str) -> Answer {
    let values = match outcome {
        Ok(values) => values,
        Err(failure) => return failed(failure),
    };
    match values.get(key) {
        Some(value) => answer(StatusCode::OK, &json!({"key": key, "value": value})),
        None => error(StatusCode::NOT_FOUND, "the skill did not return this value"),
    }
}

/// Answers with the code of a failure only: its message may contain paths.
fn failed(failure: &Failure) -> Answer {
    let status = match failure.code {
        ErrorCode::InvalidInput => StatusCode::BAD_REQUEST,
        ErrorCode::NotFound => StatusCode::NOT_FOUND,
        ErrorCode::Denied => StatusCode::FORBIDDEN,
        ErrorCode::Timeout => StatusCode::GATEWAY_TIMEOUT,
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    };
    tracing::warn!(
        code = failure.code.word(),
        message = failure.message,
        "plugin route"
    );
    error(status, failure.code.word())
}

fn error(status: StatusCode, message: &str) -> Answer {
    answer(status, &json!({"status": "error", "message": message}))
}

fn answer(status: StatusCode, value: &Value) -> Answer {
    plain(status, "application/json", value.to_string().into())
}

/// Returns a decoded segment of a path.
fn decoded(segment: &str) -> Option<String> {
    crate::uri::decode(segment).filter(|text| !text.is_empty())
}
