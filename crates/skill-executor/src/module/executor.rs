//! The executor of JavaScript modules.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::{Map, Value, json};
use skill_model::{ExecutorKind, Transport};
use skill_sandbox::{Exit, Spec};

use super::function::ModuleFunction;
use super::launch::{HostView, Launch};
use super::link::{Event, LinkError};
use super::select::select;
use super::wire::{Refusal, RefusalKind, Reply};
use super::worker::{Remainder, Worker, WorkerError};
use crate::answer::answer;
use crate::call::{Call, DEFAULT_TIMEOUT, LONGEST};
use crate::envelope::{Envelope, ErrorCode, Failure, MAX_DIAGNOSTICS, Meta, Success, Warning};
use crate::executor::Executor;
use crate::normalise::is_truthy;
use crate::package::SkillPackage;
use crate::placeholder::known;
use crate::redact::Redactor;
use crate::view::View;
use crate::{arguments, beside, environment, json, policy, view};

/// The bridge keeps the time limit itself; a module that keeps its process busy is killed so much
/// later.
const GRACE: Duration = Duration::from_millis(400);

/// The default time limit of messages and requests. The old host had none: the time limit of a
/// skill applies to tool calls alone (`docs/design/legacy-host.md` §1.6).
const PATIENCE: Duration = Duration::from_mins(5);

/// The time for which a process may continue after the process of its caller has ended.
const LINGER: Duration = Duration::from_secs(30);

/// Runs modules, each skill in one long-lived process. Dropping it kills them.
#[derive(Default, Debug)]
pub struct Modules {
    workers: Mutex<BTreeMap<PathBuf, Arc<Worker>>>,
}

impl Executor for Modules {
    fn kind(&self) -> ExecutorKind {
        ExecutorKind::Service
    }

    fn handles(&self, skill: &SkillPackage) -> bool {
        skill.metadata.transport == Some(Transport::Module)
    }

    fn execute(&self, call: &Call<'_>) -> Envelope {
        answer(call, |meta, warnings| run(self, call, meta, warnings))
    }

    fn preload(&self, call: &Call<'_>) -> Result<bool, Failure> {
        let name = call.skill.legacy_name();
        let started = self.worker(call)?.exports();
        let started = started.map_err(|failed| failure(&failed, name));
        started.map_err(|failure| Redactor::new(call).redact_failure(failure))?;
        Ok(true)
    }

    fn release(&self) {
        for worker in std::mem::take(&mut *self.workers()).into_values() {
            worker.leave(LINGER);
        }
    }
}

impl Modules {
    fn workers(&self) -> MutexGuard<'_, BTreeMap<PathBuf, Arc<Worker>>> {
        self.workers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The process of a skill. One that was started with another configuration is ended first; the
    /// files of the skill are looked at only when a process is started.
    pub(super) fn worker(&self, call: &Call<'_>) -> Result<Arc<Worker>, Failure> {
        let is_same = |worker: &Worker| {
            let launch = worker.launch();
            launch.configuration == call.config.values && launch.stored == call.config.stored
        };
        let mut workers = self.workers();
        let known = workers.get(&call.skill.dir);
        if let Some(known) = known.filter(|known| is_same(known)) {
            view::share_files(call.skill, &call.host.state)?;
            return Ok(Arc::clone(known));
        }
        // First: while the old one is there, a call that depends on an approval does not begin.
        if let Some(old) = workers.remove(&call.skill.dir) {
            old.shutdown();
        }
        let (launch, spec) = launch(call)?;
        let worker = Arc::new(Worker::new(launch, spec));
        workers.insert(call.skill.dir.clone(), Arc::clone(&worker));
        Ok(worker)
    }

    /// Ends every module properly.
    pub fn shutdown(&self) {
        for worker in std::mem::take(&mut *self.workers()).into_values() {
            worker.shutdown();
        }
    }
}

