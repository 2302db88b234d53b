//! The command lines of `verify` and `status`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgAction, Args as ClapArgs, Parser, Subcommand, ValueEnum};
use skill_parity::RunPolicy;
use skills_run::Walls;

/// Prove that skills do what their plugins did
#[derive(Debug, Parser)]
#[command(name = "skills-parity", bin_name = "skills-migrate", version)]
pub struct Args {
    #[command(subcommand)]
    pub(super) task: Task,
}

/// What is asked for.
#[derive(Debug, Subcommand)]
pub(super) enum Task {
    /// Run plugins and the skills that they became, and compare
    ///
    /// Each plugin runs on a copy of its directory as the old host ran it, by its own manifest; the
    /// skill runs as skills-run runs it. Compared are the answers, the files that are left behind and
    /// the time; what differs between two runs of the plugin itself is masked. What was found is kept
    /// in SKILLS/.skills-migrate and expires when the plugin or the skill changes.
    Verify(VerifyArgs),
    /// Show how far each plugin is: not migrated, migrated, verified, safe to remove
    ///
    /// Safe to remove is a plugin whose skill is verified, can run, and left nothing behind, and which
    /// has not changed since.
    Status(StatusArgs),
}

/// Form of the report.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, ValueEnum)]
pub(super) enum Format {
    /// For people.
    #[default]
    Text,
    /// For programs; one object, with a version.
    Json,
}

#[derive(Debug, ClapArgs)]
#[command(
    after_long_help = "Exit status:\n  0  every plugin is verified, or could not be run or proven, and it says why\n  1  a skill differs from its plugin\n  2  the run was not possible\n\nExamples:\n  skills-migrate verify plugins/ skills/\n  skills-migrate verify plugins/ skills/ --cases cases.json --report parity.json\n  skills-migrate verify plugins/ skills/ --only 'Weather*' --allow-network"
)]
pub(super) struct VerifyArgs {
    /// Directory of plugins, or one plugin
    #[arg(value_name = "PLUGINS")]
    pub(super) plugins: PathBuf,
    /// Directory of the skills that they became
    #[arg(value_name = "SKILLS")]
    pub(super) skills: PathBuf,
    /// What to send: JSON, a list of {plugin, input} and perhaps more [default: the examples of the commands]
    #[arg(long, value_name = "FILE")]
    pub(super) cases: Option<PathBuf>,
    /// Write every case and every difference to FILE as JSON
    #[arg(long, value_name = "FILE")]
    pub(super) report: Option<PathBuf>,
    /// Verify only plugins whose directory, name or skill name fits (can be repeated)
    #[arg(long, value_name = "GLOB")]
    pub(super) only: Vec<String>,
    /// Time limit of each call in milliseconds [default: the plugin's, at most 20000]
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    timeout: Option<u64>,
    /// Number of plugins worked on at a time [default: number of processors]
    #[arg(long, short, value_name = "N")]
    pub(super) jobs: Option<usize>,
    /// Say on standard error what became of each plugin, as soon as it is known
    #[arg(long, short, action = ArgAction::Count)]
    pub(super) verbose: u8,
    /// Run plugins that use the network, on both sides, with it
    #[arg(long, help_heading = "Permits")]
    allow_network: bool,
    /// Run skills whose command line only a shell can read
    #[arg(long, help_heading = "Permits")]
    allow_shell: bool,
    /// Run plugins that ask for approval or for the administrator
    #[arg(long, help_heading = "Permits")]
    approve: bool,
    /// Walls around both programs: as many as this machine has (auto, partial), all (full), none
    #[arg(
        long,
        value_enum,
        value_name = "LEVEL",
        default_value_t,
        help_heading = "Permits"
    )]
    sandbox: Walls,
}

impl VerifyArgs {
    pub(super) fn policy(&self) -> RunPolicy {
        RunPolicy {
            network: self.allow_network,
            shell: self.allow_shell,
            approval: self.approve,
            sandbox: self.sandbox.sandbox(),
            timeout: self.timeout.map(Duration::from_millis),
        }
    }
}

#[derive(Debug, ClapArgs)]
#[command(
    after_long_help = "Exit status:\n  0  every plugin that is not switched off is migrated, and none has changed since\n  1  a plugin is not migrated, or has changed since\n  2  the run was not possible"
)]
pub(super) struct StatusArgs {
    /// Directory of plugins, or one plugin
    #[arg(value_name = "PLUGINS")]
    pub(super) plugins: PathBuf,
    /// Directory of the skills that they became
    #[arg(value_name = "SKILLS")]
    pub(super) skills: PathBuf,
    /// Form of the report
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub(super) format: Format,
}
