//! `skills-run`: one call of one skill.
//!
//! - [`Args`]: what the user typed; `settings`: what was meant.
//! - `target`: from a directory or a name to a skill; `chain`: from directories to a chain.
//! - `remote`, `nodes`: skills on other machines.
//! - `refresh`, `approve`, `stats`: what the tool does besides.
//!
//! Everything that can be said of a call is said in its envelope, on standard output.

mod approve;
mod args;
mod chain;
mod nodes;
mod refresh;
mod remote;
pub(crate) mod settings;
mod stats;
mod target;

use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, anyhow};
use serde_json::Value;
use skill_executor::call::{Call, Host, Options};
use skill_executor::config::{Config, declared, resolve, resolve_own};
use skill_executor::envelope::{Envelope, ErrorCode, Failure};
use skill_executor::environment::HostEnvironment;
use skill_executor::intent::choose_for;
use skill_executor::package::SkillPackage;
use skill_executor::policy::WEAKER;
use skill_executor::state::State;
use skill_executor::zone::Zone;
use skill_executor::{fallback, json, names, results};
use skill_nats::Distributed;

pub use args::Args;
pub(crate) use args::Walls;

use crate::nats::executors;
use crate::{ExitStatus, interrupt, output::Streams, usage};
use args::{CallArgs, Task, World};

/// Runs the tool.
pub fn run(args: Args, streams: &mut Streams) -> anyhow::Result<ExitStatus> {
    let host = host(&args, streams)?;
    match args.task {
        Some(Task::Result { id }) => result(&host, &id, streams),
        Some(Task::Refresh { names, watch }) => {
            refresh::run(&host, &names, watch, args.world, streams)
        }
        Some(Task::Approve { skill, revoke }) => {
            approve::run(&host, &skill, revoke, args.world, streams)
        }
        Some(Task::Nodes {
            nats,
            mirror,
            prepare,
            prefer,
            login,
        }) => {
            let server = login.server(&nats);
            if prepare {
                nodes::prepare(&server)?;
            }
            nodes::run(&server, mirror, &prefer, args.world, streams)
        }
        Some(Task::Stats) => stats::run(&host, args.world, streams),
        None if args.chain.chain.is_some() => chain::run(&host, &args, streams),
        None if args.intent.intent.is_some() => by_intent(&host, args, streams),
        None => {
            let skill = args.skill.unwrap_or_default();
            if let (Some(url), false) = (&args.remote.nats, skill.contains('/')) {
                return remote::run(url, &skill, &args.remote, &args.call, streams);
            }
            let others = remote::others(&args.remote, &host);
            call(&host, others, &skill, &args.call, args.world, streams)
        }
    }
}

fn host(args: &Args, streams: &mut Streams) -> anyhow::Result<Host> {
    let file = args.permits.auth_code_file.as_deref();
    let (environment, why) = settings::with_auth_code(settings::environment(), file);
    if let Some(why) = why {
        writeln!(streams.stderr, "warning: {why}")?;
    }
    let zone = Zone::from_environment(&environment);
    let state = settings::state_dir(args.world.state.clone(), &environment)?;
    let state = State::open(&state).map_err(|failure| anyhow!(failure.message))?;
    Ok(Host {
        environment: HostEnvironment::of_caller(environment, &args.permits.allow_env),
        state,
        allow_shell: args.permits.allow_shell,
        approved: args.permits.approve,
        strict: args.permits.strict,
        sandbox: args.permits.sandbox.sandbox(),
        zone,
    })
}

fn call(
    host: &Host,
    others: Option<Distributed>,
    name: &str,
    args: &CallArgs,
    world: World,
    streams: &mut Streams,
) -> anyhow::Result<ExitStatus> {
    let (skill, command) = match target::find(name, world.skills)? {
        Ok(found) => found,
        Err(failure) => return refused(name, failure, streams),
    };
    let wanted = Wanted {
        skill,
        command,
        choice: None,
    };
    execute(host, others, wanted, args, world.config.as_deref(), streams)
}

/// Runs whatever skill fits.
fn by_intent(host: &Host, args: Args, streams: &mut Streams) -> anyhow::Result<ExitStatus> {
    let text = args.intent.intent.unwrap_or_default();
    let world = args.world;
    let catalog = target::catalog(world.skills)?;
    match choose_for(&text, args.intent.min_confidence, &catalog) {
        Ok((skill, choice)) => {
            let others = remote::others(&args.remote, host);
            let wanted = Wanted {
                skill,
                command: None,
                choice: Some(choice),
            };
            let config = world.config.as_deref();
            execute(host, others, wanted, &args.call, config, streams)
        }
        Err(failure) => refused(&text, failure, streams),
    }
}

