//! `skills-migrate merge-shards`: arguments and report.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use migration_report::merged_shards as report;
use skill_pipeline::{MergeShards, merge_shards};

use crate::observer::EventWriter;
use skills_cli::{ExitStatus, output::Streams};

/// The command line of `skills-migrate merge-shards`.
#[derive(Debug, ClapArgs)]
pub(super) struct MergeArgs {
    /// Output directories of runs with --shard or --worker
    #[arg(value_name = "SHARD", required = true)]
    shards: Vec<PathBuf>,
    /// Directory of skills; created if missing
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Remove skills of OUT that are in no shard
    #[arg(long)]
    prune: bool,
    /// Wait until everything is on the disk, so that a power cut cannot damage it
    #[arg(long)]
    sync: bool,
    /// Report only errors
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
    let events = EventWriter::silent(streams);
    let merged = merge_shards(&options, &|event| events.write(event))?;
    for message in &merged.conflicts {
        streams.remark(&format!("error[conflict]: {message}"))?;
    }
    if !args.quiet {
        report(&merged, streams.language, &mut streams.stdout)?;
    }
    Ok(ExitStatus::fine_if(merged.conflicts.is_empty()))
}
