//! The executor of skills whose commands are tools of an MCP server.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use serde_json::{Map, Value, json};
use skill_model::{Entry, ExecutorKind, Metadata, Permissions, Requires, Transport};
use skill_settings::Values;

use super::http::{Requests, Streamable};
use super::inbox::{Inbox, Watch};
use super::launch;
use super::outcome::outcome;
use super::program::Program;
use super::session::{Session, Wait};
use super::sse::Events;
use super::steps::{Steps, bounded};
use super::tools::Introspection;
use crate::answer::answer;
use crate::arguments;
use crate::call::{Call, DISTRIBUTED_TIMEOUT, Options, Purpose};
use crate::envelope::{Envelope, ErrorCode, Failure, MAX_DIAGNOSTICS, Meta, Success};
use crate::executor::Executor;
use crate::json::utf16_prefix;
use crate::package::SkillPackage;
use crate::progress::{Log, Progress};
use crate::redact::Redactor;
use crate::selection::introspection;
use crate::{hints, policy, preflight};

/// The sessions of a process, one for each server. Dropping it ends them.
#[derive(Default, Debug)]
pub struct McpServers {
    slots: Mutex<BTreeMap<PathBuf, Arc<Slot>>>,
}

/// The session of a skill. It is locked while a server is started.
#[derive(Default, Debug)]
struct Slot(Mutex<Option<(Basis, Arc<Session>)>>);

/// The settings that a session depends on; another one is begun after a change.
#[derive(Clone, PartialEq, Debug)]
struct Basis {
    configuration: Map<String, Value>,
    stored: Values,
    entry: Option<Entry>,
    permissions: Permissions,
    requires: Requires,
}

