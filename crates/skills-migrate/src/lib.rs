//! `skills-migrate`: a directory of legacy plugins in, a directory of Agent Skills out.
//!
//! The work is done by [`skill_pipeline`]; here are:
//!
//! - [`Args`]: the command line; [`Settings`]: the options of the pipeline, and the presentation of its
//!   result.
//! - `observer`: progress and notices; `report`: the result.
//! - `merge_shards`, `package`: subcommands.
//!
//! `skills-parity` runs `verify` and `status`, `skills-run` runs `introspect`; `skills-nodes` runs migrations that many machines share.

mod args;
mod merge_shards;
mod observer;
mod package;
mod report;
mod settings;

use std::ffi::OsString;
use std::io::Write as _;

use migration_report::notice;
use polish_requests::{Done, polish};
use skill_loader::store::Store;
use skill_pipeline::{Event, Migrated, Mode, Observer, Outcome, Pipeline, Run};
use skill_report::excerpt;
use skills_cli::{ExitStatus, output::Streams};

pub use args::Args;
use args::{Command, ParityArgs};
use observer::EventWriter;
pub use settings::{Format, Machines, Presentation, Settings};

/// Runs the tool.
///
/// # Errors
///
/// The work is not possible: wrong arguments, missing input, a full disk.
pub fn run(args: Args, streams: &mut Streams) -> anyhow::Result<ExitStatus> {
    if let Some(form) = &args.list_formats {
        let is_page = form == "markdown";
        let text = if is_page {
            plugin_readers::page()
        } else {
            plugin_readers::list()
        };
        write!(streams.stdout, "{text}")?;
        return Ok(ExitStatus::Fine);
    }
    match &args.command {
        Some(Command::Rollback { out }) => return rollback(out, streams),
        Some(Command::MergeShards(args)) => return merge_shards::run(args, streams),
        Some(Command::Package(args)) => return package::run(args, streams),
        Some(Command::Verify(args)) => return other("skills-parity", "verify", args, streams),
        Some(Command::Status(args)) => return other("skills-parity", "status", args, streams),
        Some(Command::Introspect(args)) => return other("skills-run", "introspect", args, streams),
        None => {}
    }
    let settings = args.into_settings()?;
    if settings.machines.is_shared() {
        let words = [OsString::from("migrate")].into_iter();
        let words = words.chain(std::env::args_os().skip(1));
        match other_tools::replace("skills-nodes", streams.language, words)? {}
    }
    migrate(
        &settings,
        streams,
        |_, run, observer| Ok(run.all(observer)?),
    )
}

/// Runs a subcommand in another tool.
fn other(
    tool: &str,
    task: &str,
    args: &ParityArgs,
    streams: &Streams,
) -> anyhow::Result<ExitStatus> {
    let words = [OsString::from(task)].into_iter();
    let words = words.chain(args.all.iter().cloned());
    match other_tools::replace(tool, streams.language, words)? {}
}

/// Migrates and reports. `work` produces the outcomes and passes events to the observer.
///
/// # Errors
///
/// The work is not possible: missing input, a full disk.
pub fn migrate(
    settings: &Settings,
    streams: &mut Streams,
    work: impl FnOnce(&Pipeline, &Run<'_>, &Observer<'_>) -> anyhow::Result<Vec<Outcome>>,
) -> anyhow::Result<ExitStatus> {
    let pipeline = Pipeline::open(settings.migrate.clone())?;
    if let Some(finding) = pipeline.no_plugins() {
        report::write(settings, &pipeline.nothing(), streams)?;
        writeln!(
            streams.stderr,
            "{}",
            excerpt(&finding, None, streams.paint(settings.show.color))
        )?;
        return Ok(ExitStatus::Findings);
    }
    let events = EventWriter::new(&settings.show, streams);
    let observer = |event: Event<'_>| events.write(event);
    let mut run = pipeline.start(&observer)?;
    let polished = events
        .with_stream(|stderr, language| polish(&mut run, &settings.polishing, language, stderr))?;
    if polished == Done::Exported {
        return Ok(ExitStatus::Fine);
    }
    let outcomes = work(&pipeline, &run, &observer)?;
    events.finish();
    let migrated = run.finish(outcomes)?;
    report::write(settings, &migrated, streams)?;
    Ok(match polished {
        Done::Incomplete => ExitStatus::Findings,
        _ => exit_status(settings, &migrated),
    })
}

fn exit_status(settings: &Settings, migrated: &Migrated) -> ExitStatus {
    let totals = &migrated.totals;
    let has_drift = settings.migrate.mode == Mode::Check && totals.has_drift();
    let is_strict = settings.show.strict && totals.attention > 0;
    if migrated.is_incomplete() || totals.has_failures() || has_drift || is_strict {
        ExitStatus::Findings
    } else {
        ExitStatus::Fine
    }
}

fn rollback(out: &std::path::Path, streams: &mut Streams) -> anyhow::Result<ExitStatus> {
    let mut on_wait = || {
        let notice = notice(Event::Waiting(out), streams.language).unwrap_or_default();
        let _ = writeln!(streams.stderr, "{notice}");
    };
    let done = Store::rollback(out, &mut on_wait)?;
    let done = done.as_ref();
    let language = streams.language;
    migration_report::rollback(done, language, &mut streams.stdout, &mut streams.stderr)?;
    let has_conflicts = done.is_some_and(|done| !done.conflicts.is_empty());
    Ok(if has_conflicts {
        ExitStatus::Findings
    } else {
        ExitStatus::Fine
    })
}
