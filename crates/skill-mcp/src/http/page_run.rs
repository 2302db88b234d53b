//! Runs a skill for the person at the web page: `POST /api/skills/{name}/run`.
//!
//! The policy and the approvals are those of calls over MCP. The first request gets the question
//! that the person has to answer; a second one that repeats it with `approval` runs the skill.
//!
//! **Invariant:** only the page of this server can start a run. The request needs an `Origin` of
//! this server, a body of JSON, and the secret that the page reads from `/api/skills/{name}`, which
//! pages of other origins cannot read.

use std::future::pending;
use std::sync::Arc;
use std::time::Instant;

use hyper::StatusCode;
use hyper::body::Bytes;
use hyper::header::{CONTENT_TYPE, HeaderMap};
use rmcp::model::CallToolResult;
use serde_json::{Map, Value, json};
use skill_executor::results::random;
use skill_language::Language;

use super::answer::Answer;
use super::api::{error, success};
use super::guard;
use crate::run::{CallContext, Chosen, Task, approval_name, message, start};
use crate::shared::Shared;
use crate::tools::DATA;

/// The header with the secret of the page.
const SECRET: &str = "x-skills-page";

/// The secret that the page sends with a run. Without one, nothing is run.
#[derive(Debug)]
pub(super) struct PageSecret(Option<String>);

impl PageSecret {
    /// Creates a secret for the life of this process.
    pub(super) fn new() -> Self {
        Self(random().ok())
    }

    /// Returns the secret, for answers to the page.
    pub(super) fn text(&self) -> Option<&str> {
        self.0.as_deref()
    }

    fn matches(&self, headers: &HeaderMap) -> bool {
        let mut all = headers.get_all(SECRET).iter();
        let sent = all.next().map(hyper::header::HeaderValue::as_bytes);
        self.0.is_some() && all.next().is_none() && sent == self.0.as_deref().map(str::as_bytes)
    }
}

/// Returns the reason why a request does not come from the page of this server.
pub(super) fn refusal(
    headers: &HeaderMap,
    secret: &PageSecret,
    language: Language,
) -> Option<Answer> {
    let error = |status, why: &str| error(status, &language.say(why));
    let why = if !guard::is_of_own_page(headers) {
        "expected a request of the page of this server"
    } else if !secret.matches(headers) {
        "the page is older than the server; load it again"
    } else {
        let media = headers.get(CONTENT_TYPE).and_then(|it| it.to_str().ok());
        let is_json = media.is_some_and(|it| it.starts_with("application/json"));
        return (!is_json).then(|| {
            error(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "expected a body of application/json",
            )
        });
    };
    Some(error(StatusCode::FORBIDDEN, why))
}

/// Asks for approval, or runs the skill if the request has it.
pub(super) async fn answer(
    shared: &Arc<Shared>,
    skill: &str,
    body: &Bytes,
    language: Language,
) -> Answer {
    let start_time = Instant::now();
    let answer = run(shared, skill, body, language).await;
    let is_error = !matches!(&answer, Ok(value) if value["is_error"] != true);
    shared
        .metrics
        .call("page_run", is_error, start_time.elapsed());
    match answer {
        Ok(value) => success(&value),
        Err((status, why)) => error(status, &language.say(&why)),
    }
}

async fn run(
    shared: &Arc<Shared>,
    skill: &str,
    body: &Bytes,
    language: Language,
) -> Result<Value, (StatusCode, String)> {
    let refuse = |why: String| (StatusCode::FORBIDDEN, why);
    let internal = |why: &str| (StatusCode::INTERNAL_SERVER_ERROR, why.to_owned());
    let (task, approval) = task(skill, body).map_err(|why| (StatusCode::BAD_REQUEST, why))?;
    let Some(runner) = shared.settings.run.clone() else {
        return Err(refuse("this server does not run skills".to_owned()));
    };
    let chosen = Chosen::find(shared.store.catalog(), skill);
    let chosen = chosen.map_err(|error| (StatusCode::NOT_FOUND, error.to_string()))?;
    let found = chosen.skill.clone();
    if let Some(why) = runner.refusal(&found) {
        return Err(refuse(why));
    }
    let (asking, asked, called) = (runner.clone(), chosen.clone(), task.clone());
    let consent = shared.on_disk(move || asking.consent(&asked, &called));
    let consent = consent.await;
    let consent = match consent.ok_or_else(|| internal("the call failed"))? {
        Ok(consent) => consent,
        Err(failure) => return Ok(result(&runner.refused(&found, &task, failure), language)),
    };
    let needed = approval_name(&task, &consent);
    if approval.as_deref() != Some(&*needed) {
        return Ok(json!({"question": message(&task, language), "approval": needed}));
    }
    let call = CallContext {
        approved: Some(consent.digest),
        ..CallContext::default()
    };
    let done = start(runner, chosen, task, call, pending()).await;
    let done = done.map_err(internal)?;
    done.map(|done| result(&done, language))
        .map_err(|error| internal(&error.message))
}

/// Returns the task in a body, and the approval.
fn task(skill: &str, body: &Bytes) -> Result<(Task, Option<String>), String> {
    let form = "expected {\"command\": TEXT, \"arguments\": OBJECT, \"approval\": TEXT}";
    let mut fields: Map<String, Value> =
        serde_json::from_slice(body).map_err(|error| format!("{form}: {error}"))?;
    let mut text = |key: &str| match fields.remove(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(format!("`{key}` is not a text; {form}")),
    };
    let (command, approval) = (text("command")?, text("approval")?);
    let arguments = match fields.remove("arguments") {
        None => Value::Object(Map::new()),
        Some(arguments @ Value::Object(_)) => arguments,
        Some(_) => return Err(format!("`arguments` is not an object; {form}")),
    };
    let task = Task {
        skill: skill.to_owned(),
        command,
        arguments,
    };
    Ok((task, approval))
}

/// Returns the result of a tool for the page.
fn result(result: &CallToolResult, language: Language) -> Value {
    let is_error = result.is_error == Some(true);
    let mut content = serde_json::to_value(&result.content).unwrap_or_default();
    let parts = content.as_array_mut().filter(|_| is_error);
    for text in parts
        .into_iter()
        .flatten()
        .filter_map(|part| part.get_mut("text"))
    {
        if let Some(said) = text.as_str().map(|text| language.say(text).into_owned()) {
            *text = said.into();
        }
    }
    json!({
        "is_error": is_error,
        "content": content,
        "data": result.meta.as_ref().and_then(|meta| meta.0.get(DATA)),
    })
}
