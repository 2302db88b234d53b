//! Wraps every result in an `Envelope`: executor, elapsed time, redacted diagnostics.

use std::time::Instant;

use crate::call::Call;
use crate::envelope::{Envelope, ErrorCode, Failure, Meta, Success, Warning};
use crate::missing_package;
use crate::policy;
use crate::redact::Redactor;

/// Returns the answer of an executor to a call. `work` computes the value and records further
/// information.
pub(crate) fn answer(
    call: &Call<'_>,
    work: impl FnOnce(&mut Meta, &mut Vec<Warning>) -> Result<Success, Failure>,
) -> Envelope {
    let started = Instant::now();
    let (mut meta, mut warnings) = (meta(call), Vec::new());
    let outcome = work(&mut meta, &mut warnings);
    let outcome = named(call, &meta, &warnings, outcome);
    meta.elapsed_ms = elapsed_ms(started);
    warnings.extend(policy::weaker(&meta.extra));
    warnings.extend(policy::lost(&meta.extra));
    let redactor = Redactor::new(call);
    meta.stderr = meta.stderr.map(|text| redactor.redact(&text));
    // A warning can quote an answer.
    for warning in &mut warnings {
        warning.message = redactor.redact(&warning.message);
    }
    Envelope {
        outcome: outcome.map_err(|failure| redactor.redact_failure(failure)),
        warnings,
        meta,
    }
}

/// Replaces the outcome of a program that lacks a package by one that names it.
fn named(
    call: &Call<'_>,
    meta: &Meta,
    warnings: &[Warning],
    outcome: Result<Success, Failure>,
) -> Result<Success, Failure> {
    use ErrorCode as E;
    let is_without_value = || {
        let mut codes = warnings.iter().map(|warning| warning.code);
        codes.any(|code| code == NO_NEW_VALUE)
    };
    let message = match &outcome {
        Err(failure) if matches!(failure.code, E::ExitCode | E::Protocol | E::NotRunnable) => {
            failure.message.as_str()
        }
        Ok(_) if is_without_value() => "",
        Err(failure) if failure.code == E::PluginError => {
            return Err(missing_package::reported(call, failure).unwrap_or_else(|| failure.clone()));
        }
        _ => return outcome,
    };
    missing_package::failure(call, meta, message).map_or(outcome.clone(), Err)
}

/// The code of the warning about a static skill whose program failed.
pub const NO_NEW_VALUE: &str = "no-new-value";

/// Returns the metadata of a call's answer.
pub(crate) fn meta(call: &Call<'_>) -> Meta {
    Meta {
        skill: call.skill.metadata.name.clone(),
        command: call.command.map(str::to_owned),
        executor: call.skill.metadata.executor.word().to_owned(),
        ..Meta::default()
    }
}

/// Returns the whole milliseconds since `started`.
pub(crate) fn elapsed_ms(started: Instant) -> u64 {
    u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX)
}
