//! The command line of `skills-run`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{Parser, Subcommand};
use emulated_runs::keep::can_ask;
use emulated_runs::{Network, NetworkKind};
use skill_executor::call::{Approval, StateFrom};
use skill_executor::environment::guarded::allowable;
use skill_executor::intent::MIN_CONFIDENCE;
use skill_executor::module::CallKind;
use skill_executor::sandbox::{Level, Sandbox};

use skills_cli::nats::NatsArgs;

/// Run a skill as its plugin ran
///
/// Prints one JSON object, the answer, and nothing else on standard output; on a terminal, the text of
/// the answer. SKILL is a directory or an exact name: of the skill, of its plugin, or of a tool of
/// ApexBridge.
#[derive(Debug, Parser)]
#[command(
    name = "skills-run",
    version,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    arg_required_else_help = true,
    after_long_help = "Exit status:\n  0  the answer is a value\n  1  the skill failed\n  2  the run was not possible: wrong arguments, no such skill, no state directory\n\nExamples:\n  skills-run weather-card --input '{\"city\": \"Oslo\"}'\n  skills-run skills/weather-card --config weather.env --input - < arguments.json\n  skills-run result WeatherCard-17\n  skills-run refresh --watch"
)]
pub struct Args {
    #[command(subcommand)]
    pub(super) task: Option<Task>,
    /// Directory or name of the skill
    #[arg(value_name = "SKILL", required_unless_present_any = ["chain", "intent"])]
    pub(super) skill: Option<String>,
    /// Directory of recordings, for --network record and replay
    #[arg(value_name = "CASSETTES")]
    pub(super) cassettes: Option<PathBuf>,
    #[command(flatten)]
    pub(super) call: CallArgs,
    #[command(flatten, next_help_heading = "Permissions")]
    pub(super) permissions: PermissionArgs,
    #[command(flatten, next_help_heading = "Network")]
    pub(super) network: NetworkArgs,
    #[command(flatten, next_help_heading = "Files")]
    pub(super) locations: Locations,
    #[command(flatten, next_help_heading = "Choice by request")]
    pub(super) intent: IntentArgs,
    #[command(flatten, next_help_heading = "Chains")]
    pub(super) chain: ChainArgs,
    #[command(flatten, next_help_heading = "Other machines")]
    pub(super) remote: RemoteArgs,
}

/// The machine on which the skill runs.
#[derive(Debug, clap::Args)]
pub(super) struct RemoteArgs {
    /// Run the skill of this name on another machine through this NATS server. Skills of type
    /// distributed also use the server in `SKILLS_NATS_URL`
    #[arg(long, value_name = "URL")]
    pub(super) nats: Option<String>,
    /// Id of the call: a second call with the same id gets the answer of the first
    #[arg(long, value_name = "ID", requires = "nats")]
    pub(super) call_id: Option<String>,
    /// Node that wins if nodes offer different skills of one name (can be repeated)
    #[arg(long, value_name = "NODE", requires = "nats")]
    pub(super) prefer: Vec<String>,
    #[command(flatten)]
    pub(super) login: NatsArgs,
}

/// A chain of preprocessors.
#[derive(Debug, clap::Args)]
pub(super) struct ChainArgs {
    /// Send messages through these skills instead of one: directories, separated by colons
    #[arg(long, value_name = "DIRS", conflicts_with_all = ["skill", "command"])]
    pub(super) chain: Option<String>,
    /// Order of the skills of --chain: a JSON file with a list of names; an empty path for none
    #[arg(long, value_name = "FILE", requires = "chain")]
    pub(super) order: Option<OsString>,
}

/// The call.
#[derive(Debug, clap::Args)]
pub(super) struct CallArgs {
    /// Command of the skill
    #[arg(long, value_name = "ID")]
    pub(super) command: Option<String>,
    /// Arguments as JSON; - for standard input, @FILE for a file
    #[arg(long, value_name = "JSON", allow_hyphen_values = true)]
    pub(super) input: Option<String>,
    /// Additional options as JSON, see docs/running.md
    #[arg(long, value_name = "JSON")]
    pub(super) options: Option<String>,
    /// Kind of call, needed only if the input does not determine it: stdio, async, static, preprocessor,
    /// direct-tool or service
    #[arg(long, value_name = "MODE")]
    pub(super) mode: Option<CallKind>,
    /// Record the use in FILE, for skills-describe calibrate
    #[arg(long, value_name = "FILE")]
    pub(super) usage: Option<PathBuf>,
    /// Time limit in milliseconds, instead of that of the skill
    #[arg(long, value_name = "MS")]
    pub(super) timeout: Option<u64>,
    /// Maximum time in milliseconds to wait for the result of an asynchronous skill
    #[arg(long, value_name = "MS", num_args = 0..=1, default_missing_value = "1800000")]
    pub(super) wait: Option<u64>,
    /// File that wins if the skill and its copy in the state both changed: skill (the copy is renamed) or
    /// copy [default: the copy, with a warning]
    #[arg(long, value_name = "SIDE")]
    pub(super) state_from: Option<StateFrom>,
    /// First install the npm and Python packages that the skill requires
    #[arg(long)]
    pub(super) prepare: bool,
    /// Print the HTTP request of the call as one JSON object, and send nothing; secrets are masked
    #[arg(long, conflicts_with_all = ["chain", "nats"])]
    pub(super) dry_run: bool,
    /// Print the answer as JSON on a terminal too
    #[arg(long)]
    pub(super) json: bool,
}

