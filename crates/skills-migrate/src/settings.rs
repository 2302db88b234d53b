//! The settings of a run.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use polish_requests::Polishing;
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
    /// The texts by a model.
    pub polishing: Polishing,
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
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Other machines")]
pub struct Machines {
    /// Share the plugins among workers through this NATS server and wait for them; write nothing
    #[arg(long, value_name = "URL", conflicts_with_all = ["worker", "out", "check", "dry_run", "diff", "force", "backup", "prune", "report", "strict", "shard"])]
    pub enqueue: Option<String>,
    /// Migrate plugins that --enqueue put on this NATS server until none are left
    #[arg(long, value_name = "URL", conflicts_with_all = ["check", "dry_run", "prune", "shard"])]
    pub worker: Option<String>,
    /// Name of the shared migration, the same for --enqueue and its workers
    #[arg(long, value_name = "NAME", default_value = "default")]
    pub job: String,
    /// Time without a sign of life after which others get the plugins of a worker (set by --enqueue)
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub ack_wait: u64,
    /// The login at the server.
    #[command(flatten)]
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
