//! `skills-run refresh`: the values of static skills, once or by their cron expressions.

use std::time::{Duration, Instant};

use serde_json::{Map, Value};
use skill_executor::call::Options;
use skill_executor::envelope::Envelope;
use skill_executor::{PreparedCall, Request, Runner, follow_all};
use skill_model::ExecutorKind;

use crate::answer::{print, print_failure, status};
use crate::args::Locations;
use skill_executor::target;
use skills_cli::{ExitStatus, output::Streams};

pub(super) fn run(
    runner: &Runner,
    names: &[String],
    watch: Option<u64>,
    (locations, mut options): (Locations, Options),
    streams: &mut Streams,
) -> anyhow::Result<ExitStatus> {
    let mut skills = match target::named(names, locations.skills)? {
        Ok(skills) => skills,
        Err(failure) => return print_failure("", failure, streams),
    };
    if names.is_empty() {
        skills.retain(|skill| skill.metadata.executor == ExecutorKind::Static);
    }
    options.cancel = skill_interrupt::handle()?;
    let request = Request {
        options,
        ..Request::default()
    };
    let calls = match runner.prepare_all(&skills, &request) {
        Ok(calls) => calls,
        Err(failure) => return print_failure("", failure, streams),
    };
    let status = once(&calls, watch.is_some(), streams)?;
    match watch {
        None => Ok(status),
        Some(ms) => {
            let until = (ms > 0).then(|| Instant::now() + Duration::from_millis(ms));
            follow_all(&calls, until, |envelope| line(&envelope, streams))?;
            Ok(status)
        }
    }
}

/// Runs each skill once, and prints the answers: as lines if more will follow, otherwise as one
/// object.
fn once(
    calls: &[PreparedCall<'_>],
    as_lines: bool,
    streams: &mut Streams,
) -> anyhow::Result<ExitStatus> {
    let mut all = Map::new();
    let mut res = ExitStatus::Fine;
    for call in calls {
        let envelope = call.run_alone();
        res = res.max(status(&envelope));
        if as_lines {
            line(&envelope, streams)?;
        } else {
            all.insert(envelope.meta.skill.clone(), envelope.to_value());
        }
    }
    if !as_lines {
        print(&Value::Object(all), streams)?;
    }
    Ok(res)
}

fn line(envelope: &Envelope, streams: &mut Streams) -> anyhow::Result<()> {
    print(&envelope.to_value(), streams)?;
    Ok(streams.stdout.flush()?)
}
