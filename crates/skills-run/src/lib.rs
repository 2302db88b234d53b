//! `skills-run`: one call of one skill.
//!
//! - [`Args`]: the arguments; `settings`: their meaning; `host`: the environment of calls.
//! - `chain`: runs several skills one after another; `prepare`: installs packages.
//! - `remote`, `nodes`: other machines; `configure`, `refresh`, `approve`: subcommands.
//!
//! The result of a call, also a failure, is its envelope on standard output; on a terminal, its text.

mod answer;
mod approve;
mod args;
mod chain;
mod configure;
pub mod executors;
mod host;
mod nodes;
mod prepare;
mod refresh;
mod remote;
pub mod settings;

use emulated_runs::Session;
use serde_json::Value;
use skill_executor::call::{Host, Options};
use skill_executor::envelope::Failure;
use skill_executor::intent::choose_for;
use skill_executor::package::SkillPackage;
use skill_executor::policy::WEAKER;
use skill_executor::{Request, Runner, metrics, prepare as install, results, target};
use skill_introspection::{Tools, introspect_all};
use skill_loader::fs::append_line;
use skill_search::usage::used;

pub use args::{Args, SandboxLevel};

use answer::{print, print_failure, print_result, show, status};
use args::Task;
use executors::executors;
use host::{host, runner};
use settings::options;
use skills_cli::{ExitStatus, output::Streams};
use skills_nodes::nats;

/// Runs the tool.
///
/// # Errors
///
/// The work is not possible: an argument is invalid, or a file or the state directory cannot be
/// opened. The failure of a skill is an answer.
pub fn run(args: Args, streams: &mut Streams) -> anyhow::Result<ExitStatus> {
    let name = args.skill.clone().unwrap_or_default();
    let is_call = args.task.is_none();
    match perform(args, streams) {
        // A program reads the answer of a call, also of one that could not begin.
        Err(error) if is_call && streams.columns.is_none() => {
            print_failure(&name, Failure::unstarted(error.as_ref()), streams)
        }
        res => res,
    }
}

