//! The command line of `skills-run`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Parser, Subcommand};
use skill_executor::call::{Approval, StateFrom};
use skill_executor::environment::guarded::allowable;
use skill_executor::intent::MIN_CONFIDENCE;
use skill_executor::module::ModuleFunction;
use skill_executor::sandbox::{Level, Sandbox};

use skills_cli::nats::NatsArgs;

/// Run a skill as its plugin ran
///
/// Prints one JSON object, the answer, and nothing else on standard output. SKILL is a directory,
/// or a name that is looked up exactly: of the skill, of the plugin that it was, of a command.
#[derive(Debug, Parser)]
#[command(
    name = "skills-run",
    version,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_long_help = "Exit status:\n  0  the answer is a value\n  1  the skill failed\n  2  it could not be run: wrong arguments, no such skill, no state directory\n\nExamples:\n  skills-run weather-card --input '{\"city\": \"Oslo\"}'\n  skills-run skills/weather-card --config weather.env --input - < arguments.json\n  skills-run result WeatherCard-17\n  skills-run refresh --watch"
)]
pub struct Args {
    #[command(subcommand)]
    pub(super) task: Option<Task>,
    /// Directory or name of the skill
    #[arg(value_name = "SKILL", required_unless_present_any = ["chain", "intent"])]
    pub(super) skill: Option<String>,
    #[command(flatten)]
    pub(super) intent: IntentArgs,
    #[command(flatten)]
    pub(super) chain: ChainArgs,
    #[command(flatten)]
    pub(super) call: CallArgs,
    #[command(flatten)]
    pub(super) permits: Permits,
    #[command(flatten)]
    pub(super) world: World,
    #[command(flatten)]
    pub(super) remote: Remote,
}

/// Where else it may run.
#[derive(Debug, clap::Args)]
pub(super) struct Remote {
    /// Run the skill of this name on another machine, through this NATS server. Skills of type
    /// distributed find it in `SKILLS_NATS_URL` as well
    #[arg(long, value_name = "URL", help_heading = "Other machines")]
    pub(super) nats: Option<String>,
    /// Id of the call: a second one with the same id gets the answer of the first
    #[arg(
        long,
        value_name = "ID",
        requires = "nats",
        help_heading = "Other machines"
    )]
    pub(super) call_id: Option<String>,
    /// Node whose skill is meant where two nodes differ (can be repeated)
    #[arg(
        long,
        value_name = "NODE",
        requires = "nats",
        help_heading = "Other machines"
    )]
    pub(super) prefer: Vec<String>,
    #[command(flatten)]
    pub(super) login: NatsArgs,
}

/// Preprocessors, one after the other.
#[derive(Debug, clap::Args)]
pub(super) struct ChainArgs {
    /// Send messages through these skills instead of one; directories with colons between them
    #[arg(long, value_name = "DIRS", conflicts_with_all = ["skill", "command"])]
    pub(super) chain: Option<String>,
    /// Order of the skills of --chain: a JSON file with a list of names; an empty path for none
    #[arg(long, value_name = "FILE", requires = "chain")]
    pub(super) order: Option<OsString>,
}

/// What is called, and with what.
#[derive(Debug, clap::Args)]
pub(super) struct CallArgs {
    /// Command of the skill
    #[arg(long, value_name = "ID")]
    pub(super) command: Option<String>,
    /// Arguments as JSON; - for standard input, @FILE for a file
    #[arg(long, value_name = "JSON", allow_hyphen_values = true)]
    pub(super) input: Option<String>,
    /// Further wishes as JSON, see docs/running.md
    #[arg(long, value_name = "JSON")]
    pub(super) options: Option<String>,
    /// How the skill is meant to be called: needed only where the shape of the input does not say
    #[arg(long, value_enum, value_name = "MODE")]
    pub(super) mode: Option<Mode>,
    /// Record the use in FILE, for skills-describe calibrate
    #[arg(long, value_name = "FILE")]
    pub(super) usage: Option<PathBuf>,
    /// Time limit in milliseconds instead of the skill's
    #[arg(long, value_name = "MS")]
    pub(super) timeout: Option<u64>,
    /// Wait so many milliseconds for the result of an asynchronous skill
    #[arg(long, value_name = "MS", num_args = 0..=1, default_missing_value = "1800000")]
    pub(super) wait: Option<u64>,
    /// Which file counts where the skill and its copy in the state both changed [default: the
    /// copy, with a warning]
    #[arg(long, value_enum, value_name = "SIDE")]
    pub(super) state_from: Option<Side>,
    /// Print the answer as JSON, which is the only form; for symmetry with the other tools
    #[arg(long)]
    pub(super) json: bool,
}

/// The two sides of a file that was copied into the state.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub(super) enum Side {
    /// The skill's file; that of the copy is renamed
    Skill,
    /// The copy's file, without a warning until the skill's changes again
    Copy,
}

impl From<Side> for StateFrom {
    fn from(side: Side) -> Self {
        match side {
            Side::Skill => Self::Skill,
            Side::Copy => Self::Copy,
        }
    }
}

/// The ways in which the old host called plugins.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub(super) enum Mode {
    /// A program, with arguments
    Stdio,
    /// A program that answers first and goes on
    Async,
    /// A program that computes placeholders
    Static,
    /// A module, with messages
    Preprocessor,
    /// A module, with arguments
    DirectTool,
    /// A module, with requests
    Service,
}

