//! `skills-migrate`: a directory of legacy plugins in, a directory of Agent Skills out.
//!
//! The work is done by [`skill_pipeline`]; here are:
//!
//! - [`Args`]: the command line; `Settings`: options of the pipeline, and how its result is shown.
//! - `observer`: progress and notices; `report`: the result.
//! - `merge_shards`: a subcommand; `shared`: `--enqueue`.
//! - `verify`: proof that a skill does what its plugin did, and what follows from it.

mod args;
mod merge_shards;
mod observer;
mod report;
mod shared;
mod verify;

use std::io::Write as _;

use skill_loader::store::Store;
use skill_pipeline::{Migrated, Mode, Pipeline};

use args::Settings;
pub use args::{Args, Format};
use observer::Observed;

use crate::{ExitStatus, nats, output::Streams};

/// Runs the tool.
pub fn run(args: Args, streams: &mut Streams) -> anyhow::Result<ExitStatus> {
    if let Some(out) = args.rollback_of() {
        return rollback(out, streams);
    }
    if let Some(args) = args.merge_of() {
        return merge_shards::run(args, streams);
    }
    if let Some(args) = args.verify_of() {
        return verify::run(args, streams);
    }
    if let Some(args) = args.status_of() {
        return verify::status(args, streams);
    }
    let settings = args.into_settings()?;
    if settings.machines.enqueue.is_some() {
        return shared::enqueue(&settings, streams);
    }
    let migrated = migrate(&settings, streams)?;
    report::write(&settings, &migrated, streams)?;
    Ok(exit_status(&settings, &migrated))
}

fn migrate(settings: &Settings, streams: &mut Streams) -> anyhow::Result<Migrated> {
    let pipeline = Pipeline::open(settings.migrate.clone())?;
    let observed = Observed::new(&settings.show, streams);
    let observer = |event: skill_pipeline::Event<'_>| observed.on(event);
    let run = pipeline.start(&observer)?;
    let outcomes = if settings.machines.worker.is_some() {
        let job = settings.machines.job();
        skill_nats::migration::take_part(&job, &nats::runtime()?, &pipeline, &run)?
    } else {
        run.all(&observer)?
    };
    observed.finish();
    Ok(run.finish(outcomes)?)
}

fn exit_status(settings: &Settings, migrated: &Migrated) -> ExitStatus {
    let totals = &migrated.totals;
    let has_drift = settings.migrate.mode == Mode::Check && totals.has_drift();
    let is_strict = settings.show.strict && totals.attention > 0;
    if migrated.is_blind() || totals.has_failures() || has_drift || is_strict {
        ExitStatus::Findings
    } else {
        ExitStatus::Fine
    }
}

fn rollback(out: &std::path::Path, streams: &mut Streams) -> anyhow::Result<ExitStatus> {
    let mut on_wait = || {
        let _ = writeln!(
            streams.stderr,
            "waiting: another process writes to {}",
            out.display()
        );
    };
    let done = Store::rollback(out, &mut on_wait)?;
    report::rollback(done.as_ref(), streams)
}