/// Returns what to start for a skill, after its view of the old host is up to date.
fn launch(call: &Call<'_>) -> Result<(Launch, Spec), Failure> {
    let (skill, host) = (call.skill, &call.host.environment);
    let entry = skill.metadata.entry.as_ref();
    let module = entry
        .and_then(|entry| entry.module.as_deref())
        .ok_or_else(|| {
            let message = format!("skill `{}` names no module", skill.metadata.name);
            Failure::new(ErrorCode::NotRunnable, message)
        })?;
    let view = View::prepare(call)?;
    let mut env = environment::with_provided(call, &view)?;
    env.insert("PWD".to_owned(), view.base.display().to_string());
    let setting = |name: &str| host.get(name).cloned();
    let needs = (skill.metadata.host_requires.iter()).chain(&skill.metadata.host_answered);
    let lists_others = needs.clone().any(|part| part == "plugin-manager");
    let mut settings = Map::new();
    if lists_others {
        let keys = environment::provided::image_server(&call.host.state)?;
        settings.insert("ImageServer".to_owned(), keys.into());
    }
    let launch = Launch {
        name: skill.legacy_name().to_owned(),
        file: view.cwd.join(module),
        cwd: view.base.clone(),
        environment: env
            .into_iter()
            .map(|(name, value)| (name.into(), value.into()))
            .collect(),
        configuration: call.config.values.clone(),
        stored: call.config.stored.clone(),
        host: HostView {
            project_base: view.base.display().to_string(),
            port: Some(environment::provided::port(call)),
            key: call.config.text("Key").or_else(|| setting("Key")),
            debug: call.config.values.get("DebugMode") == Some(&Value::Bool(true)),
            needs: needs.cloned().collect(),
            skills: if lists_others {
                beside::registry(skill, &call.host.state)
            } else {
                Vec::new()
            },
            settings,
        },
        preserve_symlinks: false,
        memory_mb: skill.metadata.limits.memory_mb,
    };
    let mut spec = launch.spec();
    spec.at_exit = policy::at_exit(Some(LINGER));
    policy::confine(call, &view, &mut spec)?;
    Ok((launch, spec))
}

/// Makes one call, and records what else the module printed.
fn run(
    modules: &Modules,
    call: &Call<'_>,
    meta: &mut Meta,
    warnings: &mut Vec<Warning>,
) -> Result<Success, Failure> {
    let function = select(call)?;
    let mut input = Cow::Borrowed(call.input);
    if function == ModuleFunction::Tool {
        let prepared = arguments::prepare(call)?;
        meta.command = prepared.command.map(str::to_owned);
        warnings.extend(prepared.warnings);
        input = prepared.input;
    }
    let worker = modules.worker(call)?;
    let answer = ask(call, function, &input, &worker);
    // Only a process that still runs can say what it is confined by.
    if let Some(report) = worker.confinement() {
        policy::note(&mut meta.extra, call, &report);
    }
    if call.options.shutdown {
        worker.shutdown();
    }
    let steps = note(meta, worker.take_remainder(), &Redactor::new(call));
    let (value, warning) = answer?;
    warnings.extend(warning);
    Ok(Success {
        intermediate_steps: steps,
        ..Success::new(value.unwrap_or_default())
    })
}

/// Asks the module, which may call other skills meanwhile.
fn ask_worker(
    call: &Call<'_>,
    request: Value,
    timeout: Duration,
    worker: &Worker,
) -> Result<Reply, WorkerError> {
    let cancel = &call.options.cancel;
    let mut request = map(request);
    let fed = known::values(call.skill, call.host);
    if !fed.is_empty() {
        request.insert(
            "placeholders".to_owned(),
            fed.into_iter().collect::<Map<_, _>>().into(),
        );
    }
    let Some(others) = call.others else {
        return worker.ask_unless(request, timeout, cancel);
    };
    let others = |name: &str, args: Value, limit: Duration| others.call(name, args, limit);
    worker.ask_with(request, timeout, cancel, Some(&others))
}

type Answer = Result<(Option<Value>, Option<Warning>), Failure>;

fn ask(call: &Call<'_>, function: ModuleFunction, input: &Value, worker: &Worker) -> Answer {
    match function {
        ModuleFunction::Tool => tool(call, input, worker),
        ModuleFunction::Messages => messages(call, Some(input), worker),
        ModuleFunction::Requests => requests(call, input, worker),
        ModuleFunction::Routes => routes(call, worker),
    }
}