/// Permissions of the call.
#[derive(Debug, clap::Args)]
pub(super) struct PermissionArgs {
    /// Refuse arguments that do not match the schema, instead of warning
    #[arg(long)]
    pub(super) strict: bool,
    /// Approve this call of a skill that asks for approval
    #[arg(long)]
    pub(super) approve: bool,
    /// Run command lines that only a shell can read
    #[arg(long)]
    pub(super) allow_shell: bool,
    /// Give skills that declare it the variable NAME of your environment, even if it may contain a
    /// secret (can be repeated)
    #[arg(long, value_name = "NAME", value_parser = allowable)]
    pub(super) allow_env: Vec<String>,
    /// File in which the old host kept the administrator's code (Plugin/UserAuth/code.bin); the
    /// environment variable `DECRYPTED_AUTH_CODE` wins
    #[arg(long, value_name = "FILE")]
    pub(super) auth_code_file: Option<PathBuf>,
    /// Confinement of the skill's program: what this machine can do (auto, partial), all restrictions
    /// (full), none, or the sandbox of macOS (seatbelt, experimental)
    #[arg(long, value_enum, value_name = "LEVEL", default_value_t)]
    pub(super) sandbox: SandboxLevel,
}

impl PermissionArgs {
    /// Returns the approval that every call has.
    pub(super) fn approval(&self) -> Approval {
        if self.approve {
            Approval::Granted
        } else {
            Approval::Missing
        }
    }
}

/// A network in place of the one that the skill may use.
#[derive(Debug, clap::Args)]
pub(super) struct NetworkArgs {
    /// Network of the skill: one that this tool emulates (no keys, nothing leaves the machine), the real
    /// one, recorded in CASSETTES, or a replay of CASSETTES
    #[arg(long, value_name = "emulate|record|replay")]
    pub(super) network: Option<NetworkKind>,
    /// Directory of answers that the emulated network gives first (docs/proof.md)
    #[arg(long, value_name = "DIR", requires = "network")]
    pub(super) answers: Option<PathBuf>,
    /// Keep what was recorded without a question
    #[arg(long, requires = "network")]
    pub(super) yes: bool,
}

impl NetworkArgs {
    /// Returns the network in place of the real one.
    pub(super) fn network(&self, cassettes: Option<&Path>) -> anyhow::Result<Option<Network>> {
        let Some(kind) = self.network else {
            return skill_executor::target::no_second_word(cassettes).map_err(anyhow::Error::msg);
        };
        let network = Network::new(kind, cassettes, self.answers.as_deref(), can_ask(self.yes));
        Ok(Some(network?))
    }
}

/// The confinement of a skill's program.
#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
pub enum SandboxLevel {
    /// All restrictions that this machine can apply; without any, nothing runs
    #[default]
    Auto,
    /// The same as auto
    Partial,
    /// Nothing runs unless all restrictions apply
    Full,
    /// No restrictions: the program can access what you can access
    None,
    /// The sandbox of macOS; experimental, never run on macOS by its authors
    Seatbelt,
}

impl SandboxLevel {
    /// Returns the sandbox of this level.
    pub fn sandbox(self) -> Sandbox {
        match self {
            Self::Auto | Self::Partial => Sandbox::at_least(Level::Partial),
            Self::Full => Sandbox::at_least(Level::Full),
            Self::None => Sandbox::off(),
            Self::Seatbelt => Sandbox::seatbelt(),
        }
    }
}

/// A skill that fits a request, instead of a named one.
#[derive(Debug, clap::Args)]
pub(super) struct IntentArgs {
    /// Run the skill that fits this request, if the confidence is high enough; meta.intent names it
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["skill", "chain", "nats"])]
    pub(super) intent: Option<String>,
    /// Minimum confidence of --intent, 0 to 1
    #[arg(long, value_name = "X", default_value_t = MIN_CONFIDENCE)]
    pub(super) min_confidence: f64,
}

/// Files and directories.
#[derive(Debug, clap::Args)]
pub(super) struct Locations {
    /// Configuration of the skill: a config.env
    #[arg(long, value_name = "FILE", global = true)]
    pub(super) config: Option<PathBuf>,
    /// Directory of skills (can be repeated) [default: those of .agents/skills, skills and .claude/skills that exist]
    #[arg(long, value_name = "DIR", global = true)]
    pub(super) skills: Vec<PathBuf>,
    /// Directory for state, results and metrics [default: skills-run in the user's state directory]
    #[arg(long, value_name = "DIR", global = true)]
    pub(super) state: Option<PathBuf>,
}

