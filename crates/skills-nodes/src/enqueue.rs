//! `--enqueue` and its report. [`skill_nats::migration`] does the work.

use std::io::Write as _;

use migration_report::not_searched;
use skill_nats::migration::{Job, Shared, coordinate};
use skill_pipeline::Pipeline;

use skills_cli::{ExitStatus, output::Streams};
use skills_migrate::{Format, Settings};

use crate::nats;

/// Runs the coordinator: puts every directory on the queue, waits, and reports the results.
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
    Ok(ExitStatus::fine_if(
        shared.is_fine() && !collection.is_incomplete(),
    ))
}

fn report(settings: &Settings, shared: &Shared, streams: &mut Streams) -> anyhow::Result<()> {
    shared.write_errors(&mut streams.stderr, streams.language)?;
    if settings.show.format == Format::Json {
        writeln!(streams.stdout, "{:#}", shared.to_json())?;
    } else if settings.show.verbosity >= 0 {
        shared.write_summary(&mut streams.stdout, streams.language)?;
    }
    Ok(())
}
