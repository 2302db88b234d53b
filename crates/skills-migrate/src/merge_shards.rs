//! `skills-migrate merge-shards`: arguments and report.

use std::io::Write as _;
use std::path::PathBuf;

use clap::Args as ClapArgs;
use skill_pipeline::{MergeShards, merge_shards};

use super::observer::Observed;
use skills_cli::{ExitStatus, output::Streams};

/// The command line of `skills-migrate merge-shards`.
#[derive(Debug, ClapArgs)]
pub(super) struct MergeArgs {
    /// Directories that runs with --shard or --worker wrote
    #[arg(value_name = "SHARD", required = true)]
    shards: Vec<PathBuf>,
    /// Directory of skills; created if missing
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Remove skills of OUT that are in no shard
    #[arg(long)]
    prune: bool,
    /// Wait until the disk has everything, so that not even a power cut can harm
    #[arg(long)]
    sync: bool,
    /// Say less: errors only
    #[arg(long, short)]
    quiet: bool,
}

/// Merges, and reports how many skills were written.
pub(super) fn run(args: &MergeArgs, streams: &mut Streams) -> anyhow::Result<ExitStatus> {
    let options = MergeShards {
        shards: args.shards.clone(),
        out: args.out.clone(),
        prune: args.prune,
        sync: args.sync,
    };
    let observed = Observed::silent(streams);
    let merged = merge_shards(&options, &|event| observed.on(event))?;
    for message in &merged.conflicts {
        writeln!(streams.stderr, "error[conflict]: {message}")?;
    }
    if !args.quiet {
        writeln!(
            streams.stdout,
            "{} skills of {} directories: {} written, {} unchanged",
            merged.n_skills, merged.n_shards, merged.n_written, merged.n_unchanged
        )?;
        let rows = [
            (merged.n_stale, "in no shard (--prune removes them)"),
            (merged.n_removed, "removed"),
        ];
        for (n, what) in rows.into_iter().filter(|(n, _)| *n > 0) {
            writeln!(streams.stdout, "  {n:>5}  {what}")?;
        }
    }
    Ok(if merged.conflicts.is_empty() {
        ExitStatus::Fine
    } else {
        ExitStatus::Findings
    })
}
