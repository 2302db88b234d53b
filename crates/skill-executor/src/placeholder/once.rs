//! One run of a static skill: the values of its placeholders.

use serde_json::{Map, Value, json};
use skill_sandbox::Stdin;

use super::fold::value_of;
use super::known::{STORE, bare};
use crate::answer::{NO_NEW_VALUE, answer};
use crate::call::{Call, DEFAULT_TIMEOUT};
use crate::envelope::{Envelope, ErrorCode, Failure, Meta, Success, Warning};
use crate::view::View;
use crate::{clock, direct, environment, json, policy, program, view};

/// Runs the program once.
pub(super) fn execute_once(call: &Call<'_>) -> Envelope {
    answer(call, |meta, warnings| {
        // A value has no commands.
        meta.command = None;
        run(call, meta, warnings)
    })
}

fn run(call: &Call<'_>, meta: &mut Meta, warnings: &mut Vec<Warning>) -> Result<Success, Failure> {
    let view = View::prepare(call)?;
    let text = match print(call, &view, meta) {
        // The old host's shell could not start it either: a run that failed.
        Err(failure) if failure.code == ErrorCode::SpawnFailed => {
            meta.stderr = Some(failure.message);
            None
        }
        res => res?,
    };
    let new = text
        .as_deref()
        .and_then(|text| value_of(text, &description(call)));
    if new.is_none() {
        warnings.push(Warning {
            code: NO_NEW_VALUE,
            message: "the program failed or printed nothing; what was known before stays"
                .to_owned(),
            pointer: None,
        });
    }
    let value = new.or_else(|| last(call)).unwrap_or_else(|| loading(call));
    let placeholders = call.skill.metadata.placeholders.iter();
    let keys = placeholders.map(|placeholder| bare(&placeholder.key).to_owned());
    let values: Map<String, Value> = keys.map(|key| (key, value.clone())).collect();
    if !warnings.iter().any(|warning| warning.code == NO_NEW_VALUE) {
        let record = json!({"at_ms": clock::now_ms(), "value": value});
        if let Some(name) = record_of(call) {
            let text = json::stringify(&record);
            call.host.state.write(STORE, &name, &text)?;
        }
    }
    Ok(Success {
        value: Value::Object(values),
        ..Success::default()
    })
}

/// The file of the last value; no other skill has it, whatever it calls itself.
fn record_of(call: &Call<'_>) -> Option<String> {
    let key = view::key(call.skill, &call.host.state)?;
    Some(format!("{key}.json"))
}

/// The value of the last run that had one.
fn last(call: &Call<'_>) -> Option<Value> {
    let name = record_of(call)?;
    let record = call.host.state.read(&format!("{STORE}/{name}"))?;
    record.get("value").cloned()
}

/// Returns the output of the program; nothing if it failed. A timeout is not a failure: the output
/// until then counts.
fn print(call: &Call<'_>, view: &View, meta: &mut Meta) -> Result<Option<String>, Failure> {
    let env = environment::with_provided(call, view)?;
    let timeout = call.timeout(DEFAULT_TIMEOUT);
    let started = program::start(call, view, &env, Stdin::Null, Some(timeout))?;
    policy::note(&mut meta.extra, call, started.child.confinement());
    let _watch = started.killed_by(&call.options.cancel);
    let through = started.through_shell();
    let outcome = started
        .child
        .finish()
        .map_err(|error| direct::lost(&error))?;
    policy::note_lost(&mut meta.extra, &outcome.lost);
    let ending = program::ending(outcome.exit, through);
    let stderr = String::from_utf8_lossy(&outcome.stderr);
    direct::note(meta, &stderr, (!outcome.timed_out).then_some(ending));
    if call.options.cancel.is_cancelled() {
        return Err(call.cancelled());
    }
    let is_fine = outcome.timed_out || ending == direct::Ending::Code(0);
    let text = String::from_utf8_lossy(&outcome.stdout);
    Ok(is_fine.then(|| json::trim(&text).to_owned()))
}

/// Returns the description of the value when it is folded.
fn description(call: &Call<'_>) -> String {
    let metadata = &call.skill.metadata;
    if !metadata.description.is_empty() {
        return metadata.description.clone();
    }
    display_name(call)
}

fn display_name(call: &Call<'_>) -> String {
    let shown = call.skill.metadata.display_name.clone();
    shown.unwrap_or_else(|| call.skill.legacy_name().to_owned())
}

/// Returns the value that is used before there is one.
fn loading(call: &Call<'_>) -> Value {
    format!("[{} a-zheng-zai-jia-zai-zhong... ]", display_name(call)).into()
}
