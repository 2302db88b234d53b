//! What migrated plugins need of a host: results that arrive after their call, and the values of
//! static skills.
//!
//! - `POST /plugin-callback/{secret}/{plugin}/{task}` keeps a result of the call that the secret
//!   belongs to; `GET /plugin-callback/{plugin}/{task}` gives it back.
//! - `GET /placeholders/{key}` gives the value of a placeholder. What came of a run, a failure
//!   too, is good for half a minute, so that readers cannot start programs at will.
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

use super::routes::{Answer, plain};
use crate::run::Runner;
use crate::server::Shared;

/// How long a value is good.
const FRESH: Duration = Duration::from_secs(30);

/// What came of a static skill: its values, or why there are none.
type Outcome = Result<Value, Failure>;

/// What came of static skills, by skill.
#[derive(Debug, Default)]
pub(super) struct Values {
    known: Mutex<BTreeMap<String, (Instant, Arc<Outcome>)>>,
    /// Held by the one who runs a skill.
    running: tokio::sync::Mutex<()>,
}

/// A result that arrives, or is asked for.
pub(super) async fn callback(
    shared: &Arc<Shared>,
    method: Method,
    path: &str,
    body: Bytes,
) -> Answer {
    let Some(runner) = shared.settings.run.clone() else {
        return error(StatusCode::NOT_FOUND, "nothing may be run here");
    };
    let parts: Option<Vec<String>> = path.split('/').map(decoded).collect();
    let work = move || match (method, parts.unwrap_or_default().as_slice()) {
        (Method::POST, [secret, plugin, task]) => keep(&runner, secret, (plugin, task), &body),
        (Method::GET, [plugin, task]) => give(&runner, plugin, task),
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
    work.await
        .unwrap_or_else(|| error(StatusCode::INTERNAL_SERVER_ERROR, "it failed"))
}

fn keep(runner: &Runner, secret: &str, (plugin, task): (&str, &str), body: &[u8]) -> Answer {
    let text = std::str::from_utf8(body).ok();
    let Some(body) = text.and_then(|text| skill_executor::json::parse(text).ok()) else {
        return error(StatusCode::BAD_REQUEST, "the result is no JSON");
    };
    match results::accept(runner.state(), secret, plugin, task, &body) {
        Ok(()) => {
            let received = json!({"status": "success", "message": "Callback received"});
            answer(StatusCode::OK, &received)
        }
        Err(failure) => failed(&failure),
    }
}

fn give(runner: &Runner, plugin: &str, task: &str) -> Answer {
    match results::find(runner.state(), plugin, task) {
        Ok(Some(value)) => answer(StatusCode::OK, &value),
        Ok(None) => error(StatusCode::NOT_FOUND, "there is no such result (yet)"),
        Err(failure) => failed(&failure),
    }
}

/// The value of a placeholder, with or without its braces.
pub(super) async fn placeholder(shared: &Arc<Shared>, values: &Values, key: &str) -> Answer {
    let none = || {
        error(
            StatusCode::NOT_FOUND,
            "no skill that may be run gives this placeholder",
        )
    };
    let (Some(runner), Some(key)) = (shared.settings.run.clone(), decoded(key)) else {
        return none();
    };
    let key = key.trim_matches(['{', '}']).to_owned();
    let catalog = shared.store.catalog();
    let gives =
        |placeholder: &skill_model::Placeholder| placeholder.key.trim_matches(['{', '}']) == key;
    let mut skills = catalog.skills.values().filter(|skill| runner.runs(skill));
    let skill = skills.find(|skill| {
        let metadata = skill.metadata.as_deref();
        metadata.is_some_and(|metadata| metadata.placeholders.iter().any(gives))
    });
    let Some(skill) = skill.cloned() else {
        return none();
    };
    let _running = values.running.lock().await;
    if let Some(known) = values.fresh(&skill.name) {
        return value(&known, &key);
    }
    let name = skill.name.clone();
    let run = tokio::task::spawn_blocking(move || runner.placeholders(&skill));
    match run.await {
        Ok(Some(envelope)) => {
            let outcome = envelope.outcome.map(|success| success.value);
            value(&values.keep(name, outcome), &key)
        }
        _ => none(),
    }
}

impl Values {
    fn fresh(&self, skill: &str) -> Option<Arc<Outcome>> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let (at, outcome) = known.get(skill)?;
        (at.elapsed() < FRESH).then(|| outcome.clone())
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
        None => error(StatusCode::NOT_FOUND, "the skill gave no such value"),
    }
}

/// A failure of ours by its kind only: its message may name places.
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

/// A segment of a path without escapes.
fn decoded(segment: &str) -> Option<String> {
    crate::uri::decode(segment).filter(|text| !text.is_empty())
}
