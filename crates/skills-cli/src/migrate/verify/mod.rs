//! `skills-migrate verify` and `status`: proof that a skill does what its plugin did, and which
//! plugins are no longer needed.
//!
//! - `args`: the command lines; `pairs`: which plugin became which skill.
//! - `reference`: the plugin as the old host ran it, from its own manifest.
//! - `cases`: what is sent; `trial`: one run, and what it left behind; `effects`: in files.
//! - `compare`: where two runs differ that should not; `judge`: what that means for a plugin.
//! - `progress`: what is told meanwhile; `report`: what is told; `record`: what is remembered; `status`: what follows from it.
//!
//! **Invariant:** neither the plugin nor the skill is written to; each run has directories of its own.
//! **Invariant:** the reference knows of the skill only its name, so that faults of the migration show.

mod args;
mod cases;
mod compare;
mod effects;
mod judge;
mod pairs;
mod progress;
mod record;
mod reference;
mod report;
mod status;
mod trial;

use std::sync::Mutex;

use anyhow::{Context as _, anyhow, ensure};
use rayon::prelude::*;
use skill_executor::environment::HostEnvironment;
use skill_executor::zone::Zone;
use skill_loader::fs::Scratch;

pub(super) use args::{StatusArgs, VerifyArgs};
use judge::Bench;
pub use record::{Parity, Verdict, recorded, recorded_of};

use crate::run::settings::environment;
use crate::{ExitStatus, interrupt, output::Streams};

/// Runs `verify`.
pub(super) fn run(args: &VerifyArgs, streams: &mut Streams) -> anyhow::Result<ExitStatus> {
    let world = pairs::World::open(&args.plugins, &args.skills, &args.only)?;
    let cases = match &args.cases {
        Some(path) => cases::read(path).context("cannot read the cases")?,
        None => Vec::new(),
    };
    let work = Scratch::make(&std::env::temp_dir(), "skills-verify-");
    let work = work.context("no directory to run in")?;
    let cancel = interrupt::handle()?;
    // Neither program gets what a skill would not get unasked.
    let host = HostEnvironment::from(environment()).into_given();
    let bench = Bench {
        world: &world,
        cases: &cases,
        permits: args.permits(),
        zone: Zone::of_environment(&host),
        host,
        work: skill_loader::fs::resolve(work.path())?,
        cancel: cancel.clone(),
    };
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.jobs.unwrap_or(0))
        .build()?;
    let bar = progress::bar(world.pairs.len(), streams);
    let said = Mutex::new(&mut streams.stderr);
    let accounts = pool.install(|| {
        let pairs = world.pairs.par_iter();
        pairs
            .map(|pair| {
                let account = judge::judge(&bench, pair);
                bar.inc(1);
                if args.verbose > 0 {
                    progress::say(&account, &bar, &said);
                }
                account
            })
            .collect::<Vec<_>>()
    });
    bar.finish_and_clear();
    drop(work);
    ensure!(!cancel.is_cancelled(), "interrupted; nothing was recorded");
    record::write(&world.out, &accounts).map_err(|why| anyhow!(why))?;
    let unused = cases::unused(&cases, &world.pairs);
    if let Some(path) = &args.report {
        let text = report::json(&accounts, &unused);
        skill_loader::fs::write_new(path, text.as_bytes())
            .with_context(|| format!("cannot write the report {}", path.display()))?;
    }
    report::text(&accounts, &unused, streams)?;
    let differs = accounts
        .iter()
        .any(|account| account.verdict == Verdict::Differs);
    Ok(if differs {
        ExitStatus::Findings
    } else {
        ExitStatus::Fine
    })
}

/// Runs `status`.
pub(super) fn status(args: &StatusArgs, streams: &mut Streams) -> anyhow::Result<ExitStatus> {
    let world = pairs::World::open(&args.plugins, &args.skills, &[])?;
    status::run(&world, args.format, streams)
}
