//! The events of a run on standard error.

use std::io::Write;
use std::sync::{Mutex, PoisonError};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use skill_pipeline::Event;

use crate::args::Show;
use skills_cli::output::Streams;

/// Writes notices, and a progress bar where somebody watches.
pub(super) struct Observed<'s> {
    stderr: Mutex<&'s mut Box<dyn Write + Send>>,
    progress: ProgressBar,
}

impl<'s> Observed<'s> {
    /// With a progress bar, unless the output is to be quiet.
    pub(super) fn new(show: &Show, streams: &'s mut Streams) -> Self {
        let is_shown = streams.is_watched && show.verbosity >= 0;
        Self {
            progress: if is_shown {
                bar()
            } else {
                ProgressBar::hidden()
            },
            ..Self::silent(streams)
        }
    }

    /// Without a progress bar.
    pub(super) fn silent(streams: &'s mut Streams) -> Self {
        Self {
            stderr: Mutex::new(&mut streams.stderr),
            progress: ProgressBar::hidden(),
        }
    }

    /// Shows an event.
    pub(super) fn on(&self, event: Event<'_>) {
        match event {
            Event::Waiting(out) => self.say(&format!(
                "waiting: another process writes to {}",
                out.display()
            )),
            Event::Recovered(recovery) => {
                let n_skills = recovery.written.len() + recovery.removed.len();
                let what = if recovery.rolled_back {
                    "a rollback"
                } else {
                    "a run"
                };
                self.say(&format!(
                    "note: {what} was interrupted after {n_skills} skills; they are accounted for"
                ));
            }
            Event::IdlePattern(idle) => {
                self.say(&format!(
                    "warning: --carry '{}': {}",
                    idle.glob, idle.problem
                ));
            }
            Event::Started { n_plugins } => self.progress.set_length(n_plugins as u64),
            Event::Done(_) => self.progress.inc(1),
            _ => {}
        }
    }

    /// Takes the progress bar away.
    pub(super) fn finish(&self) {
        self.progress.finish_and_clear();
    }

    fn say(&self, line: &str) {
        let mut stderr = self.stderr.lock().unwrap_or_else(PoisonError::into_inner);
        // Nobody reads a closed stream.
        let _ = writeln!(stderr, "{line}");
    }
}

fn bar() -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} plugins {eta}")
        .expect("the template is a constant and well formed");
    ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr()).with_style(style)
}
