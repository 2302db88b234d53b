//! Answers on standard output.

use std::io::Write as _;

use serde_json::Value;
use skill_executor::envelope::{Envelope, ErrorCode, Failure};
use skill_executor::json;

use skills_cli::{ExitStatus, output::Streams};

/// Prints an answer on one line.
pub(super) fn print(value: &Value, streams: &mut Streams) -> anyhow::Result<()> {
    Ok(writeln!(streams.stdout, "{}", json::stringify(value))?)
}

/// Prints the answer of a call that no executor got, and returns its exit status.
pub(super) fn print_failure(
    name: &str,
    failure: Failure,
    streams: &mut Streams,
) -> anyhow::Result<ExitStatus> {
    let status = match failure.code {
        ErrorCode::NotRunnable => ExitStatus::Findings,
        _ => ExitStatus::CouldNotRun,
    };
    let envelope = Envelope::failed(name, "none", failure);
    print(&envelope.to_value(), streams)?;
    Ok(status)
}

/// Returns the exit status of an answer.
pub(super) fn status(envelope: &Envelope) -> ExitStatus {
    if envelope.is_ok() {
        ExitStatus::Fine
    } else {
        ExitStatus::Findings
    }
}
