//! `direct`: a child process for each call, JSON in, JSON out.
//!
//! Source: `docs/design/legacy-host.md` §1.3 and §1.4. The call ends when the process exits, or,
//! for an asynchronous skill, at its first reply. Children that hold the pipe neither delay it nor
//! are killed.

mod asynchronous;
mod first;
mod reply;

use std::borrow::Cow;
use std::time::Duration;

use serde_json::Value;
use skill_model::{ExecutorKind, Transport};
use skill_sandbox::{Exit, Outcome, Stdin};

pub use asynchronous::{NO_REPLY_GRACE, NO_REPLY_TIMEOUT};
pub use first::first_reply;
pub use reply::{Ending, as_reply, reply};

use crate::arguments;
use crate::call::Call;
use crate::envelope::{Envelope, ErrorCode, Failure, Meta, Success};
use crate::frame::framed;
use crate::normalise::{Context, of_reply};
use crate::package::SkillPackage;
use crate::registry::Executor;
use crate::view::View;
use crate::{environment, json, policy, program};

/// The default time limit: 60 s.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_mins(1);
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
/// Bytes of diagnostics that an answer carries.
const MAX_DIAGNOSTICS: usize = 4_000;

/// Runs `direct` skills that talk JSON over their standard streams.
#[derive(Debug, Default)]
pub struct Direct;

impl Executor for Direct {
    fn kind(&self) -> ExecutorKind {
        ExecutorKind::Direct
    }

    fn handles(&self, skill: &SkillPackage) -> bool {
        let metadata = &skill.metadata;
        metadata.executor == self.kind() && metadata.transport == Some(Transport::StdioJson)
    }

    fn execute(&self, call: &Call<'_>) -> Envelope {
        framed(call, |meta, warnings| {
            let prepared = arguments::prepared(call)?;
            meta.command = prepared.command.map(str::to_owned);
            *warnings = prepared.warnings;
            run(call, &prepared.input, meta)
        })
    }
}

fn run(call: &Call<'_>, input: &Value, meta: &mut Meta) -> Result<Success, Failure> {
    let view = View::prepare(call)?;
    if call.skill.metadata.asynchronous.is_some() {
        return asynchronous::run(call, input, &view, meta);
    }
    let env = environment::for_tool(call, &view);
    let timeout = call.timeout(DEFAULT_TIMEOUT);
    let started = program::start(call, &view, &env, stdin(input), Some(timeout))?;
    policy::note(&mut meta.extra, call, started.child.confinement());
    let _watch = started.killed_by(&call.options.cancel);
    let through = started.through_shell();
    let outcome = started.child.finish().map_err(|error| lost(&error))?;
    let ending = program::ending(outcome.exit, through);
    finished(call, input, &outcome, ending, meta)
}

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
    of_reply(
        reply,
        Context::of(call.skill.legacy_name(), input, &timestamp),
    )
}

/// Records what else the process printed, and how it ended.
pub(crate) fn note(meta: &mut Meta, stderr: &str, ending: Option<Ending>) {
    let stderr = json::trim(stderr);
    if !stderr.is_empty() {
        meta.stderr = Some(json::utf16_prefix(stderr, MAX_DIAGNOSTICS).to_owned());
    }
    if let Some(Ending::Code(code)) = ending {
        meta.exit_code = Some(code);
    }
}

/// Returns the failure of a child that could not be followed.
pub(crate) fn lost(error: &skill_sandbox::Error) -> Failure {
    Failure::new(ErrorCode::SpawnFailed, crate::error_text(error))
}
