//! `skills-run refresh`: the values of static skills, once or by their cron texts.

use std::sync::mpsc;
use std::time::{Duration, Instant};

use serde_json::{Map, Value};
use skill_executor::call::Options;
use skill_executor::envelope::Envelope;
use skill_executor::{PreparedCall, Request, Runner};
use skill_model::ExecutorKind;

use super::args::World;
use super::{prepare_all, print, refused, target};
use crate::interrupt;
use skills_cli::{ExitStatus, output::Streams};

pub(super) fn run(
    runner: &Runner,
    names: &[String],
    watch: Option<u64>,
    (world, mut options): (World, Options),
    streams: &mut Streams,
) -> anyhow::Result<ExitStatus> {
    let mut skills = Vec::new();
    for name in names {
        match target::find(name, world.skills.clone())? {
            Ok((skill, _)) => skills.push(skill),
            Err(failure) => return refused(name, failure, streams),
        }
    }
    if names.is_empty() {
        skills = target::all(world.skills)?;
        skills.retain(|skill| skill.metadata.executor == ExecutorKind::Static);
    }
    options.cancel = interrupt::handle()?;
    let request = Request {
        options,
        ..Request::default()
    };
    let calls = match prepare_all(runner, &skills, &request) {
        Ok(calls) => calls,
        Err(failure) => return refused("", failure, streams),
    };
    let status = once(&calls, watch.is_some(), streams)?;
    match watch {
        None => Ok(status),
        Some(ms) => {
            let until = (ms > 0).then(|| Instant::now() + Duration::from_millis(ms));
            follow(&calls, until, streams)?;
            Ok(status)
        }
    }
}

/// One run of each; as lines when more will follow.
fn once(
    calls: &[PreparedCall<'_>],
    as_lines: bool,
    streams: &mut Streams,
) -> anyhow::Result<ExitStatus> {
    let mut all = Map::new();
    let mut status = ExitStatus::Fine;
    for call in calls {
        let envelope = call.run_alone();
        if !envelope.is_ok() {
            status = ExitStatus::Findings;
        }
        if as_lines {
            line(&envelope, streams)?;
        } else {
            all.insert(envelope.meta.skill.clone(), envelope.to_value());
        }
    }
    if !as_lines {
        print(&Value::Object(all), streams)?;
    }
    Ok(status)
}

/// Each skill by its own clock, a thread for each; the answers in the order of their coming.
fn follow(
    calls: &[PreparedCall<'_>],
    until: Option<Instant>,
    streams: &mut Streams,
) -> anyhow::Result<()> {
    let (sender, answers) = mpsc::channel::<Envelope>();
    std::thread::scope(|scope| {
        for call in calls {
            let sender = sender.clone();
            scope.spawn(move || {
                call.follow(until, &mut |envelope| sender.send(envelope).is_ok());
            });
        }
        drop(sender);
        for envelope in answers {
            line(&envelope, streams)?;
        }
        Ok(())
    })
}

fn line(envelope: &Envelope, streams: &mut Streams) -> anyhow::Result<()> {
    print(&envelope.to_value(), streams)?;
    Ok(streams.stdout.flush()?)
}
