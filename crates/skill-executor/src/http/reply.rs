//! The answers of operations: as they are, and long ones in a file.

use http_request::Operation;
use serde_json::{Value, json};
use skill_model::Digest;

use super::long::{LongAnswer, LongAnswers, keep_newest};
use super::send::Answer;
use crate::answer_file::{AnswerFile, DIGITS, DIR, ending};
use crate::call::Call;
use crate::envelope::{Failure, Success, Warning};
use crate::error_text::listed;
use crate::redact::Redactor;

/// The longest answer that is a value, in bytes; a model reads all of it.
const MAX_VALUE: usize = 64 << 10;
/// The beginning of a longer one, in characters.
const MAX_START: usize = 4_000;

/// Returns where long answers of a call are written.
pub(super) fn long_answers(call: &Call<'_>) -> LongAnswers {
    LongAnswers {
        dir: call.host.state.path(DIR),
        in_memory: MAX_VALUE,
        masks: Redactor::new(call).masks(),
    }
}

/// Returns the value of an answer with a status below 400, without secrets. A long one, or one that is not text, is in a
/// file; the value has its path and its beginning.
pub(super) fn value(call: &Call<'_>, answer: &Answer) -> Result<Success, Failure> {
    let text = start(answer);
    let state = &call.host.state;
    let file = match (&answer.file, text) {
        (None, _) if answer.body.is_empty() => return Ok(Success::new(Value::Null)),
        (None, Some(text)) => {
            let value = answer.value();
            // A body that calls itself JSON and is not is still what the service said.
            let value = value.unwrap_or_else(|_| Value::from(text));
            return Ok(Success::new(Redactor::new(call).redact_value(value)));
        }
        (None, None) => written(call, answer)?,
        (Some(file), _) => file.clone(),
    };
    let mut value = json!({
        "file": state.path(&format!("{DIR}/{}", file.name)).to_string_lossy(),
        "bytes": file.bytes,
        "media_type": answer.media_type,
    });
    if let Some(text) = text {
        let start: String = text.chars().take(MAX_START).collect();
        value["start"] = Redactor::new(call).redact(&start).into();
    }
    Ok(Success {
        file: Some(AnswerFile {
            name: file.name,
            bytes: file.bytes,
            media_type: answer.media_type.clone(),
        }),
        ..Success::new(value)
    })
}

/// Returns the text of an answer, or the beginning of that of a long one, which may end in the middle of
/// a character; `None` for other content.
fn start(answer: &Answer) -> Option<&str> {
    match std::str::from_utf8(&answer.body) {
        Ok(text) => Some(text),
        Err(error) if answer.file.is_some() && error.error_len().is_none() => {
            std::str::from_utf8(&answer.body[..error.valid_up_to()]).ok()
        }
        Err(_) => None,
    }
}

/// Returns a warning about an answer that says that it is JSON and is not: its value is the text.
pub(super) fn not_json(answer: &Answer) -> Option<Warning> {
    let why = answer.value().err().filter(|_| answer.file.is_none())?;
    let is_text = !answer.body.is_empty() && start(answer).is_some();
    is_text.then(|| {
        let message = format!(
            "{why}; its media type is `{}`, and the value is its text",
            answer.media_type
        );
        Warning::new("answer-not-json", message)
    })
}

/// Returns a warning about an answer of a media type that the operation does not have.
pub(super) fn other_type(operation: &Operation, answer: &Answer) -> Option<Warning> {
    let has_content = !answer.body.is_empty() || answer.file.is_some();
    let is_other = has_content && operation.is_other_answer(&answer.media_type);
    is_other.then(|| {
        let expected = if operation.answers.is_empty() {
            "`application/json`".to_owned()
        } else {
            listed(&operation.answers)
        };
        let message = format!(
            "the answer is of the media type `{}`, expected {expected}; it may be a page of a login, a proxy or an error and not what was asked for",
            answer.media_type
        );
        Warning::new("unexpected-media-type", message)
    })
}

/// Writes a short answer that is not text.
fn written(call: &Call<'_>, answer: &Answer) -> Result<LongAnswer, Failure> {
    let state = &call.host.state;
    let body = Redactor::new(call).masks().masked(&answer.body);
    let digest = Digest::from_content(&body).hex();
    let name = format!("{}{}", &digest[..DIGITS], ending(&answer.media_type));
    state.make_dir(DIR)?;
    let written = state.root().write_whole(DIR, &name, &body);
    written.map_err(|error| Failure::io(&error))?;
    if let Ok(root) = state.root().open_dir(DIR) {
        keep_newest(&root, &name);
    }
    Ok(LongAnswer {
        name,
        bytes: body.len() as u64,
    })
}