/// Subcommands.
#[derive(Debug, Subcommand)]
pub(super) enum Task {
    /// Print the result of an asynchronous skill
    Result {
        /// Name of the plugin and id of the task, with a dash between them
        #[arg(value_name = "ID")]
        id: String,
    },
    /// Compute the values of static skills
    ///
    /// Runs once and prints one object with an answer for each skill. With --watch, runs by the cron
    /// expressions of the skills and prints one answer per line.
    Refresh {
        /// Name of a static skill (can be repeated) [default: all]
        #[arg(value_name = "SKILL")]
        names: Vec<String>,
        /// Continue for so many milliseconds, or without a number until stopped
        #[arg(long, value_name = "MS", num_args = 0..=1, default_missing_value = "0")]
        watch: Option<u64>,
    },
    /// Approve a skill in its present state, including its shell line
    Approve {
        /// Directory or name of the skill
        #[arg(value_name = "SKILL")]
        skill: String,
        /// Withdraw the approval
        #[arg(long)]
        revoke: bool,
    },
    /// Ask MCP servers for their tools and write them into their skills (skills-migrate introspect)
    #[command(override_usage = "skills-migrate introspect [OPTIONS] <SKILLS>...")]
    Introspect {
        /// Directory or name of a skill, or a directory of skills (can be repeated)
        #[arg(value_name = "SKILLS", required = true)]
        names: Vec<String>,
        /// Show the tools and what would change, and write nothing
        #[arg(long)]
        dry_run: bool,
    },
    /// List the skills that living nodes offer, or mirror them into a directory
    ///
    /// With --mirror, DIR becomes a directory of skills for every tool: their instructions can be read
    /// and searched, and calls go to a node. Name it after your own directories, whose skills win.
    Nodes {
        /// NATS server
        #[arg(long, value_name = "URL", env = "SKILLS_NATS_URL")]
        nats: String,
        /// Directory of skills to write
        #[arg(long, value_name = "DIR")]
        mirror: Option<PathBuf>,
        /// First create the buckets that nodes need on the server, if nodes may not do that themselves
        #[arg(long)]
        prepare: bool,
        /// Node that wins if nodes offer different skills of one name (can be repeated)
        #[arg(long, value_name = "NODE")]
        prefer: Vec<String>,
        #[command(flatten)]
        login: NatsArgs,
    },
    /// Install the npm and Python packages that skills require
    ///
    /// Skills with equal requirements share one environment in the state directory, and equal files
    /// are stored once; the directories of skills are not changed. A package that cannot be installed
    /// does not keep the others from being installed: the report names it, and the exit status is 1 if
    /// a skill cannot do without it.
    Prepare(PrepareArgs),
    /// Show the settings of skills, or store values for them
    ///
    /// Prints the keys that a skill wants, and where their values come from; never a value. Values that
    /// are stored are in the state directory of the user, and only the skill that they are stored for
    /// gets them.
    Configure(ConfigureArgs),
    /// Remove installed packages that no skill uses, and files of long answers
    Prune,
    /// Print how often each skill ran, failed, and how long it took
    Stats,
}

/// The arguments of `prepare`.
#[derive(Debug, clap::Args)]
pub(super) struct PrepareArgs {
    /// Directory or name of a skill (can be repeated) [default: all]
    #[arg(value_name = "SKILL")]
    pub(super) names: Vec<String>,
    /// Run the install script of the package NAME or build it from source; NAME@ADDRESS: install it from there; NAME@ADDRESS#DIGEST: run the script of this content of it (can be repeated)
    #[arg(long, value_name = "NAME")]
    pub(super) allow_scripts: Vec<String>,
    /// Print lines for a shell, after which the commands in SKILL.md find the packages: sh or powershell
    #[arg(long, value_name = "SHELL", num_args = 0..=1, require_equals = true, default_missing_value = "sh", requires = "names")]
    pub(super) export: Option<skill_executor::prepare::Shell>,
}

/// The arguments of `configure`.
#[derive(Debug, clap::Args)]
pub(super) struct ConfigureArgs {
    /// Directory or name of a skill [default: all], and values to store for it; the value - is read from
    /// standard input
    #[arg(value_name = "SKILL|KEY=VALUE")]
    pub(super) words: Vec<String>,
    /// Store the values in PATH: a config.env, the directory of an old host, or another state directory
    #[arg(long, value_name = "PATH")]
    pub(super) from: Option<PathBuf>,
    /// Remove the stored value of KEY (can be repeated)
    #[arg(long, value_name = "KEY")]
    pub(super) unset: Vec<String>,
    /// Switch on a skill whose plugin was switched off; with =false switch it off again
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub(super) enable: Option<bool>,
    /// Format of the keys
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = ["text", "json"])]
    pub(super) format: String,
}