impl Mode {
    /// The function of a module that is meant; a service that is sent arguments is called as a tool.
    pub(super) fn function(self, input: &serde_json::Value) -> Option<ModuleFunction> {
        match self {
            Self::Stdio | Self::Async | Self::Static => None,
            Self::Preprocessor => Some(ModuleFunction::Messages),
            Self::DirectTool => Some(ModuleFunction::Tool),
            Self::Service => input.is_array().then_some(ModuleFunction::Requests),
        }
    }
}

/// What is allowed.
#[derive(Debug, clap::Args)]
pub(super) struct Permits {
    /// Refuse arguments that do not fit the schema instead of warning
    #[arg(long)]
    pub(super) strict: bool,
    /// Approve this call of a skill that asks for approval
    #[arg(long)]
    pub(super) approve: bool,
    /// Run command lines that only a shell can read
    #[arg(long)]
    pub(super) allow_shell: bool,
    /// Give skills that declare it the variable NAME of your environment, though it may hold a
    /// secret (can be repeated)
    #[arg(long, value_name = "NAME", value_parser = allowable)]
    pub(super) allow_env: Vec<String>,
    /// File in which the old host kept the administrator's code (Plugin/UserAuth/code.bin); the
    /// environment variable `DECRYPTED_AUTH_CODE` wins
    #[arg(long, value_name = "FILE")]
    pub(super) auth_code_file: Option<PathBuf>,
    /// Walls around the skill's program: as many as this machine has (auto, partial), all (full), none
    #[arg(long, value_enum, value_name = "LEVEL", default_value_t)]
    pub(super) sandbox: Walls,
}

impl Permits {
    /// Returns the approval that every call has.
    pub(super) fn approval(&self) -> Approval {
        if self.approve {
            Approval::Granted
        } else {
            Approval::Missing
        }
    }
}

/// How a skill's program is confined.
#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
pub enum Walls {
    /// As many walls as this machine has; without any, nothing runs
    #[default]
    Auto,
    /// The same
    Partial,
    /// Nothing runs unless all walls stand
    Full,
    /// No walls: the program reaches what you reach
    None,
}

impl Walls {
    /// Returns the sandbox of this level.
    pub fn sandbox(self) -> Sandbox {
        match self {
            Self::Auto | Self::Partial => Sandbox::at_least(Level::Partial),
            Self::Full => Sandbox::at_least(Level::Full),
            Self::None => Sandbox::off(),
        }
    }
}

/// Whatever skill fits, instead of a named one.
#[derive(Debug, clap::Args)]
pub(super) struct IntentArgs {
    /// Run the skill that fits this request, if one surely does; what was chosen stands in meta.intent
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["skill", "chain", "nats"])]
    pub(super) intent: Option<String>,
    /// Confidence below which --intent runs nothing, 0 to 1
    #[arg(long, value_name = "X", default_value_t = MIN_CONFIDENCE)]
    pub(super) min_confidence: f64,
}

/// Where things are.
#[derive(Debug, clap::Args)]
pub(super) struct World {
    /// Configuration of the skill: a config.env
    #[arg(long, value_name = "FILE", global = true)]
    pub(super) config: Option<PathBuf>,
    /// Directory of skills (can be repeated) [default: .agents/skills, skills and .claude/skills, as far as they exist]
    #[arg(long, value_name = "DIR", global = true)]
    pub(super) skills: Vec<PathBuf>,
    /// Directory for state, results and metrics [default: skills-run in the user's directory for state]
    #[arg(long, value_name = "DIR", global = true)]
    pub(super) state: Option<PathBuf>,
}

/// What else the tool does.
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
    /// Once, and one object of answers by skill; with --watch again and again by their cron texts,
    /// one answer a line.
    Refresh {
        /// Name of a static skill (can be repeated) [default: all]
        #[arg(value_name = "SKILL")]
        names: Vec<String>,
        /// Go on for so many milliseconds, or without a number until stopped
        #[arg(long, value_name = "MS", num_args = 0..=1, default_missing_value = "0")]
        watch: Option<u64>,
    },
    /// Approve a skill as it is now, shell line and all
    Approve {
        /// Directory or name of the skill
        #[arg(value_name = "SKILL")]
        skill: String,
        /// Take the approval back
        #[arg(long)]
        revoke: bool,
    },
    /// List the skills that living nodes offer, or bring a directory to them
    ///
    /// With --mirror, DIR becomes a directory of skills for every tool: their instructions can be
    /// read and searched, and a call goes to a node. Give it after your own, whose names win.
    Nodes {
        /// The NATS server
        #[arg(long, value_name = "URL", env = "SKILLS_NATS_URL")]
        nats: String,
        /// Directory of skills to write
        #[arg(long, value_name = "DIR")]
        mirror: Option<PathBuf>,
        /// First make what nodes keep on the server, where they may not do that themselves
        #[arg(long)]
        prepare: bool,
        /// Node whose skill is meant where two nodes differ (can be repeated)
        #[arg(long, value_name = "NODE")]
        prefer: Vec<String>,
        #[command(flatten)]
        login: NatsArgs,
    },
    /// Print how often each skill ran, failed, and how long it took
    Stats,
}