/// The time limit of everything but tool calls.
fn patience(call: &Call<'_>) -> Duration {
    call.options.timeout.unwrap_or(PATIENCE).min(LONGEST)
}

/// `processToolCall`, within the time limit of the skill.
fn tool(call: &Call<'_>, input: &Value, worker: &Worker) -> Answer {
    let timeout = call.timeout(DEFAULT_TIMEOUT);
    let name = call.skill.legacy_name();
    let mut context = json!({
        "requestIp": call.options.request_ip,
        "sourceNode": null,
        "pluginName": name,
    });
    if call.skill.metadata.permissions.admin
        && let Some(code) = call.host.environment.code()
    {
        context["decryptedAuthCode"] = code.into();
    }
    let args = if input.is_null() {
        json!({})
    } else {
        input.clone()
    };
    let request =
        json!({"op": "call", "args": args, "context": context, "timeoutMs": millis(timeout)});
    let reply = ask_worker(call, request, timeout + GRACE, worker);
    let reply = reply.map_err(|failed| match failed {
        WorkerError::Link(LinkError::Silent) => timed_out(name, timeout),
        failed => failure(&failed, name),
    })?;
    finished(reply, name)
}

/// The code of the warning about a module that passes its input on because it failed.
pub const FAILED: &str = "preprocessor-failed";

/// `processMessages`. `None` is JavaScript's undefined, going in and coming out. What does not
/// answer passes its input on, like everything that fails; a module that cannot be loaded has no
/// such function, and that is an error.
pub(super) fn messages(call: &Call<'_>, messages: Option<&Value>, worker: &Worker) -> Answer {
    let name = call.skill.legacy_name();
    let loaded = worker.load(patience(call), &call.options.cancel);
    loaded.map_err(|failed| failure(&failed, name))?;
    let mut request = map(json!({"op": "messages", "configuration": call.options.request_config}));
    if let Some(messages) = messages {
        request.insert("messages".to_owned(), messages.clone());
    }
    let passed_on = |failed: WorkerError| {
        let message = format!(
            "{}; the messages are passed on",
            failure(&failed, name).message
        );
        (messages.cloned(), Some(warning(FAILED, message)))
    };
    match ask_worker(call, Value::Object(request), patience(call), worker) {
        Ok(reply) => finished(reply, name),
        Err(failed) => Ok(passed_on(failed)),
    }
}

/// Requests to the routes, one after the other.
fn requests(call: &Call<'_>, input: &Value, worker: &Worker) -> Answer {
    let timeout = patience(call);
    let request = json!({
        "op": "requests",
        "requests": input,
        "routes": {"namespaced": has_api_routes(call.skill)},
        "timeoutMs": millis(timeout),
    });
    let name = call.skill.legacy_name();
    let count = input.as_array().map_or(1, Vec::len).max(1);
    let all = timeout.saturating_mul(u32::try_from(count).unwrap_or(u32::MAX)) + GRACE;
    let reply = ask_worker(call, request, all, worker);
    finished(reply.map_err(|failed| failure(&failed, name))?, name)
}

/// The routes that the module registers: an array of `{method, path}`.
fn routes(call: &Call<'_>, worker: &Worker) -> Answer {
    let request = json!({"op": "routes", "routes": {"namespaced": has_api_routes(call.skill)}});
    let name = call.skill.legacy_name();
    let reply = worker.ask_unless(map(request), patience(call), &call.options.cancel);
    finished(reply.map_err(|failed| failure(&failed, name))?, name)
}

/// Returns true if the manifest asked for `registerApiRoutes`.
fn has_api_routes(skill: &SkillPackage) -> bool {
    match &skill.manifest {
        Some(manifest) => is_truthy(&manifest["hasApiRoutes"]),
        None => {
            let routes = skill.metadata.routes.as_ref();
            routes.is_some_and(|routes| routes.style == "namespaced")
        }
    }
}

fn finished(reply: Reply, name: &str) -> Answer {
    let warning = reply.warning.map(|message| warning(FAILED, message));
    let value = reply.outcome.map_err(|refusal| refused(refusal, name))?;
    Ok((value, warning))
}

