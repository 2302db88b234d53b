//! `skills-run refresh`: the values of static skills, once or by their cron texts.

use std::sync::mpsc;
use std::time::{Duration, Instant};

use serde_json::{Map, Value};
use skill_executor::call::{Call, Host, Options};
use skill_executor::config::Config;
use skill_executor::envelope::Envelope;
use skill_executor::package::SkillPackage;
use skill_executor::{approval, placeholder};
use skill_model::ExecutorKind;

use super::args::World;
use super::{config, print, refused, target};
use crate::nats::executors;
use crate::{ExitStatus, interrupt, output::Streams};

pub(super) fn run(
    host: &Host,
    names: &[String],
    watch: Option<u64>,
    world: World,
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
    let mut prepared = Vec::new();
    for skill in skills {
        let config = config(&skill, host, world.config.as_deref())?;
        prepared.push((skill, config));
    }
    let options = Options {
        cancel: interrupt::handle()?,
        ..Options::default()
    };
    let status = once(host, &prepared, &options, watch.is_some(), streams)?;
    match watch {
        None => Ok(status),
        Some(ms) => {
            let until = (ms > 0).then(|| Instant::now() + Duration::from_millis(ms));
            follow(host, &prepared, &options, until, streams)?;
            Ok(status)
        }
    }
}

/// One run of each; as lines when more will follow.
fn once(
    host: &Host,
    skills: &[(SkillPackage, Config)],
    options: &Options,
    as_lines: bool,
    streams: &mut Streams,
) -> anyhow::Result<ExitStatus> {
    let mut all = Map::new();
    let mut status = ExitStatus::Fine;
    for (skill, config) in skills {
        let envelope = executors(None).execute(&call(host, skill, config, options));
        if !envelope.is_ok() {
            status = ExitStatus::Findings;
        }
        if as_lines {
            line(&envelope, streams)?;
        } else {
            all.insert(skill.metadata.name.clone(), envelope.to_value());
        }
    }
    if !as_lines {
        print(&Value::Object(all), streams)?;
    }
    Ok(status)
}

/// Each skill by its own clock, a thread for each; the answers in the order of their coming.
fn follow(
    host: &Host,
    skills: &[(SkillPackage, Config)],
    options: &Options,
    until: Option<Instant>,
    streams: &mut Streams,
) -> anyhow::Result<()> {
    let (sender, answers) = mpsc::channel::<Envelope>();
    std::thread::scope(|scope| {
        for (skill, config) in skills {
            let sender = sender.clone();
            scope.spawn(move || {
                let call = call(host, skill, config, options);
                if approval::needs(&call).is_empty() {
                    placeholder::follow(&call, until, &mut |envelope| {
                        sender.send(envelope).is_ok()
                    });
                }
            });
        }
        drop(sender);
        for envelope in answers {
            line(&envelope, streams)?;
        }
        Ok(())
    })
}

fn call<'c>(
    host: &'c Host,
    skill: &'c SkillPackage,
    config: &'c Config,
    options: &'c Options,
) -> Call<'c> {
    Call {
        skill,
        command: None,
        input: &Value::Null,
        config,
        options,
        host,
    }
}

fn line(envelope: &Envelope, streams: &mut Streams) -> anyhow::Result<()> {
    print(&envelope.to_value(), streams)?;
    Ok(streams.stdout.flush()?)
}
