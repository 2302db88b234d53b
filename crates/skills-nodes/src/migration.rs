//! A migration that many machines share: `--enqueue` and `--worker`.

use std::time::Duration;

use anyhow::Context as _;
use skill_nats::migration::{Job, take_part};
use skills_cli::ExitStatus;
use skills_cli::output::Streams;
use skills_migrate::{Args, Settings};

use crate::{enqueue, nats};

/// Runs the coordinator or a worker.
pub(crate) fn run(args: Args, streams: &mut Streams) -> anyhow::Result<ExitStatus> {
    let settings = args.into_settings()?;
    let job = job(&settings)?;
    if settings.machines.enqueue.is_some() {
        return enqueue::run(&settings, &job, streams);
    }
    skills_migrate::migrate(&settings, streams, |pipeline, run, _| {
        Ok(take_part(&job, &nats::runtime()?, pipeline, run)?)
    })
}

/// Returns the shared migration and its server.
fn job(settings: &Settings) -> anyhow::Result<Job> {
    let machines = &settings.machines;
    let url = machines.enqueue.as_ref().or(machines.worker.as_ref());
    let url = url.context("found neither --enqueue nor --worker, expected one of them")?;
    Ok(Job {
        server: nats::server(&machines.nats, url),
        name: machines.job.clone(),
        ack_wait: Duration::from_secs(machines.ack_wait),
    })
}
