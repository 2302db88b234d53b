//! Asks the person in front of a client for approval.
//!
//! Older clients are asked during the call. Clients of 2026-07-28 get the question as the answer
//! and repeat the call with theirs.
//!
//! An approval covers everything that would run when the question was asked ([`Consent`]), and a
//! lasting one ends when any of that changes. A skill that requires approval for every call is
//! never offered a lasting one.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{
    ElicitRequest, ElicitRequestParams, ElicitResult, ElicitationAction, ElicitationSchema,
    InputRequest, InputRequiredResult, InputResponses, ProtocolVersion,
};
use rmcp::service::RequestContext;
use serde_json::{Value, json};
use skill_language::{Language, say};
use skill_loader::Digest;

use super::Task;
use crate::session::Session;

/// The time that a person has to answer.
const MAX_ANSWER_TIME: Duration = Duration::from_mins(5);
/// The maximum number of characters of the arguments in the question.
const MAX_ARGUMENTS: usize = 1_000;
/// The prefix of the name of a question; digits of the digest of its subject follow.
const QUESTION: &str = "approve-run";
/// The number of hex digits of the digest in the name of a question.
const DIGITS: usize = 32;

/// The subject of an approval.
#[derive(Clone, Debug)]
pub(crate) struct Consent {
    /// The digest of everything that would run.
    pub(crate) digest: String,
    /// True if METADATA.yml requires an approval for each call.
    pub(crate) is_for_one_call: bool,
}

/// The result of asking.
pub(crate) enum Approval {
    /// A person approved the call.
    Granted,
    /// A person refused or did not answer.
    Denied,
    /// The client has to ask and repeat the call.
    Ask(Box<InputRequiredResult>),
}

/// Returns true if the client can ask a person.
pub(crate) fn can_ask(context: &RequestContext<RoleServer>) -> bool {
    let can = context.client_capabilities();
    can.is_some_and(|can| can.elicitation.is_some())
}

/// Asks for approval in a language, unless the session has a lasting one.
pub(crate) async fn approve(
    task: &Task,
    consent: &Consent,
    (session, language): (&Mutex<Session>, Language),
    answers: Option<&InputResponses>,
    context: &RequestContext<RoleServer>,
) -> Approval {
    let lock = || session.lock().unwrap_or_else(PoisonError::into_inner);
    if !consent.is_for_one_call && lock().is_approved(&task.skill, &consent.digest) {
        return Approval::Granted;
    }
    let name = name(task, consent);
    let version = context.protocol_version();
    let is_new =
        version.is_some_and(|version| version.as_str() >= ProtocolVersion::V_2026_07_28.as_str());
    let answer = if is_new {
        let Some(answer) = answers.and_then(|answers| answers.get(&name)) else {
            let question =
                InputRequest::Elicitation(ElicitRequest::new(question(task, consent, language)));
            let questions = [(name, question)];
            return Approval::Ask(Box::new(InputRequiredResult::from_input_requests(
                questions.into(),
            )));
        };
        serde_json::from_value(answer.clone()).ok()
    } else {
        let asked = context.peer.create_elicitation_with_timeout(
            question(task, consent, language),
            Some(MAX_ANSWER_TIME),
        );
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
    if lasts == Some(true) && !consent.is_for_one_call {
        lock().approve(&task.skill, &consent.digest);
    }
    Approval::Granted
}

/// Returns the name of a question. It depends on the code, the command and the arguments, so that
/// an answer counts only for what was shown.
pub(crate) fn name(task: &Task, consent: &Consent) -> String {
    let about = json!([consent.digest, task.skill, task.command, task.arguments]);
    let digest = Digest::from_content(about.to_string().as_bytes()).hex();
    format!("{QUESTION}-{}", &digest[..DIGITS])
}

/// Returns the text of the question, with the beginning of the arguments.
pub(crate) fn message(task: &Task, language: Language) -> String {
    let arguments = task.arguments.to_string();
    let shown: String = arguments.chars().take(MAX_ARGUMENTS).collect();
    let cut = if shown.len() < arguments.len() {
        language.say(" … (cut)")
    } else {
        "".into()
    };
    let what = match &task.command {
        Some(command) => say!(
            language,
            "the command `{command}` of the skill `{}`",
            task.skill
        ),
        None => say!(language, "the skill `{}`", task.skill),
    };
    say!(language, "Run {what} on this machine with {shown}{cut}?")
}

fn question(task: &Task, consent: &Consent, language: Language) -> ElicitRequestParams {
    let remember = "Do not ask again for this skill in this session, unless it changes";
    let mut schema = json!({"type": "object", "properties": {}});
    if !consent.is_for_one_call {
        schema["properties"]["remember"] = json!({
            "type": "boolean",
            "title": language.say(remember),
            "default": false,
        });
    }
    ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: message(task, language),
        requested_schema: serde_json::from_value::<ElicitationSchema>(schema)
            .expect("the schema above is one of a form"),
    }
}
