//! Asking the person in front of a client.
//!
//! Older clients are asked in the middle of the call; those that speak 2026-07-28 get the
//! question as the answer, and call again with theirs.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{
    ElicitRequest, ElicitRequestParams, ElicitResult, ElicitationAction, ElicitationSchema,
    InputRequest, InputRequiredResult, InputResponses, ProtocolVersion,
};
use rmcp::service::RequestContext;
use serde_json::{Value, json};

use super::Task;
use crate::session::Session;

/// How long a person may think.
const PATIENCE: Duration = Duration::from_mins(5);
/// Characters of the arguments that are shown.
const SHOWN: usize = 1_000;
/// The name of the question.
const QUESTION: &str = "approve-run";

/// What became of the question.
pub(crate) enum Approval {
    /// A person said yes.
    Given,
    /// The client cannot ask anybody: what the operator allowed is all there is.
    CannotAsk,
    /// A person said no, or nothing.
    Denied,
    /// The client is to ask and call again.
    Ask(Box<InputRequiredResult>),
}

/// Asks, unless the session has a lasting answer.
pub(crate) async fn approve(
    task: &Task,
    session: &Mutex<Session>,
    answers: Option<&InputResponses>,
    context: &RequestContext<RoleServer>,
) -> Approval {
    let can_ask = context
        .client_capabilities()
        .is_some_and(|can| can.elicitation.is_some());
    if !can_ask {
        return Approval::CannotAsk;
    }
    let lock = || session.lock().unwrap_or_else(PoisonError::into_inner);
    if lock().is_approved(&task.skill) {
        return Approval::Given;
    }
    let version = context.protocol_version();
    let is_new =
        version.is_some_and(|version| version.as_str() >= ProtocolVersion::V_2026_07_28.as_str());
    let answer = if is_new {
        let Some(answer) = answers.and_then(|answers| answers.get(QUESTION)) else {
            let question = InputRequest::Elicitation(ElicitRequest::new(question(task)));
            let questions = [(QUESTION.to_owned(), question)];
            return Approval::Ask(Box::new(InputRequiredResult::from_input_requests(
                questions.into(),
            )));
        };
        serde_json::from_value(answer.clone()).ok()
    } else {
        let asked = context
            .peer
            .create_elicitation_with_timeout(question(task), Some(PATIENCE));
        asked.await.ok()
    };
    let Some(ElicitResult {
        action: ElicitationAction::Accept,
        content,
        ..
    }) = answer
    else {
        return Approval::Denied;
    };
    let lasts = content
        .as_ref()
        .and_then(|content| content.get("remember"))
        .and_then(Value::as_bool);
    if lasts == Some(true) {
        lock().approve(&task.skill);
    }
    Approval::Given
}

fn question(task: &Task) -> ElicitRequestParams {
    let arguments = task.arguments.to_string();
    let shown: String = arguments.chars().take(SHOWN).collect();
    let cut = if shown.len() < arguments.len() {
        " … (cut)"
    } else {
        ""
    };
    let what = match &task.command {
        Some(command) => format!("the command `{command}` of the skill `{}`", task.skill),
        None => format!("the skill `{}`", task.skill),
    };
    let schema = json!({
        "type": "object",
        "properties": {"remember": {
            "type": "boolean",
            "title": "Do not ask again for this skill in this session",
            "default": false,
        }},
    });
    ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: format!("Run {what} on this machine with {shown}{cut}?"),
        requested_schema: serde_json::from_value::<ElicitationSchema>(schema)
            .expect("the schema above is one of a form"),
    }
}
