//! One run of one case: the answer, the changed files and the time it took.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};
use skill_executor::call::{Approval, Host};
use skill_executor::envelope::{Envelope, ErrorCode, Failure};
use skill_executor::environment::HostEnvironment;
use skill_executor::package::SkillPackage;
use skill_executor::sandbox::Sandbox;
use skill_executor::state::{State, Store};
use skill_executor::view::View;
use skill_executor::zone::Zone;
use skill_executor::{Redactor, Request, Runner, standard};

use crate::cases::Case;
use crate::effects::{WritableDirs, changes_since};
use crate::markers;

/// Settings of a run.
#[derive(Clone, Debug)]
pub(crate) struct TrialSettings<'t> {
    /// The environment of the host.
    pub(crate) environment: &'t BTreeMap<String, String>,
    /// The local time zone.
    pub(crate) zone: &'t Zone,
    /// The state directory with installed packages.
    pub(crate) packages: &'t Path,
    /// The confinement.
    pub(crate) sandbox: Sandbox,
    /// Allow command lines with shell syntax.
    pub(crate) shell: bool,
    /// Treat calls that require approval as approved.
    pub(crate) approval: bool,
    /// The time limit of the call.
    pub(crate) timeout: Duration,
    /// Run as the old host did: everything below the state directory may be written.
    pub(crate) is_reference: bool,
}

/// The result of one run.
#[derive(Clone, Debug)]
pub(crate) struct Trial {
    /// `answer` and `files`, with markers for the directories of this run.
    pub(crate) observed: Value,
    /// The evidence of the answer.
    pub(crate) evidence: Evidence,
    /// The call took longer than its time limit.
    pub(crate) is_late: bool,
    /// The reason why nothing can be concluded: the confinement or the disk of this machine.
    pub(crate) hindrance: Option<String>,
    /// The duration of the call, without the preparation of its files.
    pub(crate) time: Duration,
}

/// The evidence that an answer gives about a plugin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Evidence {
    /// It did its work.
    Worked,
    /// A conversation passed unchanged.
    Unchanged,
    /// It failed, with this message.
    Failed(String),
}

/// Runs `case` in `dir`, a directory of its own.
pub(crate) fn run(
    package: &SkillPackage,
    case: &Case,
    config: Option<&str>,
    dir: &Path,
    settings: &TrialSettings<'_>,
) -> Result<Trial, Failure> {
    let config = config.map(str::to_owned);
    let runner = Runner::new(standard(), host(case, dir, settings)?).with_config(config);
    let mut request = Request::new(case.input.clone());
    request.options = case.options.clone();
    let own = package.metadata.timeout_ms.filter(|ms| *ms > 0);
    let own = own.map_or(settings.timeout, Duration::from_millis);
    let timeout = request.options.timeout.unwrap_or(own).min(settings.timeout);
    request.options.timeout = Some(timeout);
    if settings.approval || settings.is_reference {
        request.options.approval = Approval::Granted;
    }
    observe(runner, package, request)
}

fn host(case: &Case, dir: &Path, settings: &TrialSettings<'_>) -> Result<Host, Failure> {
    let packages = Store::in_state(settings.packages);
    let state = State::open(dir)?.with_environments(packages);
    let mut environment = HostEnvironment::from(settings.environment.clone());
    environment.extend(case.environment.clone());
    let mut sandbox = settings.sandbox.clone();
    if settings.is_reference {
        sandbox.also_write.push(state.root().path().to_owned());
    }
    Ok(Host {
        environment,
        state,
        allow_shell: settings.shell || settings.is_reference,
        strict: false,
        sandbox,
        zone: settings.zone.clone(),
    })
}

