//! The command line of `skills-read`.

use std::path::PathBuf;

use clap::{Parser, ValueEnum};

use skills_cli::roots::RootArgs;

/// Read one skill as an agent does
///
/// Prints the instructions of SKILL, one of its resources, or a section of either. The text is
/// bounded, and a report says what was read and what was omitted. No path leads outside the skill,
/// except that a Gemini CLI prompt includes files of the current directory, and nothing is run.
#[derive(Debug, Parser)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
#[command(
    name = "skills-read",
    version,
    after_long_help = "Exit status:\n  0  the text was printed\n  1  the text was refused, or the section was not found\n  2  the read was not possible\n\nExamples:\n  skills-read weather-card --skills skills\n  skills-read weather-card --section Usage/Options --format json\n  skills-read weather-card --resource references/commands.md\n  skills-read review --arguments 'src/lib.rs fast'\n  skills-read --list\n  echo '<skill_request><skill_name>weather-card</skill_name></skill_request>' | skills-read --request -"
)]
pub struct Args {
    /// Name of the skill, or its directory if there is a / in it: ., skills/weather-card
    #[arg(value_name = "SKILL", required_unless_present_any = ["request", "list"])]
    pub(super) skill: Option<String>,
    /// File of the skill to read instead of its instructions
    #[arg(long, value_name = "PATH", requires = "skill")]
    pub(super) resource: Option<String>,
    /// Heading of the section to read: '## Usage', Usage, Usage/Options
    #[arg(long, value_name = "HEADING")]
    pub(super) section: Option<String>,
    /// Print the prompt as its host would send it in the current directory for the text that a user typed after its name
    #[arg(long, value_name = "TEXT", requires = "skill", allow_hyphen_values = true, conflicts_with_all = ["resource", "section", "cursor"])]
    pub(super) arguments: Option<String>,
    /// Print the instructions of the skills that it requires too, up to --max-chars together
    #[arg(long, requires = "skill", conflicts_with_all = ["resource", "section", "cursor"])]
    pub(super) with_required: bool,
    /// Continue where an earlier read ended
    #[arg(long, value_name = "CURSOR")]
    pub(super) cursor: Option<String>,
    /// Answer a request in the text protocol of docs/protocols.md; FILE is - for standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["skill", "list", "cursor", "section", "arguments"])]
    pub(super) request: Option<PathBuf>,
    /// Record the use in FILE, for skills-describe calibrate
    #[arg(long, value_name = "FILE")]
    pub(super) usage: Option<PathBuf>,
    /// List all skills instead
    #[arg(long, conflicts_with = "skill")]
    pub(super) list: bool,
    /// Directory of skills (can be repeated, the first skill of a name wins) [default: those of .agents/skills, skills and .claude/skills that exist]
    #[arg(long, value_name = "DIR", help_heading = "Skills")]
    pub(super) skills: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) roots: RootArgs,
    /// Refuse texts beyond a limit instead of printing a part of them
    #[arg(long, help_heading = "Limits")]
    pub(super) reject: bool,
    /// Maximum lines of instructions that are printed whole [default: 500]
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub(super) max_lines: Option<usize>,
    /// Maximum characters of instructions that are printed whole [default: 40000]
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub(super) max_chars: Option<usize>,
    /// Maximum characters of a resource, a section or a page [default: 12000]
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub(super) max_excerpt: Option<usize>,
    /// Maximum bytes of a file [default: 2000000]
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub(super) max_bytes: Option<u64>,
    /// Additional file extension that is read as text (can be repeated)
    #[arg(long = "type", value_name = "ENDING", help_heading = "Limits")]
    pub(super) types: Vec<String>,
    /// Read files with a second hard link, which may be outside the skill
    #[arg(long, help_heading = "Limits")]
    pub(super) allow_hard_links: bool,
    /// Format of the answer
    #[arg(
        long,
        value_enum,
        value_name = "FORMAT",
        default_value_t,
        help_heading = "Output"
    )]
    pub(super) format: Format,
    /// Template of the block: a file with fields such as {name} and {text}, see docs/protocols.md
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(super) template: Option<PathBuf>,
    /// Store the whole text in DIR, below .agent/runs/
    #[arg(long, value_name = "DIR", requires = "run_id", help_heading = "Output")]
    pub(super) storage: Option<PathBuf>,
    /// Name of the run that the text is stored for
    #[arg(long, value_name = "ID", requires = "storage", help_heading = "Output")]
    pub(super) run_id: Option<String>,
}

/// The format of the answer.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, ValueEnum)]
pub enum Format {
    /// The text alone; the report goes to standard error.
    #[default]
    Text,
    /// For programs: one object, with a version.
    Json,
    /// For prompts: header lines, then the text.
    Block,
}
