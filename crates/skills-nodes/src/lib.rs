//! `skills-nodes`: skills and migrations that are shared by many machines.
//!
//! Other tools start it, so that they do not need a NATS client themselves: `skills-read` and
//! `skills-describe` for `--nodes`, `skills-migrate` for `--enqueue` and `--worker`.
//!
//! - [`directory`], [`follow`]: the skills of other machines in a directory.
//! - `migration`: a migration that many machines share; `enqueue`: its coordinator.
//! - [`nats`]: a server from its flags.

mod enqueue;
mod migration;
mod mirror;
pub mod nats;

use std::ffi::OsString;

use anyhow::Context as _;
use clap::{Parser, Subcommand};
use skills_cli::ExitStatus;
use skills_cli::nodes::NodesArgs;
use skills_cli::output::Streams;

pub use mirror::{directory, follow, server};

/// Share skills and migrations with other machines through a NATS server
///
/// skills-read and skills-describe start this tool for --nodes, skills-migrate for --enqueue and
/// --worker.
#[derive(Debug, Parser)]
#[command(
    name = "skills-nodes",
    version,
    after_long_help = "Exit status:\n  0  done\n  1  the NATS server does not answer\n  2  the run was not possible\n\nExamples:\n  skills-nodes mirror --nodes nats://10.0.0.1:4222"
)]
pub struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Write the skills that living nodes offer into a directory, and print its path
    Mirror(Box<NodesArgs>),
    /// Share a migration with other machines: skills-migrate with --enqueue or --worker
    #[command(hide = true, disable_help_flag = true)]
    Migrate {
        /// Arguments of skills-migrate
        #[arg(
            value_name = "ARGUMENT",
            trailing_var_arg = true,
            allow_hyphen_values = true
        )]
        arguments: Vec<OsString>,
    },
}

/// Runs the tool.
///
/// # Errors
///
/// The work is not possible: wrong arguments, a directory that cannot be written.
pub fn run(args: Args, streams: &mut Streams) -> anyhow::Result<ExitStatus> {
    match args.task {
        Task::Mirror(args) => mirror(&args, streams),
        Task::Migrate { arguments } => {
            let name = [OsString::from("skills-migrate")].into_iter();
            let args = skills_migrate::Args::try_parse_from(name.chain(arguments))?;
            migration::run(args, streams)
        }
    }
}

fn mirror(args: &NodesArgs, streams: &mut Streams) -> anyhow::Result<ExitStatus> {
    let directory = directory(args)?.context("found no server, expected --nodes URL")?;
    let Some(dir) = mirror::refresh(&directory, streams)? else {
        return Ok(ExitStatus::Findings);
    };
    let path = dir
        .to_str()
        .context("the path of the directory is not UTF-8")?;
    writeln!(streams.stdout, "{path}")?;
    Ok(ExitStatus::Fine)
}
