//! The input of a program, and the answer after its end.

use std::borrow::Cow;

use serde_json::Value;
use skill_sandbox::{Exit, Outcome, Stdin};

use super::reply::{Ending, reply};
use crate::call::Call;
use crate::envelope::{ErrorCode, Failure, MAX_DIAGNOSTICS, Meta, Success};
use crate::error_text::error_text;
use crate::normalise::{Context, from_reply};
use crate::{json, policy};

/// The messages of a shell about a child that a signal ended (`strsignal` of the C library).
const SIGNALS: [(i32, &str); 7] = [
    (4, "Illegal instruction"),
    (6, "Aborted"),
    (7, "Bus error"),
    (8, "Floating point exception"),
    (9, "Killed"),
    (11, "Segmentation fault"),
    (15, "Terminated"),
];
/// Returns the arguments as the program reads them; nothing if there are none.
pub(crate) fn stdin(input: &Value) -> Stdin {
    match input {
        Value::Object(map) if !map.is_empty() => Stdin::Bytes(json::stringify(input).into_bytes()),
        _ => Stdin::Null,
    }
}

/// Returns the answer for a process that has ended.
pub(crate) fn finished(
    call: &Call<'_>,
    input: &Value,
    outcome: &Outcome,
    ending: Ending,
    meta: &mut Meta,
) -> Result<Success, Failure> {
    let name = call.skill.legacy_name();
    policy::note_lost(&mut meta.extra, &outcome.lost);
    let stderr = String::from_utf8_lossy(&outcome.stderr);
    note(
        meta,
        &stderr,
        outcome
            .timed_out
            .then_some(ending)
            .is_none()
            .then_some(ending),
    );
    if outcome.timed_out {
        let message = format!("Plugin \"{name}\" execution timed out.");
        return Err(Failure::new(ErrorCode::Timeout, message));
    }
    if outcome.stdout_truncated {
        let message = format!(
            "Plugin \"{name}\" printed more than {} bytes",
            outcome.stdout.len()
        );
        return Err(Failure::new(ErrorCode::TooLarge, message));
    }
    let stdout = String::from_utf8_lossy(&outcome.stdout);
    let reply = reply(
        name,
        ending,
        &stdout,
        &with_signal(&stderr, outcome, ending),
    )?;
    answered(call, input, reply)
}

/// Standard error as the old host read it: its shell added a word about a signal.
fn with_signal<'s>(stderr: &'s str, outcome: &Outcome, ending: Ending) -> Cow<'s, str> {
    let word = match (outcome.exit, ending) {
        (Exit::Signal(signal), Ending::Code(_)) => {
            SIGNALS.iter().find(|(known, _)| *known == signal)
        }
        _ => None,
    };
    match word {
        Some((_, word)) => format!("{stderr}{word}\n").into(),
        None => stderr.into(),
    }
}

/// Returns the answer for a reply.
pub(crate) fn answered(
    call: &Call<'_>,
    input: &Value,
    reply: serde_json::Map<String, Value>,
) -> Result<Success, Failure> {
    let timestamp = call.host.timestamp();
    from_reply(
        reply,
        Context::new(call.skill.legacy_name(), input, &timestamp),
    )
}

/// Records what else the process printed, and how it ended.
pub(crate) fn note(meta: &mut Meta, stderr: &str, ending: Option<Ending>) {
    let stderr = json::trim(stderr);
    if !stderr.is_empty() {
        let mut kept = json::utf16_prefix(stderr, MAX_DIAGNOSTICS).to_owned();
        if kept.len() < stderr.len()
            && let Some(last) = stderr.lines().next_back()
        {
            // The last line of a traceback says what is wrong.
            kept.push_str("\n…\n");
            kept.push_str(json::utf16_prefix(last, MAX_DIAGNOSTICS));
        }
        meta.stderr = Some(kept);
    }
    if let Some(Ending::Code(code)) = ending {
        meta.exit_code = Some(code);
    }
}

/// Returns the failure for a child whose output or end could not be observed.
pub(crate) fn lost(error: &skill_sandbox::Error) -> Failure {
    Failure::new(ErrorCode::SpawnFailed, error_text(error))
}
