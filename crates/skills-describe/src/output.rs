//! The form of answers for programs.

use serde_json::Value;

use skills_cli::output::Streams;

/// Writes one object.
pub(super) fn write_json(value: &Value, streams: &mut Streams) -> anyhow::Result<()> {
    serde_json::to_writer_pretty(&mut streams.stdout, value)?;
    Ok(writeln!(streams.stdout)?)
}
