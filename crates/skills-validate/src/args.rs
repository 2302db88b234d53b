//! The command line of `skills-validate`.

use std::path::PathBuf;

use clap::{Parser, ValueEnum};

use skills_cli::output::ColorChoice;

/// Check Agent Skills
///
/// Finds every skill below PATH (a directory that holds SKILL.md), checks it against the
/// specification, for quality, for safety and against METADATA.yml and skills.lock, and reports
/// every finding with its place. Nothing is run and, without --fix, nothing is written.
#[derive(Debug, Parser)]
#[command(
    name = "skills-validate",
    version,
    after_long_help = "Exit status:\n  0  no error was found\n  1  an error was found (with --strict: or a warning)\n  2  the check was not possible\n\nExamples:\n  skills-validate skills/\n  skills-validate skills/ --profile claude-code --format github\n  skills-validate . --changed-since origin/main\n  skills-validate skills/ --fix --dry-run\n  skills-validate --list-rules"
)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "one for each switch of the command line"
)]
pub struct Args {
    /// Directory of skills, one skill, or its SKILL.md
    #[arg(value_name = "PATH", default_value = ".")]
    pub(super) path: PathBuf,
    /// Profile: the reading of the specification that applies [default: spec]
    #[arg(long, value_enum, value_name = "PROFILE", help_heading = "Rules")]
    pub(super) profile: Option<ProfileArg>,
    /// Set the level of a rule: off, note, warning or error (can be repeated)
    #[arg(long, value_name = "RULE=LEVEL", help_heading = "Rules")]
    pub(super) level: Vec<String>,
    /// Skip skills and files whose path matches (can be repeated)
    #[arg(long, value_name = "GLOB", help_heading = "Rules")]
    pub(super) exclude: Vec<String>,
    /// Read settings from FILE [default: skills.toml in the working directory, if there is one]
    #[arg(long, value_name = "FILE", help_heading = "Rules")]
    pub(super) config: Option<PathBuf>,
    /// List all rules and their levels instead of checking
    #[arg(long, value_enum, value_name = "FORM", num_args = 0..=1, default_missing_value = "text", help_heading = "Rules")]
    pub(super) list_rules: Option<ListForm>,
    /// Print the JSON Schema of METADATA.yml instead of checking
    #[arg(long, conflicts_with = "list_rules", help_heading = "Rules")]
    pub(super) schema: bool,
    /// Report only findings that are not in FILE
    #[arg(long, value_name = "FILE", help_heading = "Selection")]
    pub(super) baseline: Option<PathBuf>,
    /// Write the current findings to the file of --baseline
    #[arg(long, requires = "baseline", help_heading = "Selection")]
    pub(super) update_baseline: bool,
    /// Report only skills with files that differ from the git revision REV
    #[arg(long, value_name = "REV", help_heading = "Selection")]
    pub(super) changed_since: Option<String>,
    /// Make the repairs that are safe, and show them as diffs
    #[arg(long, help_heading = "Repair")]
    pub(super) fix: bool,
    /// With --fix: show the diff, write nothing
    #[arg(long, requires = "fix", help_heading = "Repair")]
    pub(super) dry_run: bool,
    /// Format of the report
    #[arg(
        long,
        value_enum,
        value_name = "FORMAT",
        default_value_t,
        help_heading = "Output"
    )]
    pub(super) format: Format,
    /// Write the report to FILE instead of standard output
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(super) output: Option<PathBuf>,
    /// Also exit with 1 if there is a warning
    #[arg(long, help_heading = "Output")]
    pub(super) strict: bool,
    /// Number of skills checked at a time [default: number of processors]
    #[arg(long, short, value_name = "N", help_heading = "Output")]
    pub(super) jobs: Option<usize>,
    /// Report only errors
    #[arg(long, short, help_heading = "Output")]
    pub(super) quiet: bool,
    /// Also report notes
    #[arg(long, short, help_heading = "Output", conflicts_with = "quiet")]
    pub(super) verbose: bool,
    /// Use of colour
    #[arg(
        long,
        value_enum,
        value_name = "WHEN",
        default_value_t,
        help_heading = "Output"
    )]
    pub(super) color: ColorChoice,
}

/// The format of the report.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, ValueEnum)]
pub enum Format {
    /// For people, with the lines that findings refer to.
    #[default]
    Text,
    /// For programs; one object, with a version.
    Json,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
    /// Annotations of GitHub Actions.
    Github,
    /// `JUnit` XML, one test case per skill.
    Junit,
}

/// The format of the list of rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum ListForm {
    /// A table.
    Text,
    /// The documentation, as in docs/rules.md.
    Markdown,
    /// For programs.
    Json,
}

/// The profile: the reading of the specification that applies.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum ProfileArg {
    /// The specification's text.
    Spec,
    /// The Python reference, bug for bug.
    SkillsRef,
    /// All that a client still loads.
    Lenient,
    /// Claude Code.
    ClaudeCode,
    /// Codex.
    Codex,
}