/// A skill that is to run.
struct Wanted {
    skill: SkillPackage,
    /// The command that its name was.
    command: Option<String>,
    /// How it was chosen, where no name was given.
    choice: Option<Value>,
}

fn execute(
    host: &Host,
    others: Option<Distributed>,
    wanted: Wanted,
    args: &CallArgs,
    config_file: Option<&Path>,
    streams: &mut Streams,
) -> anyhow::Result<ExitStatus> {
    let skill = &wanted.skill;
    let command = match args.command.as_deref().or(wanted.command.as_deref()) {
        Some(id) => match names::command(&skill.metadata, id) {
            Ok(id) => Some(id),
            Err(failure) => return refused(&skill.metadata.name, failure, streams),
        },
        None => None,
    };
    let input = settings::input(args.input.as_deref())?;
    let mut options = options(args)?;
    options.facet = options
        .facet
        .or(args.mode.and_then(|mode| mode.facet(&input)));
    options.cancel = interrupt::handle()?;
    let own = match wanted.choice {
        None => own_config(skill, host, config_file)?,
        Some(_) => config(skill, host, config_file)?,
    };
    let call = Call {
        skill,
        command,
        input: &input,
        config: &own,
        options: &options,
        host,
    };
    if args.input.as_deref() != Some("-") {
        approve::ask(&call, streams)?;
    }
    let registry = executors(others);
    let find = |name: &str| {
        let other = fallback::beside(skill, name)?;
        let config = config(&other, host, config_file);
        let config = config.map_err(|error| Failure::new(ErrorCode::Io, format!("{error:#}")))?;
        Ok((other, config))
    };
    let mut envelope = registry.execute_or_fall_back(&call, &find);
    if let Some(path) = &args.usage {
        usage::used(path, "run", &skill.metadata.name)?;
    }
    if let Some(choice) = wanted.choice {
        envelope.meta.extra.insert("intent".to_owned(), choice);
    }
    for warning in &envelope.warnings {
        if warning.code == WEAKER {
            writeln!(streams.stderr, "warning: {}", warning.message)?;
        }
    }
    print(&envelope.to_value(), streams)?;
    registry.release();
    Ok(if envelope.is_ok() {
        ExitStatus::Fine
    } else {
        ExitStatus::Findings
    })
}

/// The configuration of a skill, from a file that the user named, maybe for many skills.
fn config(skill: &SkillPackage, host: &Host, file: Option<&Path>) -> anyhow::Result<Config> {
    let file = read_config(file)?;
    let declared = declared(&skill.metadata, skill.manifest.as_ref());
    Ok(resolve(&declared, file.as_deref(), &host.environment))
}

/// The configuration of a skill, from a file that the user named together with the skill.
fn own_config(skill: &SkillPackage, host: &Host, file: Option<&Path>) -> anyhow::Result<Config> {
    let file = read_config(file)?;
    let manifest = skill.manifest.as_ref();
    Ok(resolve_own(
        &skill.metadata,
        manifest,
        file.as_deref(),
        &host.environment,
    ))
}

fn read_config(file: Option<&Path>) -> anyhow::Result<Option<String>> {
    let file = file.map(settings::read_file).transpose();
    file.context("cannot read the configuration")
}

fn options(args: &CallArgs) -> anyhow::Result<Options> {
    let written = settings::parsed(args.options.as_deref().unwrap_or_default(), "--options")?;
    let mut res = Options::read(&written).map_err(|why| anyhow!(why))?;
    res.timeout = args.timeout.map(Duration::from_millis).or(res.timeout);
    res.wait = args.wait.map(Duration::from_millis).or(res.wait);
    if let Some(from) = args.state_from {
        res.state_from = from.into();
    }
    Ok(res)
}

fn result(host: &Host, id: &str, streams: &mut Streams) -> anyhow::Result<ExitStatus> {
    match results::by_id(&host.state, id) {
        Ok(value) => {
            print(&value, streams)?;
            Ok(ExitStatus::Fine)
        }
        Err(failure) => refused(id, failure, streams),
    }
}

/// A call that did not come to an executor.
fn refused(name: &str, failure: Failure, streams: &mut Streams) -> anyhow::Result<ExitStatus> {
    let status = match failure.code {
        ErrorCode::NotRunnable => ExitStatus::Findings,
        _ => ExitStatus::CouldNotRun,
    };
    let envelope = Envelope::failed(name, "none", failure);
    print(&envelope.to_value(), streams)?;
    Ok(status)
}

fn print(value: &Value, streams: &mut Streams) -> anyhow::Result<()> {
    Ok(writeln!(streams.stdout, "{}", json::stringify(value))?)
}
