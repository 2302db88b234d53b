//! The command line of `skills-serve`.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{ArgAction, Parser, ValueEnum};
use skill_executor::environment::guarded::allowable;

use skills_cli::roots::RootArgs;
use skills_run::Walls;

/// Serve skills to agents over MCP
///
/// Any MCP client gets the skills: as tools, as prompts, as resources and through the Skills
/// extension. Changes are noticed. Nothing is run unless it is allowed by name.
/// docs/clients.md shows the configuration of common agents.
#[derive(Debug, Parser)]
#[command(
    name = "skills-serve",
    version,
    after_long_help = "Exit status:\n  0  the client has gone, or the server was told to stop\n  2  the server could not start\n\nExamples:\n  skills-serve skills --stdio\n  skills-serve skills --http 127.0.0.1:8080\n  skills-serve --instructions --tool-names pascal\n  skills-serve skills --nats nats://10.0.0.1:4222 --node lab-1 --allow-run 'weather-*'"
)]
pub struct Args {
    /// Directories of skills; the first of a name wins [default: .agents/skills, skills and .claude/skills, as far as they exist]
    #[arg(value_name = "SKILLS_DIR")]
    pub(super) skills: Vec<PathBuf>,
    /// Serve one agent over standard input and output; this is the default
    #[arg(long, conflicts_with = "http")]
    pub(super) stdio: bool,
    /// Serve many agents over HTTP: 127.0.0.1:8080, port 0 takes any that is free
    #[arg(long, value_name = "ADDR")]
    pub(super) http: Option<SocketAddr>,
    /// Offer the skills of --allow-run to other machines through this NATS server, instead of
    /// serving agents
    #[arg(
        long,
        value_name = "URL",
        conflicts_with_all = ["stdio", "http", "nodes"],
        requires_all = ["node", "allow_run"],
        help_heading = "Other machines"
    )]
    pub(super) nats: Option<String>,
    /// Name of this node there
    #[arg(
        long,
        value_name = "NAME",
        requires = "nats",
        help_heading = "Other machines"
    )]
    pub(super) node: Option<String>,
    /// Skills that may be run again when their node was lost (can be repeated)
    #[arg(
        long,
        value_name = "GLOB",
        requires = "nats",
        help_heading = "Other machines"
    )]
    pub(super) idempotent: Vec<String>,
    /// Calls that run at a time [default: two for each processor]
    #[arg(
        long,
        value_name = "N",
        requires = "nats",
        help_heading = "Other machines"
    )]
    pub(super) slots: Option<usize>,
    #[command(flatten)]
    pub(super) roots: RootArgs,
    /// Seconds after which the directories are looked at again
    #[arg(
        long,
        value_name = "SECONDS",
        default_value_t = 2.0,
        help_heading = "Skills"
    )]
    pub(super) recheck: f64,
    /// Allow running the skills whose names fit GLOB (can be repeated)
    #[arg(long, value_name = "GLOB", help_heading = "Tools")]
    pub(super) allow_run: Vec<String>,
    /// Keep results and state of skills that are run in DIR [default: as skills-run]
    #[arg(
        long,
        value_name = "DIR",
        requires = "allow_run",
        help_heading = "Tools"
    )]
    pub(super) state: Option<PathBuf>,
    /// Configuration of skills that are run, as key=value lines
    #[arg(
        long,
        value_name = "FILE",
        requires = "allow_run",
        help_heading = "Tools"
    )]
    pub(super) config: Option<PathBuf>,
    /// Give skills that declare it the variable NAME of the server's environment, though it may
    /// hold a secret (can be repeated)
    #[arg(
        long,
        value_name = "NAME",
        value_parser = allowable,
        requires = "allow_run",
        help_heading = "Tools"
    )]
    pub(super) allow_env: Vec<String>,
    /// File in which the old host kept the administrator's code (Plugin/UserAuth/code.bin), for
    /// skills that need it; the environment variable `DECRYPTED_AUTH_CODE` wins
    #[arg(
        long,
        value_name = "FILE",
        requires = "allow_run",
        help_heading = "Tools"
    )]
    pub(super) auth_code_file: Option<PathBuf>,
    /// Start the processes of the N most used skills that keep one, as skills-run stats counts
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        requires = "allow_run",
        help_heading = "Tools"
    )]
    pub(super) preload: usize,
    /// Run skills whose command line needs a shell
    #[arg(long, requires = "allow_run", help_heading = "Tools")]
    pub(super) allow_shell: bool,
    /// Walls around the programs of skills: as many as this machine has (auto, partial), all (full), none
    #[arg(
        long,
        value_enum,
        value_name = "LEVEL",
        default_value_t,
        help_heading = "Tools"
    )]
    pub(super) sandbox: Walls,
    /// Other names for the tools: pascal, or TOOL=NAME, separated by commas
    #[arg(long, value_name = "NAMES", default_value = "", help_heading = "Tools")]
    pub(super) tool_names: String,
    /// Which instructions stand in the catalogue, as a prompt or with --instructions
    #[arg(
        long,
        value_enum,
        value_name = "MODE",
        default_value_t,
        help_heading = "Tools"
    )]
    pub(super) mode: ModeArg,
    /// Put the catalogue into the server's instructions
    #[arg(long, help_heading = "Tools")]
    pub(super) instructions: bool,
    /// Skills that a session holds active
    #[arg(long, value_name = "N", default_value_t = 32, help_heading = "Tools")]
    pub(super) max_active: usize,
    /// File with a secret of at least 16 characters that clients must send as bearer token
    #[arg(long, value_name = "FILE", requires = "http", help_heading = "HTTP")]
    pub(super) token_file: Option<PathBuf>,
    /// Host that requests may be addressed to besides this machine (can be repeated)
    #[arg(long, value_name = "HOST", requires = "http", help_heading = "HTTP")]
    pub(super) allow_host: Vec<String>,
    /// Origin whose pages may ask, with its scheme (can be repeated)
    #[arg(long, value_name = "ORIGIN", requires = "http", help_heading = "HTTP")]
    pub(super) allow_origin: Vec<String>,
    /// Requests a second of one client, over a long time
    #[arg(long, value_name = "N", requires = "http", help_heading = "HTTP")]
    pub(super) max_rate: Option<f64>,
    /// Sessions at a time
    #[arg(long, value_name = "N", requires = "http", help_heading = "HTTP")]
    pub(super) max_sessions: Option<usize>,
    /// Say more on standard error: -v what happens, -vv every request
    #[arg(short, long, action = ArgAction::Count, help_heading = "Output")]
    pub(super) verbose: u8,
    /// Form of the log
    #[arg(
        long,
        value_enum,
        value_name = "FORMAT",
        default_value_t,
        help_heading = "Output"
    )]
    pub(super) log_format: LogFormat,
}

/// Which instructions stand in the catalogue.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, ValueEnum)]
pub enum ModeArg {
    /// None: an agent reads what it needs.
    #[default]
    Progressive,
    /// Those of every skill, as far as the budget goes.
    Eager,
    /// Those of skills of high priority.
    Hybrid,
}

/// Form of the log.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, ValueEnum)]
pub enum LogFormat {
    /// A line for each event.
    #[default]
    Text,
    /// A JSON object for each event.
    Json,
}
