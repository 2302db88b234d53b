//! The command lines of `verify` and `status`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgAction, Args as ClapArgs, Parser, Subcommand, ValueEnum};
use emulated_runs::NetworkKind;
use skill_parity::RunPolicy;
use skills_run::SandboxLevel;

/// Prove that skills do what their plugins did
#[derive(Debug, Parser)]
#[command(name = "skills-parity", bin_name = "skills-migrate", version)]
pub struct Args {
    #[command(subcommand)]
    pub(super) task: Task,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub(super) enum Task {
    /// Run plugins and their skills, and compare the answers
    ///
    /// Each plugin runs on a copy of its directory as the old host ran it, by its own manifest. The
    /// skill runs as skills-run runs it. The answers, the files that they leave and the time are compared;
    /// differences between two runs of the plugin itself are masked. The results are recorded in
    /// SKILLS/.skills-migrate and expire when the plugin or the skill changes.
    Verify(Box<VerifyArgs>),
    /// Show the stage of each plugin: not migrated, migrated, verified, safe to remove
    ///
    /// A plugin is safe to remove if its skill is verified and can run, if it left nothing behind, and
    /// if it has not changed since.
    Status(StatusArgs),
}

/// The format of the report.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, ValueEnum)]
pub(super) enum Format {
    /// For people.
    #[default]
    Text,
    /// For programs: one object, with a version.
    Json,
}

#[derive(Debug, ClapArgs)]
#[command(
    after_long_help = "Exit status:\n  0  every plugin is verified, or the reason why it could not be run or proven is reported\n  1  a skill differs from its plugin\n  2  the run was not possible\n\nExamples:\n  skills-migrate verify plugins/ skills/\n  skills-migrate verify plugins/ skills/ --cases cases.json --report parity.json\n  skills-migrate verify plugins/ skills/ --only 'Weather*' --allow-network"
)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(super) struct VerifyArgs {
    /// Directory of plugins, or one plugin
    #[arg(value_name = "PLUGINS")]
    pub(super) plugins: PathBuf,
    /// Directory of their skills
    #[arg(value_name = "SKILLS")]
    pub(super) skills: PathBuf,
    /// Directory of recordings, for --network record and replay [default: SKILLS/.cassettes]
    #[arg(value_name = "CASSETTES", requires = "network")]
    pub(super) cassettes: Option<PathBuf>,
    /// Calls to compare: a JSON list of objects with plugin and input [default: the examples of the commands]
    #[arg(long, value_name = "FILE")]
    pub(super) cases: Option<PathBuf>,
    /// Settings for the plugins and their skills; a plugin's own config.env comes first
    #[arg(long, value_name = "FILE")]
    pub(super) config: Option<PathBuf>,
    /// Write every case and every difference to FILE as JSON
    #[arg(long, value_name = "FILE")]
    pub(super) report: Option<PathBuf>,
    /// Directory of the old host, whose modules plugins load [default: the one that PLUGINS is in]
    #[arg(long, value_name = "DIR")]
    pub(super) host: Option<PathBuf>,
    /// Verify only plugins whose directory, name or skill name matches (can be repeated)
    #[arg(long, value_name = "GLOB")]
    pub(super) only: Vec<String>,
    /// Time limit of each call in milliseconds [default: the plugin's, at most 20000]
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    timeout: Option<u64>,
    /// First install the npm and Python packages of the skills, which both sides use
    #[arg(long)]
    pub(super) prepare: bool,
    /// State directory with installed packages and stored settings [default: that of skills-run]
    #[arg(long, value_name = "DIR")]
    pub(super) state: Option<PathBuf>,
    /// Number of plugins verified at a time [default: number of processors]
    #[arg(long, short, value_name = "N")]
    pub(super) jobs: Option<usize>,
    /// Report the result of each plugin on standard error, as soon as it is known
    #[arg(long, short, action = ArgAction::Count)]
    pub(super) verbose: u8,
    /// Include plugins that are switched off (their skills come from a migration with this flag)
    #[arg(long)]
    include_disabled: bool,
    /// Run plugins that use the network, and their skills, with network access
    #[arg(long, help_heading = "Permits")]
    allow_network: bool,
    /// The network of both programs: one that this tool emulates (no keys, nothing leaves the machine;
    /// settings that a service needs and that have no value are made up), the real one, recorded, or a
    /// replay of what was recorded
    #[arg(
        long,
        value_name = "emulate|record|replay",
        conflicts_with = "allow_network",
        help_heading = "Permits"
    )]
    pub(super) network: Option<NetworkKind>,
    /// Directory of answers that the emulated internet gives first: JSON lists of objects with host,
    /// method, path (with `*`), status, headers, and json or text
    #[arg(
        long,
        value_name = "DIR",
        requires = "network",
        help_heading = "Permits"
    )]
    pub(super) answers: Option<PathBuf>,
    /// Keep what was recorded without a question
    #[arg(long, requires = "network", help_heading = "Permits")]
    pub(super) yes: bool,
    /// Time at which every program begins, such as 2025-01-01T00:00:00Z [default: now]
    #[arg(long, value_name = "TIME", value_parser = skill_executor::clock::parse_ms)]
    pub(super) clock: Option<i64>,
    /// Run skills whose command line only a shell can read
    #[arg(long, help_heading = "Permits")]
    allow_shell: bool,
    /// Run plugins that require an approval or the administrator
    #[arg(long, help_heading = "Permits")]
    approve: bool,
    /// Confinement of both programs: what this machine can do (auto, partial), all restrictions
    /// (full), none, or the sandbox of macOS (seatbelt, experimental)
    #[arg(
        long,
        value_enum,
        value_name = "LEVEL",
        default_value_t,
        help_heading = "Permits"
    )]
    sandbox: SandboxLevel,
}

impl VerifyArgs {
    pub(super) fn policy(&self) -> RunPolicy {
        RunPolicy {
            network: self.allow_network || self.network.is_some(),
            shell: self.allow_shell,
            approval: self.approve,
            disabled: self.include_disabled,
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
    /// Directory of their skills
    #[arg(value_name = "SKILLS")]
    pub(super) skills: PathBuf,
    /// Directory of the old host, whose modules plugins load [default: the one that PLUGINS is in]
    #[arg(long, value_name = "DIR")]
    pub(super) host: Option<PathBuf>,
    /// Format of the report
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub(super) format: Format,
}
