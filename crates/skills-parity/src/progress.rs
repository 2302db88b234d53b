//! The progress of a run, on standard error.

use std::io::Write;
use std::sync::{Mutex, PoisonError};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use skill_parity::PluginResult;
use skills_cli::output::Streams;

/// Returns a progress bar, which is hidden unless standard error is a terminal.
pub(super) fn bar(n_plugins: usize, streams: &Streams) -> ProgressBar {
    if !streams.is_terminal {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} plugins {elapsed}")
        .expect("the template is a constant and well formed");
    let bar = ProgressBar::with_draw_target(Some(n_plugins as u64), ProgressDrawTarget::stderr());
    bar.with_style(style)
}

/// Writes one line for a plugin, with the first line of the reason.
pub(super) fn report(
    result: &PluginResult,
    bar: &ProgressBar,
    stderr: &Mutex<&mut Box<dyn Write + Send>>,
) {
    let line = parity_report::short_line(result);
    bar.suspend(|| {
        let mut stderr = stderr.lock().unwrap_or_else(PoisonError::into_inner);
        // A closed stream has no reader to inform.
        let _ = writeln!(stderr, "{line}");
    });
}