impl Basis {
    fn of(call: &Call<'_>) -> Self {
        let metadata = &call.skill.metadata;
        Self {
            configuration: call.config.values.clone(),
            stored: call.config.stored.clone(),
            entry: metadata.entry.clone(),
            permissions: metadata.permissions.clone(),
            requires: metadata.requires.clone(),
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Executor for McpServers {
    fn kind(&self) -> ExecutorKind {
        ExecutorKind::Distributed
    }

    fn handles(&self, skill: &SkillPackage) -> bool {
        skill.metadata.transport == Some(Transport::Mcp)
    }

    fn execute(&self, call: &Call<'_>) -> Envelope {
        answer(call, |meta, warnings| {
            let prepared = arguments::prepare(call)?;
            meta.command = prepared.command.map(str::to_owned);
            warnings.extend(prepared.warnings);
            run(self, call, &prepared.input, meta)
        })
    }

    fn release(&self) {
        lock(&self.slots).clear();
    }
}

impl McpServers {
    /// Returns the session of a skill; begins one if there is none, or if it has ended.
    fn session(&self, call: &Call<'_>, wait: &Wait<'_>) -> Result<Arc<Session>, Failure> {
        let slot = Arc::clone(lock(&self.slots).entry(call.skill.dir.clone()).or_default());
        let mut slot = lock(&slot.0);
        let basis = Basis::of(call);
        if let Some((known, session)) = &*slot
            && *known == basis
            && session.is_ready(wait)
        {
            return Ok(Arc::clone(session));
        }
        // First: while the old one is there, a call that depends on an approval does not begin.
        *slot = None;
        let session = Arc::new(open(call, wait)?);
        *slot = Some((basis, Arc::clone(&session)));
        Ok(session)
    }

    /// Ends the session of a skill: the next call begins another one.
    fn end(&self, call: &Call<'_>) {
        let slot = lock(&self.slots).get(&call.skill.dir).map(Arc::clone);
        if let Some(slot) = slot {
            *lock(&slot.0) = None;
        }
    }
}

/// Begins a session: starts the program, or connects to the address.
fn open(call: &Call<'_>, wait: &Wait<'_>) -> Result<Session, Failure> {
    let Some(remote) = launch::remote(call)? else {
        let inbox = Inbox::default();
        let (spec, guard) = launch::program(call)?;
        let program = Program::start(&spec, &inbox)?;
        drop(guard);
        return Session::open(Box::new(program), inbox, wait);
    };
    let requests = || Requests::new(remote.hosts.clone(), remote.headers.clone());
    let events = || {
        let inbox = Inbox::default();
        let events = Events::open(requests(), &remote.address, &inbox, wait)?;
        Session::open(Box::new(events), inbox, wait)
    };
    if remote.protocol.as_deref() == Some("sse") {
        return events();
    }
    let inbox = Inbox::default();
    let streamable = Streamable::new(requests(), remote.address.clone(), inbox.clone());
    let opened = Session::open(Box::new(streamable), inbox, wait);
    match opened {
        // "Backwards Compatibility" of the transports of 2025-11-25.
        Err(failure) if remote.protocol.is_none() && is_old(&failure) => {
            events().map_err(|other| match other.code {
                ErrorCode::Denied => other,
                _ => failure,
            })
        }
        opened => opened,
    }
}

/// Returns true for the answer of a server that may speak the HTTP of 2024-11-05.
fn is_old(failure: &Failure) -> bool {
    let status = failure.details.get("status").and_then(Value::as_u64);
    matches!(status, Some(400 | 404 | 405))
}

/// Returns the name of the tool.
fn tool(metadata: &Metadata, command: Option<&str>) -> String {
    match (command, &metadata.commands[..]) {
        (Some(id), _) => id.to_owned(),
        (None, [only]) => only.id.clone(),
        _ => metadata.name.clone(),
    }
}

fn run(
    servers: &McpServers,
    call: &Call<'_>,
    input: &Value,
    meta: &mut Meta,
) -> Result<Success, Failure> {
    let metadata = &call.skill.metadata;
    let time = call.timeout(DISTRIBUTED_TIMEOUT);
    let wait = Wait {
        deadline: Instant::now() + time,
        cancel: &call.options.cancel,
    };
    let server = launch::server(call);
    let redactor = Redactor::new(call);
    let session = servers.session(call, &wait)?;
    if let Some(report) = session.confinement() {
        policy::note(&mut meta.extra, call, &report);
    }
    if let Some(server) = server {
        let listed = session.tools(&redactor, &wait)?;
        let offered = listed.tools.offered(server);
        let is_same = match &offered {
            Cow::Borrowed(_) => listed.digests == server.tools,
            Cow::Owned(offered) => offered.digests() == server.tools,
        };
        if !is_same {
            let difference = offered.difference(&server.tools, &metadata.commands);
            // What it was asked earlier may have changed them, which no new process repeats.
            servers.end(call);
            return Err(changed(call, &difference.unwrap_or_default()));
        }
    }
    let mut params = json!({"name": tool(metadata, meta.command.as_deref())});
    if let Value::Object(_) = input {
        params["arguments"] = input.clone();
    }
    let steps = Steps::default();
    let watch = Watch {
        progress: progress(call),
        log: log(call),
        steps: Some(steps.clone()),
    };
    let result = session.request("tools/call", params, &wait, watch);
    let printed = session.diagnostics();
    if !printed.is_empty() {
        meta.stderr = Some(utf16_prefix(&printed, MAX_DIAGNOSTICS).to_owned());
    }
    let steps = steps.take().into_iter();
    let steps: Vec<Value> = steps.map(|step| redactor.redact_value(step)).collect();
    let said = result.map_err(|failure| timed_out(failure, time.as_millis()));
    let said = said.and_then(|result| {
        if let Some(about) = result.get("_meta").filter(|it| !it.is_null()) {
            let about = redactor.redact_value(bounded(about));
            meta.extra.insert("result_meta".to_owned(), about);
        }
        outcome(redactor.redact_value(result))
    });
    match said {
        Ok(mut success) => {
            success.intermediate_steps = steps;
            Ok(success)
        }
        Err(failure) => {
            if !steps.is_empty() {
                meta.extra.insert("events".to_owned(), steps.into());
            }
            Err(failure)
        }
    }
}

/// Returns the receiver of progress, whose messages have no secrets.
fn progress(call: &Call<'_>) -> Option<Progress> {
    let receiver = call.options.progress.clone()?;
    let redactor = Redactor::new(call);
    Some(Progress::new(move |done, total, message| {
        let message = message.map(|text| redactor.redact(text));
        receiver.report(done, total, message.as_deref());
    }))
}

/// Returns the receiver of the server's log, whose messages have no secrets.
fn log(call: &Call<'_>) -> Option<Log> {
    let receiver = call.options.log.clone()?;
    let redactor = Redactor::new(call);
    Some(Log::new(move |params| {
        receiver.report(&redactor.redact_value(params.clone()));
    }))
}

fn timed_out(mut failure: Failure, ms: u128) -> Failure {
    if failure.code == ErrorCode::Timeout {
        failure.message = format!("no answer within {ms} ms");
    }
    failure
}

fn changed(call: &Call<'_>, difference: &str) -> Failure {
    let command = introspection(call.skill);
    let message = format!(
        "the MCP server of skill `{}` has other tools than those that were accepted ({difference}); nothing was called. `{command}` shows and accepts them",
        call.skill.metadata.name
    );
    Failure::new(ErrorCode::Denied, message)
        .with("command", command)
        .with("difference", difference)
}

/// Asks the server of a skill for its tools, under the same conditions as a call. The session ends
/// with this.
///
/// # Errors
///
/// The call is not permitted, or the server cannot be asked.
pub fn introspect(call: &Call<'_>) -> Result<Introspection, Failure> {
    let options = Options {
        purpose: Purpose::Introspect,
        ..call.options.clone()
    };
    let call = &Call {
        options: &options,
        ..*call
    };
    let asked = || {
        preflight::conditions(call)?;
        let Some(server) = launch::server(call) else {
            let message = format!(
                "skill `{}` has no `entry.mcp`, so there is no server to ask",
                call.skill.metadata.name
            );
            return Err(Failure::new(ErrorCode::NotRunnable, message));
        };
        let wait = Wait {
            deadline: Instant::now() + call.timeout(DISTRIBUTED_TIMEOUT),
            cancel: &call.options.cancel,
        };
        let listed = open(call, &wait)?.tools(&Redactor::new(call), &wait)?;
        Ok(listed.tools.offered(server).into_owned())
    };
    asked().map_err(|mut failure| {
        for hint in hints::all(call, &failure) {
            failure.message = format!("{}; {}", failure.message, hint.message);
        }
        Redactor::new(call).redact_failure(failure)
    })
}