fn observe(runner: Runner, package: &SkillPackage, request: Request) -> Result<Trial, Failure> {
    let input = request.input.clone();
    let prepared = runner.prepare(package, request)?;
    let call = prepared.call();
    let (view, redactor) = (View::prepare(&call)?, Redactor::new(&call));
    let state = runner.state().root();
    let failed = |error: &dyn std::error::Error| Failure::new(ErrorCode::Io, error.to_string());
    let dirs = WritableDirs::new(state, &view);
    let before = dirs.files(state).map_err(|error| failed(&error))?;
    let started = Instant::now();
    let envelope = prepared.run_alone();
    let time = started.elapsed();
    // No process outlives the run.
    let host = runner.into_host();
    let state = host.state.root();
    let places = [
        (view.base.display().to_string(), markers::BASE),
        (view.home.display().to_string(), markers::HOME),
        (state.path().display().to_string(), markers::STATE),
        (package.dir.display().to_string(), markers::PACKAGE),
    ];
    let localise = |text: &str| {
        let replaced = |text: String, (place, name): &(String, &str)| text.replace(place, name);
        places.iter().fold(text.to_owned(), replaced)
    };
    let files =
        changes_since(state, (&dirs, &before), &localise).map_err(|error| failed(&error))?;
    let observed = json!({"answer": answer(&envelope), "files": files});
    let mut observed = redactor.redact_value(observed);
    localise_all(&mut observed, &localise);
    Ok(Trial {
        observed,
        evidence: evidence(&envelope, &input),
        is_late: matches!(&envelope.outcome, Err(failure) if failure.code == ErrorCode::Timeout),
        hindrance: hindrance(&envelope),
        time,
    })
}

/// Returns the answer as the old host handed it to the model.
fn answer(envelope: &Envelope) -> Value {
    match &envelope.outcome {
        Ok(success) => json!({"value": success.value}),
        Err(failure) => json!({"error": {
            "code": failure.code.word(),
            "message": failure.message,
            "details": failure.details,
        }}),
    }
}

/// Returns what an answer to an input proves. Responses of routes prove something if one of them is not
/// an error of HTTP.
fn evidence(envelope: &Envelope, input: &Value) -> Evidence {
    let value = match &envelope.outcome {
        Ok(success) => &success.value,
        Err(failure) => return Evidence::Failed(failure.message.clone()),
    };
    let is_conversation = input[0]["role"].is_string();
    if is_conversation && value == input {
        return Evidence::Unchanged;
    }
    let is_request = input[0]["path"].is_string();
    let responses = value["responses"].as_array().filter(|_| is_request);
    let Some(responses) = responses else {
        return Evidence::Worked;
    };
    let mut statuses: Vec<u64> = responses
        .iter()
        .filter_map(|response| response["status"].as_u64())
        .collect();
    if statuses.iter().any(|status| *status < 400) {
        return Evidence::Worked;
    }
    statuses.sort_unstable();
    statuses.dedup();
    let statuses: Vec<_> = statuses.iter().map(u64::to_string).collect();
    Evidence::Failed(format!("every route answers {}", statuses.join(" or ")))
}

/// Returns the message of a failure that says nothing about the plugin.
fn hindrance(envelope: &Envelope) -> Option<String> {
    let failure = envelope.outcome.as_ref().err()?;
    let is_ours = matches!(failure.code, ErrorCode::Denied | ErrorCode::Io);
    is_ours.then(|| failure.message.clone())
}

fn localise_all(value: &mut Value, localise: &dyn Fn(&str) -> String) {
    match value {
        Value::String(text) => *text = localise(text),
        Value::Array(items) => items.iter_mut().for_each(|it| localise_all(it, localise)),
        Value::Object(map) => {
            let old = std::mem::take(map);
            let new = old.into_iter().map(|(key, mut value)| {
                localise_all(&mut value, localise);
                (localise(&key), value)
            });
            *map = new.collect::<Map<_, _>>();
        }
        _ => {}
    }
}

/// Returns the configuration of both sides: the one of the case, else the `config.env` of the plugin.
pub(crate) fn config(case: &Case, plugin: &SkillPackage) -> Option<String> {
    /// The largest `config.env`, in bytes.
    const MAX_CONFIG: u64 = 4 << 20;
    let own = || plugin.root.read("config.env", MAX_CONFIG).ok();
    let own = || own().map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    case.config.clone().or_else(own)
}
