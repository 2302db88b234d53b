//! The log of the server: events with fields, on standard error, without colours.

use std::io;

use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::fmt;

use super::LogFormat;

/// Writes events from now on.
pub(super) fn init(verbose: u8, format: LogFormat) {
    let level = match verbose {
        0 => LevelFilter::WARN,
        1 => LevelFilter::INFO,
        2 => LevelFilter::DEBUG,
        _ => LevelFilter::TRACE,
    };
    let builder = fmt().with_max_level(level).with_writer(io::stderr);
    // A second server in one process keeps the log of the first.
    let _ = match format {
        LogFormat::Text => builder.try_init(),
        LogFormat::Json => builder.json().try_init(),
    };
}
