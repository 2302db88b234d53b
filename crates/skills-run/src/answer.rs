//! Answers on standard output, for programs and for people.

use std::io::Write as _;

use serde_json::Value;
use skill_executor::envelope::{Asked, Envelope, ErrorCode, Failure};
use skill_executor::json;

use skills_cli::ExitStatus;
use skills_cli::output::{ColorChoice, Streams};

/// Prints an answer on one line, or its fields on a terminal.
pub(super) fn print(value: &Value, streams: &mut Streams) -> anyhow::Result<()> {
    if streams.columns.is_some() {
        let text = skill_report::facts(value, streams.paint(ColorChoice::Auto));
        return Ok(streams.stdout.write_all(text.as_bytes())?);
    }
    Ok(writeln!(streams.stdout, "{}", json::stringify(value))?)
}

/// Prints the answer of a call: as JSON, or on a terminal as text.
pub(super) fn show(answer: &Value, streams: &mut Streams) -> anyhow::Result<()> {
    if streams.columns.is_none() {
        return print(answer, streams);
    }
    let text = skill_report::answer(answer, streams.paint(ColorChoice::Auto));
    streams.stdout.write_all(text.value.as_bytes())?;
    streams.stdout.flush()?;
    Ok(streams.stderr.write_all(text.remarks.as_bytes())?)
}

/// Prints the answer of a call that no executor got, and returns its exit status.
pub(super) fn print_failure<'a>(
    name: impl Into<Asked<'a>>,
    failure: Failure,
    streams: &mut Streams,
) -> anyhow::Result<ExitStatus> {
    let status = match failure.code {
        ErrorCode::NotRunnable => ExitStatus::Findings,
        _ => ExitStatus::CouldNotRun,
    };
    let envelope = Envelope::failed(name, "none", failure);
    show(&envelope.to_value(), streams)?;
    Ok(status)
}

/// Prints a result that is not the answer of a call, and returns its exit status.
pub(super) fn print_result<'a>(
    name: impl Into<Asked<'a>>,
    result: Result<Value, Failure>,
    streams: &mut Streams,
) -> anyhow::Result<ExitStatus> {
    match result {
        Ok(value) => print(&value, streams).map(|()| ExitStatus::Fine),
        Err(failure) => print_failure(name, failure, streams),
    }
}

/// Returns the exit status of an answer.
pub(super) fn status(envelope: &Envelope) -> ExitStatus {
    ExitStatus::fine_if(envelope.is_ok())
}
