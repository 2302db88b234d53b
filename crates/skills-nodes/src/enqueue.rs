//! `--enqueue` and its report. The work is done by [`skill_nats::migration`].

use std::collections::BTreeMap;
use std::io::Write as _;

use migration_report::not_searched;
use skill_nats::migration::{Job, Shared, coordinate};
use skill_pipeline::Pipeline;

use skills_cli::{ExitStatus, output::Streams};
use skills_migrate::{Format, Settings};

use crate::nats;

/// Runs the coordinator: puts every directory onto the queue, then reports the results.
pub(crate) fn run(
    settings: &Settings,
    job: &Job,
    streams: &mut Streams,
) -> anyhow::Result<ExitStatus> {
    let pipeline = Pipeline::search(settings.migrate.clone())?;
    let mut last = None;
    let on_progress = |progress: skill_nats::queue::Progress| {
        if settings.show.verbosity >= 0 && last != Some(progress) {
            let _ = writeln!(
                streams.stderr,
                "{} of {} directories",
                progress.done, progress.total
            );
            last = Some(progress);
        }
    };
    let shared = nats::runtime()?.block_on(coordinate(job, &pipeline, on_progress))?;
    report(settings, &shared, streams)?;
    let collection = pipeline.collection();
    let view = settings.view(streams);
    not_searched(view, &collection.not_searched, &mut streams.stderr)?;
    Ok(if shared.is_fine() && !collection.is_blind() {
        ExitStatus::Fine
    } else {
        ExitStatus::Findings
    })
}

fn report(settings: &Settings, shared: &Shared, streams: &mut Streams) -> anyhow::Result<()> {
    let Shared {
        n_directories,
        results,
        given_up,
    } = shared;
    let mut by_status: BTreeMap<&str, usize> = BTreeMap::new();
    for result in results {
        *by_status.entry(&result.status).or_default() += 1;
        for error in &result.errors {
            writeln!(streams.stderr, "{error}\n")?;
        }
    }
    for directory in given_up {
        writeln!(
            streams.stderr,
            "error[given-up]: no worker could do the directory {}",
            directory.escape_debug()
        )?;
    }
    if settings.show.format == Format::Json {
        let report = serde_json::json!({
            "schema": 1,
            "tool": "skills-migrate",
            "mode": "enqueue",
            "summary": {
                "plugins": n_directories,
                "by_status": by_status,
                "given_up": given_up,
            },
        });
        writeln!(streams.stdout, "{report:#}")?;
    } else if settings.show.verbosity >= 0 {
        let n_done = results.len();
        writeln!(
            streams.stdout,
            "{n_done} of {n_directories} directories done"
        )?;
        for (status, n) in &by_status {
            writeln!(streams.stdout, "  {n:>5}  {status}")?;
        }
    }
    Ok(())
}
