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
pub mod executors;
pub mod interrupt;
mod nodes;
mod refresh;
mod remote;
pub mod settings;
mod stats;
mod target;

use std::time::Duration;

use anyhow::{Context as _, anyhow};
use serde_json::Value;
use skill_executor::call::{Host, Options};
use skill_executor::envelope::{Envelope, ErrorCode, Failure};
use skill_executor::environment::{HostEnvironment, from_process};
use skill_executor::intent::choose_for;
use skill_executor::package::SkillPackage;
use skill_executor::policy::WEAKER;
use skill_executor::state::State;
use skill_executor::{PreparedCall, Registry, Request, Runner, json, results};
use skill_search::usage::used;

pub use args::Args;
pub use args::Walls;

use args::{CallArgs, Task, World};
use executors::executors;
use skills_cli::{ExitStatus, output::Streams, usage};
use skills_nodes::nats;

/// Runs the tool.
pub fn run(args: Args, streams: &mut Streams) -> anyhow::Result<ExitStatus> {
    let host = host(&args, streams)?;
    match args.task {
        Some(Task::Result { id }) => result(&host, &id, streams),
        Some(Task::Refresh { names, watch }) => {
            let runner = runner(executors(None), host, &args.world)?;
            let options = Options {
                approval: args.permits.approval(),
                ..Options::default()
            };
            refresh::run(&runner, &names, watch, (args.world, options), streams)
        }
        Some(Task::Approve { skill, revoke }) => {
            approve::run(&host, &skill, revoke, args.world, streams)
        }
        Some(Task::Nodes {
            nats: url,
            mirror,
            prepare,
            prefer,
            login,
        }) => {
            let server = nats::server(&login, &url);
            if prepare {
                nodes::prepare(&server)?;
            }
            nodes::run(&server, mirror, &prefer, args.world, streams)
        }
        Some(Task::Stats) => stats::run(&host, args.world, streams),
        None if args.chain.chain.is_some() => chain::run(host, &args, streams),
        None if args.intent.intent.is_some() => by_intent(host, &args, streams),
        None => {
            let skill = args.skill.clone().unwrap_or_default();
            if let (Some(url), false) = (&args.remote.nats, skill.contains('/')) {
                return remote::run(url, &skill, &args.remote, &args.call, streams);
            }
            call(host, &skill, &args, streams)
        }
    }
}

fn host(args: &Args, streams: &mut Streams) -> anyhow::Result<Host> {
    let file = args.permits.auth_code_file.as_deref();
    let (environment, why) = settings::with_auth_code(from_process(), file);
    if let Some(why) = why {
        writeln!(streams.stderr, "warning: {why}")?;
    }
    let state = settings::state_dir(args.world.state.clone(), &environment)?;
    let state = State::open(&state).map_err(|failure| anyhow!(failure.message))?;
    let environment = HostEnvironment::from_caller(environment, &args.permits.allow_env);
    Ok(Host {
        allow_shell: args.permits.allow_shell,
        strict: args.permits.strict,
        sandbox: args.permits.sandbox.sandbox(),
        ..Host::new(state, environment)
    })
}

fn call(host: Host, name: &str, args: &Args, streams: &mut Streams) -> anyhow::Result<ExitStatus> {
    let (skill, command) = match target::find(name, args.world.skills.clone())? {
        Ok(found) => found,
        Err(failure) => return refused(name, failure, streams),
    };
    let wanted = Wanted {
        skill,
        command,
        choice: None,
    };
    execute(host, wanted, args, streams)
}

/// Runs whatever skill fits.
fn by_intent(host: Host, args: &Args, streams: &mut Streams) -> anyhow::Result<ExitStatus> {
    let text = args.intent.intent.clone().unwrap_or_default();
    let catalog = target::catalog(args.world.skills.clone())?;
    match choose_for(&text, args.intent.min_confidence, &catalog) {
        Ok((skill, choice)) => {
            let wanted = Wanted {
                skill,
                command: None,
                choice: Some(choice),
            };
            execute(host, wanted, args, streams)
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
    host: Host,
    wanted: Wanted,
    args: &Args,
    streams: &mut Streams,
) -> anyhow::Result<ExitStatus> {
    let skill = &wanted.skill;
    let input = settings::input(args.call.input.as_deref())?;
    let mut options = options(&args.call)?;
    options.function = options
        .function
        .or(args.call.mode.and_then(|mode| mode.function(&input)));
    options.cancel = interrupt::handle()?;
    options.approval = args.permits.approval();
    let others = remote::others(&args.remote, &host);
    let runner = runner(executors(others), host, &args.world)?;
    let request = Request {
        command: args.call.command.clone().or(wanted.command),
        input,
        options,
        has_own_config: wanted.choice.is_none(),
    };
    let prepared = match runner.prepare(skill, request) {
        Ok(prepared) => prepared,
        Err(failure) => return refused(&skill.metadata.name, failure, streams),
    };
    if args.call.input.as_deref() != Some("-") {
        approve::ask(&prepared, streams)?;
    }
    let mut envelope = prepared.run();
    if let Some(path) = &args.call.usage {
        usage::append(path, &used("run", &skill.metadata.name))?;
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
    runner.release();
    Ok(if envelope.is_ok() {
        ExitStatus::Fine
    } else {
        ExitStatus::Findings
    })
}

/// Prepares the same request for many skills.
fn prepare_all<'r>(
    runner: &'r Runner,
    skills: &'r [SkillPackage],
    request: &Request,
) -> Result<Vec<PreparedCall<'r>>, Failure> {
    let prepared = skills
        .iter()
        .map(|skill| runner.prepare(skill, request.clone()));
    prepared.collect()
}

/// Returns what runs calls with the configuration file that the user named.
fn runner(registry: Registry, host: Host, world: &World) -> anyhow::Result<Runner> {
    let file = world.config.as_deref().map(settings::read_file).transpose();
    let file = file.context("cannot read the configuration")?;
    Ok(Runner::new(registry, host).with_config(file))
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
