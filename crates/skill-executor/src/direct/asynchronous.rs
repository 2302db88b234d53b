//! Tools that answer first and go on: the first JSON object wins.
//!
//! Source: `docs/design/legacy-host.md` §1.4. The time limit guards the first answer alone; afterwards the
//! process is never killed, and what it prints is drained.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use skill_sandbox::WaitEvent;

use super::finish::{answered, finished, lost, note, stdin};
use super::first::Head;
use super::reply::Ending;
use crate::call::Call;
use crate::envelope::{ErrorCode, Failure, Meta, Success};
use crate::normalise::SILENT;
use crate::program::RunningProgram;
use crate::view::View;
use crate::{callback, environment, policy, program};

/// The time limit of the first answer if the skill does not set one: 30 min.
pub const NO_REPLY_TIMEOUT: Duration = Duration::from_mins(30);
/// The default time for which a call without reply may stay silent.
pub const NO_REPLY_GRACE: Duration = Duration::from_secs(3);

pub(super) fn run(
    call: &Call<'_>,
    input: &Value,
    view: &View,
    meta: &mut Meta,
) -> Result<Success, Failure> {
    let endpoint = match call.options.wait {
        Some(_) => Some(callback::Endpoint::open(call)?),
        None => None,
    };
    let url = endpoint.as_ref().map(callback::Endpoint::url);
    let env = environment::for_asynchronous(call, view, url.as_deref())?;
    let timeout = call.timeout(NO_REPLY_TIMEOUT);
    // The limit is enforced here, because it applies only until the first answer.
    let started = program::start(call, view, &env, stdin(input), None)?;
    policy::note(&mut meta.extra, call, started.child.confinement());
    let first = first(call, input, started, timeout, meta)?;
    match (endpoint, call.options.wait) {
        (Some(endpoint), Some(wait)) => endpoint.result(call, first, wait),
        _ => Ok(first),
    }
}

/// Waits for the first of: a reply, the end, the grace of a call without reply, the limit.
fn first(
    call: &Call<'_>,
    input: &Value,
    mut started: RunningProgram,
    timeout: Duration,
    meta: &mut Meta,
) -> Result<Success, Failure> {
    let _watch = started.killed_by(&call.options.cancel);
    let begin = Instant::now();
    let grace = call.options.no_reply_grace.unwrap_or(NO_REPLY_GRACE);
    let grace = call.options.no_reply.then_some(grace);
    let until = begin + grace.map_or(timeout, |grace| grace.min(timeout));
    let (mut seen, mut head) = (0, Head::default());
    loop {
        let wake = started
            .child
            .wait(Some(until))
            .map_err(|error| lost(&error))?;
        let stdout = started.child.stdout();
        if stdout.len() != seen {
            seen = stdout.len();
            if let Some(reply) = head.reply(stdout) {
                note(meta, &String::from_utf8_lossy(started.child.stderr()), None);
                started.child.leave();
                let is_success = reply.get("status").and_then(Value::as_str) == Some("success");
                if grace.is_some() && is_success {
                    return Ok(silent(call, "accepted silently (initial_success_json)"));
                }
                return answered(call, input, reply);
            }
        }
        match wake {
            WaitEvent::Output => {}
            WaitEvent::Exited => return ended(call, input, started, meta),
            WaitEvent::Until if grace.is_some_and(|grace| grace <= begin.elapsed()) => {
                let ms = grace.unwrap_or_default().as_millis();
                started.child.leave();
                let how = format!("accepted silently (no_response_after_{ms}ms)");
                return Ok(silent(call, &how));
            }
            WaitEvent::Until => {
                note(meta, &String::from_utf8_lossy(started.child.stderr()), None);
                started.child.kill().map_err(|error| lost(&error))?;
                let name = call.skill.legacy_name();
                let message = format!("Plugin \"{name}\" initial response timed out.");
                return Err(Failure::new(ErrorCode::Timeout, message));
            }
        }
    }
}

/// The process ended before it said anything that counts.
fn ended(
    call: &Call<'_>,
    input: &Value,
    started: RunningProgram,
    meta: &mut Meta,
) -> Result<Success, Failure> {
    let through = started.through_shell();
    let outcome = started.child.finish().map_err(|error| lost(&error))?;
    let ending = program::ending(outcome.exit, through);
    let res = finished(call, input, &outcome, ending, meta);
    match res {
        Err(failure)
            if failure.code == ErrorCode::Protocol
                && call.options.no_reply
                && ending == Ending::Code(0) =>
        {
            Ok(silent(call, "exited successfully before initial JSON"))
        }
        res => res,
    }
}

/// Returns the old host's answer to a call that wants no reply.
fn silent(call: &Call<'_>, how: &str) -> Success {
    let name = call.skill.legacy_name();
    Success::new(json!({
        "status": "success",
        "noReply": true,
        SILENT: true,
        "toolName": name,
        "message": format!("Async no-reply tool \"{name}\" {how}."),
    }))
}
