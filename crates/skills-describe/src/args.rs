//! The command line of `skills-describe`.

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};

use crate::disclosure::args::DisclosureArgs;
use skills_cli::roots::RootArgs;

/// Describe skills to an agent: as much as it needs, and the skills that fit a request
///
/// Lists the skills of DIR within a budget, or describes some of them in one of three phases:
/// metadata (name and what it does), brief (also when to use it, its commands and sections) or
/// full (also its instructions). With --query it prints the skills that fit, best first, each with
/// a confidence from 0 to 1: from 0.15 a skill is described briefly, from 0.7 in full. If no skill
/// fits, nothing is printed.
#[derive(Debug, Parser)]
#[command(
    name = "skills-describe",
    version,
    args_conflicts_with_subcommands = true,
    after_long_help = "Exit status:\n  0  done, even if no skill fits\n  1  a skill that was named does not exist, or its instructions cannot be read\n  2  the work was not possible\n\nExamples:\n  skills-describe skills --format xml --budget 2% --context 200000\n  skills-describe skills --skill weather-card --phase brief\n  skills-describe skills --stats --chart tokens.svg\n  skills-describe skills --client codex\n  skills-describe skills --render prompt.txt\n  skills-describe skills --query 'resize these photos'\n  skills-describe skills --query '今天上海天气' --explain\n  skills-describe skills --batch requests.jsonl --top 50"
)]
pub struct Args {
    #[command(subcommand)]
    pub(super) task: Option<Task>,
    /// Directory of skills (can be repeated, the first skill of a name wins) [default: those of .agents/skills, skills and .claude/skills that exist]
    #[arg(value_name = "DIR")]
    pub(super) skills: Vec<PathBuf>,
    /// Request in the user's words
    #[arg(long, value_name = "TEXT", conflicts_with = "batch")]
    pub(super) query: Option<String>,
    /// Answer each line {"id": N, "query": "TEXT"} of FILE with a line of JSON; - is standard input
    #[arg(long, value_name = "FILE")]
    pub(super) batch: Option<PathBuf>,
    /// Maximum number of skills for one request
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(super) top: usize,
    /// Only skills of this domain
    #[arg(long, value_name = "DOMAIN")]
    pub(super) domain: Option<String>,
    /// Only skills with this keyword, tag or command (can be repeated)
    #[arg(long = "keyword", value_name = "WORD")]
    pub(super) keywords: Vec<String>,
    /// Only skills with at least this confidence
    #[arg(long, value_name = "X", default_value_t = 0.0)]
    pub(super) min_confidence: f32,
    /// Include the reasons
    #[arg(long)]
    pub(super) explain: bool,
    /// Format of the answer
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub(super) format: Format,
    /// The descriptions of skills
    #[command(flatten)]
    pub(super) disclosure: DisclosureArgs,
    /// Also use the vectors of a model at URL, which is sent the request and the descriptions of all skills
    #[arg(long, value_name = "URL", requires_all = ["query", "embeddings_model"], help_heading = "Embeddings")]
    pub(super) embeddings_url: Option<String>,
    /// Model of the vectors
    #[arg(
        long,
        value_name = "NAME",
        requires = "embeddings_url",
        help_heading = "Embeddings"
    )]
    pub(super) embeddings_model: Option<String>,
    /// Record the matches of requests in FILE; with a small budget, list the most used skills first
    #[arg(long, value_name = "FILE", help_heading = "Use")]
    pub(super) usage: Option<PathBuf>,
    #[command(flatten)]
    pub(super) index: IndexArgs,
}

/// The index of the skills.
#[derive(Debug, clap::Args)]
pub(super) struct IndexArgs {
    /// Compute the confidence with the coefficients in FILE instead of the shipped ones
    #[arg(long, value_name = "FILE", help_heading = "Index")]
    pub(super) model: Option<PathBuf>,
    /// Keep the index in FILE [default: in the user's directory of caches]
    #[arg(
        id = "index_file",
        long = "index",
        value_name = "FILE",
        help_heading = "Index"
    )]
    pub(super) file: Option<PathBuf>,
    /// Neither use nor write an index
    #[arg(long, conflicts_with = "index_file", help_heading = "Index")]
    pub(super) no_index: bool,
    /// Report problems with the index
    #[arg(long, short, help_heading = "Index")]
    pub(super) verbose: bool,
    #[command(flatten)]
    pub(super) roots: RootArgs,
}

/// Subcommands.
#[derive(Debug, Subcommand)]
pub(super) enum Task {
    Calibrate(Box<CalibrateArgs>),
    Test(Box<TestArgs>),
}

/// The format of the answer.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, ValueEnum)]
pub enum Format {
    /// For people: one line for each skill.
    #[default]
    Text,
    /// For prompts: `<available_skills>`, or `<skill>` with a description.
    Xml,
    /// For prompts: a list, or descriptions.
    Markdown,
    /// For programs; one object, with a version.
    Json,
}

/// Compare the confidence with recorded use, and propose coefficients and thresholds
///
/// FILE is the record that --usage of skills-describe, skills-read and skills-run wrote. Nothing is
/// changed: --write writes the proposed model, and --model uses it. With --skills, FILE has tests as
/// for `test`, and the confidence of first matches is compared with how often they are right.
#[derive(Debug, clap::Args)]
pub(super) struct CalibrateArgs {
    /// Record of use, or tests
    #[arg(value_name = "FILE")]
    pub(super) file: PathBuf,
    /// Write the proposed model to FILE
    #[arg(long, value_name = "FILE", conflicts_with = "skills")]
    pub(super) write: Option<PathBuf>,
    /// Directory of skills whose tests are in FILE (can be repeated)
    #[arg(long, value_name = "DIR")]
    pub(super) skills: Vec<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
    #[command(flatten)]
    pub(super) index: IndexArgs,
}

/// Test which skill each request triggers: the first match, if its confidence is at least 0.15
///
/// FILE has rows `{"query": "TEXT", "should_trigger": true, "skill": "NAME"}`, as a JSON array or
/// one on each line; `expect` in place of `should_trigger` is `first`, `among N` or `none`. In a
/// directory, the tests are `SKILL/evals/*trigger*.json`. The exit status is 1 if a test fails.
#[derive(Debug, clap::Args)]
pub(super) struct TestArgs {
    /// File of tests, or directory of skills that have some
    #[arg(value_name = "FILE")]
    pub(super) file: PathBuf,
    /// Directory of skills (can be repeated, the first skill of a name wins) [default: as without `test`]
    #[arg(long, value_name = "DIR")]
    pub(super) skills: Vec<PathBuf>,
    /// Format of the results
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub(super) format: TestFormat,
    #[command(flatten)]
    pub(super) index: IndexArgs,
}

/// The format of the results.
#[derive(Clone, Copy, Default, Debug, ValueEnum)]
pub(super) enum TestFormat {
    /// For people.
    #[default]
    Text,
    /// For programs.
    Json,
    /// For CI.
    Junit,
}
