//! The log of the server: events with fields, on standard error, without colours.

use std::io;

use tracing_subscriber::{EnvFilter, fmt};

use super::LogFormat;

/// Writes events from now on.
pub(super) fn init(verbose: u8, format: LogFormat) {
    // The SDK logs an error for each answer to a client that has left.
    let filter = match verbose {
        0 => "warn,rmcp::service=off",
        1 => "info,rmcp::service=off",
        2 => "debug",
        _ => "trace",
    };
    let filter = EnvFilter::new(filter);
    let builder = fmt().with_env_filter(filter).with_writer(io::stderr);
    // A second server in one process keeps the log of the first.
    let _ = match format {
        LogFormat::Text => builder.try_init(),
        LogFormat::Json => builder.json().try_init(),
    };
}
