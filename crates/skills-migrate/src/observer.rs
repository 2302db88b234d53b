//! The events of a run on standard error.

use std::io::Write;
use std::sync::{Mutex, PoisonError};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use migration_report::notice;
use skill_pipeline::Event;

use crate::settings::Presentation;
use skills_cli::output::{Language, Streams};

/// Writes notices, and a progress bar on a terminal.
pub(super) struct EventWriter<'s> {
    stderr: Mutex<&'s mut Box<dyn Write + Send>>,
    progress: ProgressBar,
    language: Language,
}

impl<'s> EventWriter<'s> {
    /// Returns a writer with a progress bar, unless the output is quiet or not a terminal.
    pub(super) fn new(show: &Presentation, streams: &'s mut Streams) -> Self {
        let is_shown = streams.is_terminal && show.verbosity >= 0;
        Self {
            progress: if is_shown {
                bar()
            } else {
                ProgressBar::hidden()
            },
            ..Self::silent(streams)
        }
    }

    /// Returns a writer without a progress bar.
    pub(super) fn silent(streams: &'s mut Streams) -> Self {
        Self {
            language: streams.language,
            stderr: Mutex::new(&mut streams.stderr),
            progress: ProgressBar::hidden(),
        }
    }

    /// Writes an event.
    pub(super) fn write(&self, event: Event<'_>) {
        match event {
            Event::Started { n_plugins } => self.progress.set_length(n_plugins as u64),
            Event::Done(_) => self.progress.inc(1),
            event => {
                if let Some(notice) = notice(event, self.language) {
                    let mut stderr = self.stderr.lock().unwrap_or_else(PoisonError::into_inner);
                    // A closed stream has no reader to inform.
                    let _ = writeln!(stderr, "{notice}");
                }
            }
        }
    }

    /// Passes the stream of notices on.
    pub(super) fn with_stream<T>(&self, write: impl FnOnce(&mut dyn Write, Language) -> T) -> T {
        let mut stderr = self.stderr.lock().unwrap_or_else(PoisonError::into_inner);
        write(&mut **stderr, self.language)
    }

    /// Removes the progress bar.
    pub(super) fn finish(&self) {
        self.progress.finish_and_clear();
    }
}

fn bar() -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} plugins {eta}")
        .expect("the template is a constant and well formed");
    ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr()).with_style(style)
}