fn perform(args: Args, streams: &mut Streams) -> anyhow::Result<ExitStatus> {
    if args.call.json {
        // The answer is for a program, even if a terminal shows it.
        streams.columns = None;
    }
    let host = host(&args, streams)?;
    match args.task {
        Some(Task::Result { id }) => print_result(&id, results::by_id(&host.state, &id), streams),
        Some(Task::Refresh { names, watch }) => {
            let runner = runner(executors(None), host, &args.locations)?;
            let options = Options {
                approval: args.permissions.approval(),
                ..Options::default()
            };
            refresh::run(&runner, &names, watch, (args.locations, options), streams)
        }
        Some(Task::Approve { skill, revoke }) => {
            approve::run(&host, &skill, revoke, args.locations, streams)
        }
        Some(Task::Introspect { names, dry_run }) => {
            let places = (names, args.locations.skills.clone());
            let runner = runner(executors(None), host, &args.locations)?;
            let tools = Tools::of_dry_run(dry_run);
            let calls = (&runner, skill_interrupt::handle()?, tools);
            let res = introspect_all(&places, &calls, &mut |it| {
                approve::ask(it, streams).map(drop)
            })?;
            print(&res.0, streams)?;
            Ok(ExitStatus::fine_if(res.1))
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
            nodes::run(&server, mirror, &prefer, args.locations, streams)
        }
        Some(Task::Prepare(task)) => prepare::run(&host, task, args.locations, streams),
        Some(Task::Configure(task)) => configure::run(&host, task, args.locations, streams),
        Some(Task::Prune) => print_result("", install::prune(&host.state), streams),
        Some(Task::Stats) => {
            let skills = target::all(args.locations.skills).unwrap_or_default();
            print_result("", Ok(metrics::report(&host.state, &skills)), streams)
        }
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

fn call(host: Host, name: &str, args: &Args, streams: &mut Streams) -> anyhow::Result<ExitStatus> {
    match target::find(name, args.locations.skills.clone())? {
        Ok((skill, command)) => execute(host, (skill, command, None), args, streams),
        Err(failure) => print_failure((name, args.call.command.as_deref()), failure, streams),
    }
}

/// Runs the skill that fits a request.
fn by_intent(host: Host, args: &Args, streams: &mut Streams) -> anyhow::Result<ExitStatus> {
    let text = args.intent.intent.clone().unwrap_or_default();
    let catalog = target::catalog(args.locations.skills.clone())?;
    match choose_for(&text, args.intent.min_confidence, &catalog) {
        Ok((skill, choice)) => execute(host, (skill, None, Some(choice)), args, streams),
        Err(failure) => print_failure(&text, failure, streams),
    }
}

/// A skill to run; the command, if the name was that of a command; and the reason for the choice, if
/// the skill was chosen by a request.
type Target = (SkillPackage, Option<String>, Option<Value>);

fn execute(
    mut host: Host,
    (ref skill, command, choice): Target,
    args: &Args,
    streams: &mut Streams,
) -> anyhow::Result<ExitStatus> {
    if args.call.prepare {
        let (one, settings) = (std::slice::from_ref(skill), install::settings(Vec::new()));
        let prepared = install::prepare(one, &host.state, &settings, &mut streams.remarks());
        if let Err(failure) = prepared {
            return print_failure(&skill.metadata.name, failure, streams);
        }
    }
    let given = settings::input(args.call.input.as_deref())?;
    let mut options = options(&args.call)?;
    let function = args.call.mode.and_then(|it| it.function(&given.value));
    options.function = options.function.or(function);
    (options.changed_numbers, options.approval) = (given.changed, args.permissions.approval());
    options.cancel = skill_interrupt::handle()?;
    let (input, distributed) = (given.value, remote::executor(&args.remote, &host));
    let command = args.call.command.clone().or(command);
    let mut config = host::config(&args.locations)?;
    let network = args.network.network(args.cassettes.as_deref())?;
    let (call, both) = ((command.as_deref(), &input), (&mut host, &mut config));
    let session = network
        .map(|it| anyhow::Ok(Session::begin(it, skill, call, both)?))
        .transpose()?;
    let runner = Runner::new(executors(distributed), host).with_config(config);
    let asked = (&*skill.metadata.name, command.as_deref());
    let request = Request {
        command: command.clone(),
        input,
        options,
        has_own_config: choice.is_none(),
    };
    let mut prepared = match runner.prepare(skill, request) {
        Ok(prepared) => prepared,
        Err(failure) => return print_failure(asked, failure, streams),
    };
    if args.call.dry_run {
        return print_result(asked, prepared.dry_run(), streams);
    }
    if args.call.input.as_deref() != Some("-") && approve::ask(&prepared, streams)? {
        let _ = prepared.approve(); // without it, the call is refused and says so
    }
    let mut envelope = prepared.run();
    if let Some(path) = &args.call.usage {
        let line = used("run", &skill.metadata.name).to_string();
        append_line(path, &line).unwrap_or_else(|error| envelope.warn_unrecorded(&error));
    }
    let choice = choice.map(|it| ("intent".to_owned(), it));
    envelope.meta.extra.extend(choice);
    if let Some(session) = session {
        let out = (&mut streams.stderr as _, streams.language);
        let ended = session.end(&mut envelope, args.network.yes, out);
        ended.unwrap_or_else(|error| envelope.warn_unrecorded(&error));
    }
    envelope.name_skills(&args.locations.skills);
    for warning in &envelope.warnings {
        if warning.code == WEAKER && streams.columns.is_none() {
            streams.remark(&format!("warning: {}", warning.message))?;
        }
    }
    show(&envelope.to_value(), streams)?;
    runner.release();
    Ok(status(&envelope))
}
