//! The settings of a run.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use skill_pipeline::MigrateOptions;

use skills_cli::nats::NatsArgs;
use skills_cli::output::ColorChoice;

/// The plugins to migrate, and the presentation of the result; every default is filled in.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The options of the migration.
    pub migrate: MigrateOptions,
    /// The presentation of the result.
    pub show: Presentation,
    /// The other machines.
    pub machines: Machines,
}

/// The presentation of the result.
#[derive(Clone, Debug)]
pub struct Presentation {
    /// The format of the report.
    pub format: Format,
    /// The file of the full report.
    pub report: Option<PathBuf>,
    /// True if a skill that needs attention counts as a failure.
    pub strict: bool,
    /// −1 for errors only, 0 for normal output, 1 and 2 for more.
    pub verbosity: i8,
    /// The use of colour.
    pub color: ColorChoice,
}

impl Presentation {
    /// Returns true if the full report is a page for people, by the suffix of its file. Otherwise it
    /// is JSON.
    pub(super) fn report_is_page(&self) -> bool {
        let suffix = self.report.as_deref().and_then(Path::extension);
        suffix.is_some_and(|it| it.eq_ignore_ascii_case("html") || it.eq_ignore_ascii_case("htm"))
    }
}

/// The settings of a migration that many machines share.
#[derive(Clone, Debug)]
pub struct Machines {
    /// The server on whose queue the plugins are put.
    pub enqueue: Option<String>,
    /// The server from whose queue the plugins are taken.
    pub worker: Option<String>,
    /// The name of the shared migration.
    pub job: String,
    /// The maximum time without a sign of life from a worker, in seconds.
    pub ack_wait: u64,
    /// The login at the server.
    pub nats: NatsArgs,
}

impl Machines {
    /// Returns true if many machines share the migration.
    pub fn is_shared(&self) -> bool {
        self.enqueue.is_some() || self.worker.is_some()
    }
}

/// The format of the report.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, ValueEnum)]
pub enum Format {
    /// For people.
    #[default]
    Text,
    /// For programs: one object, with a version.
    Json,
}
