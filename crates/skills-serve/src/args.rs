//! The command line of `skills-serve`.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{ArgAction, Parser, ValueEnum};
use skill_executor::environment::guarded::allowable;

use skills_cli::roots::RootArgs;
use skills_run::SandboxLevel;

/// Serve skills to agents over MCP
///
/// Any MCP client gets the skills: as tools, as prompts, as resources and through the Skills
/// extension. Changes on the disk are noticed. A skill is run only if its name is allowed.
/// docs/clients.md shows the configuration of common agents.
#[derive(Debug, Parser)]
#[command(
    name = "skills-serve",
    version,
    after_long_help = "Exit status:\n  0  the client disconnected, or a signal stopped the server\n  2  the server could not start\n\nExamples:\n  skills-serve skills --stdio\n  skills-serve skills --http 127.0.0.1:8080\n  skills-serve --instructions --tool-names pascal\n  skills-serve skills --nats nats://10.0.0.1:4222 --node lab-1 --allow-run 'weather-*'"
)]
#[expect(clippy::struct_excessive_bools, reason = "one for each switch")]
pub struct Args {
    /// Directories of skills, the first skill of a name wins [default: those of .agents/skills, skills and .claude/skills that exist]
    #[arg(value_name = "SKILLS_DIR")]
    pub(super) skills: Vec<PathBuf>,
    /// Serve one agent over standard input and output (the default)
    #[arg(long, conflicts_with = "http")]
    pub(super) stdio: bool,
    /// Serve many agents over HTTP at this address, such as 127.0.0.1:8080, or at this port of 127.0.0.1; port 0 means any free port
    #[arg(long, value_name = "ADDR", value_parser = skill_mcp::http::parse_address)]
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
    /// Name of this node
    #[arg(
        long,
        value_name = "NAME",
        requires = "nats",
        help_heading = "Other machines"
    )]
    pub(super) node: Option<String>,
    /// Skills that may be run again if their node was lost (can be repeated)
    #[arg(
        long,
        value_name = "GLOB",
        requires = "nats",
        help_heading = "Other machines"
    )]
    pub(super) idempotent: Vec<String>,
    /// Maximum number of calls at a time [default: two for each processor]
    #[arg(
        long,
        value_name = "N",
        requires = "nats",
        help_heading = "Other machines"
    )]
    pub(super) slots: Option<usize>,
    #[command(flatten)]
    pub(super) roots: RootArgs,
    /// Interval in seconds at which the directories are checked for changes
    #[arg(
        long,
        value_name = "SECONDS",
        default_value_t = 2.0,
        help_heading = "Skills"
    )]
    pub(super) recheck: f64,
    /// Allow running the skills whose names match GLOB (can be repeated)
    #[arg(long, value_name = "GLOB", help_heading = "Tools")]
    pub(super) allow_run: Vec<String>,
    /// First install the npm and Python packages of the skills of the project that are run
    #[arg(long, requires = "allow_run", help_heading = "Tools")]
    pub(super) prepare: bool,
    /// Keep results and state of skills that are run in DIR [default: that of skills-run]
    #[arg(long, value_name = "DIR", help_heading = "Tools")]
    pub(super) state: Option<PathBuf>,
    /// Configuration of skills that are run, as key=value lines
    #[arg(
        long,
        value_name = "FILE",
        requires = "allow_run",
        help_heading = "Tools"
    )]
    pub(super) config: Option<PathBuf>,
    /// Give skills that declare it the variable NAME of the server's environment, even if it may
    /// contain a secret (can be repeated)
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
    /// Start the processes of the N most used skills that have one, as counted by skills-run stats
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
    /// Confinement of the programs of skills: what this machine can do (auto, partial), all
    /// restrictions (full), none, or the sandbox of macOS (seatbelt, experimental)
    #[arg(
        long,
        value_enum,
        value_name = "LEVEL",
        default_value_t,
        help_heading = "Tools"
    )]
    pub(super) sandbox: SandboxLevel,
    /// Tools that a client lists: meta (the commands of a skill once it was read), commands, or both
    #[arg(
        long,
        value_name = "SET",
        default_value = "meta",
        help_heading = "Tools"
    )]
    pub(super) tools: skill_mcp::ToolSet,
    /// Other names for the tools: pascal, or TOOL=NAME, separated by commas
    #[arg(long, value_name = "NAMES", default_value = "", help_heading = "Tools")]
    pub(super) tool_names: String,
    /// Instructions in the catalog, which is a prompt and the text of --instructions
    #[arg(
        long,
        value_enum,
        value_name = "MODE",
        default_value_t,
        help_heading = "Tools"
    )]
    pub(super) mode: ModeArg,
    /// Include the catalog in the server's instructions
    #[arg(long, help_heading = "Tools")]
    pub(super) instructions: bool,
    /// Maximum number of active skills in a session
    #[arg(long, value_name = "N", default_value_t = 32, help_heading = "Tools")]
    pub(super) max_active: usize,
    /// File with a secret of at least 16 characters that clients must send as a bearer token
    #[arg(long, value_name = "FILE", requires = "http", help_heading = "HTTP")]
    pub(super) token_file: Option<PathBuf>,
    /// Additional host name that requests may be addressed to (can be repeated)
    #[arg(long, value_name = "HOST", requires = "http", help_heading = "HTTP")]
    pub(super) allow_host: Vec<String>,
    /// Origin, with its scheme, whose pages may send requests (can be repeated)
    #[arg(long, value_name = "ORIGIN", requires = "http", help_heading = "HTTP")]
    pub(super) allow_origin: Vec<String>,
    /// Maximum requests per second of one client, on average
    #[arg(long, value_name = "N", requires = "http", help_heading = "HTTP")]
    pub(super) max_rate: Option<f64>,
    /// Maximum number of sessions at a time
    #[arg(long, value_name = "N", requires = "http", help_heading = "HTTP")]
    pub(super) max_sessions: Option<usize>,
    /// Log more on standard error: -v events, -vv every request
    #[arg(short, long, action = ArgAction::Count, help_heading = "Output")]
    pub(super) verbose: u8,
    /// Format of the log
    #[arg(
        long,
        value_enum,
        value_name = "FORMAT",
        default_value_t,
        help_heading = "Output"
    )]
    pub(super) log_format: LogFormat,
}

/// The instructions in the catalog.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, ValueEnum)]
pub enum ModeArg {
    /// None: the agent reads what it needs.
    #[default]
    Progressive,
    /// Those of all skills that fit into the budget.
    Eager,
    /// Those of skills of high priority.
    Hybrid,
}

/// The format of the log.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, ValueEnum)]
pub enum LogFormat {
    /// A line for each event.
    #[default]
    Text,
    /// A JSON object for each event.
    Json,
}
