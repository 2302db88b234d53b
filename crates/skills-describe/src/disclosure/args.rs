//! The part of the command line that is about descriptions.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use disclosure_report::disclosure::Client;
use serde::Deserialize;
use skill_disclosure::{TO_BRIEF, TO_FULL};

/// The descriptions of skills.
#[derive(Debug, Args)]
pub(crate) struct DisclosureArgs {
    /// Only this skill (can be repeated)
    #[arg(id = "chosen", long = "skill", value_name = "NAME", conflicts_with_all = ["query", "batch"], help_heading = "Disclosure")]
    pub(crate) skills: Vec<String>,
    /// Describe in the phase of this confidence, 0 to 1
    #[arg(long, value_name = "X", conflicts_with_all = ["query", "batch", "phase"], help_heading = "Disclosure")]
    pub(crate) confidence: Option<f64>,
    /// Describe in this phase, regardless of the confidence
    #[arg(long, value_enum, value_name = "PHASE", help_heading = "Disclosure")]
    pub(crate) phase: Option<PhaseArg>,
    #[arg(long, value_name = "X", help_heading = "Disclosure", help = format!("Confidence from which a skill is described briefly [default: {TO_BRIEF}]"))]
    pub(crate) to_brief: Option<f64>,
    #[arg(long, value_name = "X", help_heading = "Disclosure", help = format!("Confidence from which a skill is described in full [default: {TO_FULL}]"))]
    pub(crate) to_full: Option<f64>,
    /// Write a prompt: the list of skills, and the instructions of some [default: progressive]
    #[arg(long, value_enum, value_name = "MODE", conflicts_with_all = ["phase", "confidence", "chosen"], help_heading = "Disclosure")]
    pub(crate) mode: Option<ModeArg>,
    /// Shorten this skill last (can be repeated)
    #[arg(long = "pin", value_name = "NAME", help_heading = "Disclosure")]
    pub(crate) pins: Vec<String>,
    /// Include the path of each SKILL.md
    #[arg(long, help_heading = "Disclosure")]
    pub(crate) locations: bool,
    /// Maximum tokens of the list, including the instructions in it
    #[arg(
        long,
        value_name = "N",
        conflicts_with = "budget",
        help_heading = "Budget"
    )]
    pub(crate) max_tokens: Option<usize>,
    /// The maximum as a share of --context, such as 2%
    #[arg(long, value_name = "SHARE", help_heading = "Budget")]
    pub(crate) budget: Option<String>,
    /// Tokens of the model's context window
    #[arg(long, value_name = "N", help_heading = "Budget")]
    pub(crate) context: Option<usize>,
    /// Counter of tokens [default: estimate]
    #[arg(long, value_enum, value_name = "COUNTER", help_heading = "Budget")]
    pub(crate) tokens: Option<TokensArg>,
    /// Write a report of what was shortened to FILE, as JSON
    #[arg(long, value_name = "FILE", help_heading = "Budget")]
    pub(crate) report: Option<PathBuf>,
    /// Show the cost of each phase in tokens, by the exact count
    #[arg(long, conflicts_with_all = ["query", "batch", "render"], help_heading = "Other answers")]
    pub(crate) stats: bool,
    /// Draw the costs of --stats as SVG
    #[arg(long, value_name = "FILE", conflicts_with_all = ["query", "batch", "render"], help_heading = "Other answers")]
    pub(crate) chart: Option<PathBuf>,
    /// Show what CLIENT lists of the skills at the start of a session, and what it cuts: claude-code, codex, gemini or opencode
    #[arg(long, value_name = "CLIENT", conflicts_with_all = ["query", "batch", "render", "stats", "chart", "chosen", "confidence", "phase", "mode", "pins", "locations", "max_tokens", "budget", "tokens", "report"], help_heading = "Other answers")]
    pub(crate) client: Option<Client>,
    /// Resolve `{{ABPAllTools}}`, `{{VCPAllTools}}`, `{{VCPName}}` and `{{tool:NAME}}` in FILE; - is standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["query", "batch"], help_heading = "Other answers")]
    pub(crate) render: Option<PathBuf>,
    /// File with settings [default: skills.toml, if it exists]
    #[arg(long, value_name = "FILE", help_heading = "Other answers")]
    pub(crate) config: Option<PathBuf>,
}

/// The level of detail of a description.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum PhaseArg {
    /// Name and what it does: about 50 tokens.
    Metadata,
    /// Also when to use it, its commands and its sections: about 200 tokens.
    Brief,
    /// Also its instructions.
    Full,
}

/// The choice of instructions that a prompt contains from the start.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ModeArg {
    /// None.
    Progressive,
    /// Those of the skills that fit --query, or of all skills.
    Eager,
    /// Those of pinned skills and of skills of high priority.
    Hybrid,
}

/// The counter of tokens.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum TokensArg {
    /// An estimate, within a few per cent of o200k.
    Estimate,
    /// The o200k tokenizer.
    Exact,
}