fn warning(code: &'static str, message: String) -> Warning {
    Warning {
        code,
        message,
        pointer: None,
    }
}

fn timed_out(name: &str, timeout: Duration) -> Failure {
    let message = format!(
        "Plugin \"{name}\" direct tool call timed out after {}ms.",
        timeout.as_millis()
    );
    Failure::new(ErrorCode::Timeout, message)
}

/// Describes a failed call for its caller.
fn failure(failed: &WorkerError, name: &str) -> Failure {
    let code = match failed {
        WorkerError::Load(refusal) => return refused(refusal.clone(), name),
        WorkerError::Pause(_) => ErrorCode::Unavailable,
        WorkerError::Link(LinkError::Unconfined(_)) => ErrorCode::Denied,
        WorkerError::Link(LinkError::Start(_)) => ErrorCode::SpawnFailed,
        WorkerError::Link(LinkError::Ended(_)) => ErrorCode::ExitCode,
        WorkerError::Link(LinkError::Silent) => ErrorCode::Timeout,
        WorkerError::Link(LinkError::Cancelled) => ErrorCode::Cancelled,
        WorkerError::Link(LinkError::TooLarge(_)) => ErrorCode::InvalidInput,
    };
    let res = Failure::new(code, format!("Plugin \"{name}\": {failed}"));
    match failed {
        WorkerError::Link(LinkError::Ended(Some(Exit::Code(code)))) => res.with("exit_code", *code),
        WorkerError::Link(LinkError::Ended(Some(Exit::Signal(signal)))) => {
            res.with("signal", *signal)
        }
        _ => res,
    }
}

fn refused(refusal: Refusal, name: &str) -> Failure {
    let code = match refusal.kind {
        RefusalKind::NotLoaded | RefusalKind::NotCallable => ErrorCode::NotRunnable,
        RefusalKind::Exception | RefusalKind::PluginError => ErrorCode::PluginError,
        RefusalKind::Timeout => ErrorCode::Timeout,
        RefusalKind::Cancelled => ErrorCode::Cancelled,
        RefusalKind::TooLarge => ErrorCode::TooLarge,
    };
    let mut details = refusal.legacy;
    // The time of a failure differs between two runs.
    details.shift_remove("timestamp");
    if let Some(code) = refusal.code {
        details.entry("code").or_insert(*code);
    }
    let message = match refusal.message {
        message if message.is_empty() => format!("Plugin \"{name}\" failed without a word."),
        message => message,
    };
    Failure {
        code,
        message,
        details,
    }
}

/// Messages of a module to clients and to the rest of the host.
const STEPS: [&str; 5] = [
    "broadcast",
    "message-to-client",
    "placeholder",
    "vcp-info",
    "vcp-log",
];

/// Records further output of the module: its standard error, and its events. Returns those events
/// that are messages to others.
fn note(meta: &mut Meta, left: Remainder, redactor: &Redactor) -> Vec<Value> {
    let stderr = json::trim(&left.stderr);
    if !stderr.is_empty() {
        meta.stderr = Some(redactor.redact(json::utf16_prefix(stderr, MAX_DIAGNOSTICS)));
    }
    let stdout = json::trim(&left.stdout);
    if !stdout.is_empty() {
        let text = redactor.redact(json::utf16_prefix(stdout, MAX_DIAGNOSTICS));
        meta.extra.insert("stdout".to_owned(), text.into());
    }
    let is_step = |event: &&Event| STEPS.contains(&event.name.as_str());
    let steps = left.events.iter().filter(is_step);
    let steps = steps.map(|step| redactor.redact_value(event(step.clone())));
    let steps = steps.collect();
    if !left.events.is_empty() {
        let events = left.events.into_iter().map(event);
        meta.extra
            .insert("events".to_owned(), redactor.redact_value(events.collect()));
    }
    steps
}

fn event(Event { name, data }: Event) -> Value {
    json!({"event": name, "data": data})
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

fn map(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        other => unreachable!("written as an object above: {other}"),
    }
}
