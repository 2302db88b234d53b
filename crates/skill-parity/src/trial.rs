//! One run of one case: the answer, what was left behind, and how long it took.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};
use skill_executor::call::{Approval, Host};
use skill_executor::envelope::{Envelope, ErrorCode, Failure};
use skill_executor::environment::HostEnvironment;
use skill_executor::package::SkillPackage;
use skill_executor::sandbox::Sandbox;
use skill_executor::state::State;
use skill_executor::view::View;
use skill_executor::zone::Zone;
use skill_executor::{Redactor, Request, Runner, standard};

use crate::cases::Case;
use crate::effects;

/// What stands for the directories of a run.
pub(crate) const STATE: &str = "${STATE}";
/// What stands for the directory of the old host and for the home directory.
const BASE: &str = "${STATE}/legacy";
const HOME: &str = "${STATE}/home";
/// What stands for the directory of the plugin, or of the skill.
const PACKAGE: &str = "${PACKAGE}";

/// How a package is run.
#[derive(Clone, Debug)]
pub(crate) struct Terms<'t> {
    /// The environment of the old host.
    pub(crate) environment: &'t BTreeMap<String, String>,
    /// Where the clock is.
    pub(crate) zone: &'t Zone,
    /// The walls.
    pub(crate) sandbox: Sandbox,
    /// Whether shell lines run.
    pub(crate) shell: bool,
    /// Whether calls that ask for it are approved.
    pub(crate) approval: bool,
    /// The longest that a call may take.
    pub(crate) timeout: Duration,
    /// Whether everything below its own state may be written, as under the old host.
    pub(crate) is_reference: bool,
}

/// What one run gave.
#[derive(Clone, Debug)]
pub(crate) struct Trial {
    /// `answer` and `files`, without what only this run could know.
    pub(crate) seen: Value,
    /// Whether the answer is a value.
    pub(crate) is_ok: bool,
    /// Why nothing can be concluded from it: a wall or a disk of ours.
    pub(crate) hindrance: Option<String>,
    /// The message of a failure.
    pub(crate) failure: Option<String>,
    /// How long the call took, without laying out its files.
    pub(crate) time: Duration,
}

/// Runs `case` in `dir`, which is made for it.
pub(crate) fn run(
    package: &SkillPackage,
    case: &Case,
    config: Option<&str>,
    dir: &Path,
    terms: &Terms<'_>,
) -> Result<Trial, Failure> {
    let config = config.map(str::to_owned);
    let runner = Runner::new(standard(), host(case, dir, terms)?).with_config(config);
    let mut request = Request::new(case.input.clone());
    request.options = case.options.clone();
    let own = package.metadata.timeout_ms.filter(|ms| *ms > 0);
    let own = own.map_or(terms.timeout, Duration::from_millis);
    let timeout = request.options.timeout.unwrap_or(own).min(terms.timeout);
    request.options.timeout = Some(timeout);
    if terms.approval || terms.is_reference {
        request.options.approval = Approval::Granted;
    }
    watched(runner, package, request)
}

fn host(case: &Case, dir: &Path, terms: &Terms<'_>) -> Result<Host, Failure> {
    let state = State::open(dir)?;
    let mut environment = HostEnvironment::from(terms.environment.clone());
    environment.extend(case.environment.clone());
    let mut sandbox = terms.sandbox.clone();
    if terms.is_reference {
        sandbox.also_write.push(state.root().path().to_owned());
    }
    Ok(Host {
        environment,
        state,
        allow_shell: terms.shell || terms.is_reference,
        strict: false,
        sandbox,
        zone: terms.zone.clone(),
    })
}

fn watched(runner: Runner, package: &SkillPackage, request: Request) -> Result<Trial, Failure> {
    let prepared = runner.prepare(package, request)?;
    let call = prepared.call();
    let (view, redactor) = (View::prepare(&call)?, Redactor::new(&call));
    let state = runner.state().root();
    let lost = |error: &dyn std::error::Error| Failure::new(ErrorCode::Io, error.to_string());
    let written = effects::Places::of(state, &view);
    let before = written.files(state).map_err(|error| lost(&error))?;
    let started = Instant::now();
    let envelope = prepared.run_alone();
    let time = started.elapsed();
    // No process outlives the run.
    let host = runner.into_host();
    let state = host.state.root();
    let places = [
        (view.base.display().to_string(), BASE),
        (view.home.display().to_string(), HOME),
        (state.path().display().to_string(), STATE),
        (package.dir.display().to_string(), PACKAGE),
    ];
    let localise = |text: &str| {
        let replaced = |text: String, (place, name): &(String, &str)| text.replace(place, name);
        places.iter().fold(text.to_owned(), replaced)
    };
    let files =
        effects::since(state, (&written, &before), &localise).map_err(|error| lost(&error))?;
    let seen = json!({"answer": answer(&envelope), "files": files});
    let mut seen = redactor.redact_value(seen);
    localise_all(&mut seen, &localise);
    Ok(Trial {
        seen,
        is_ok: envelope.is_ok(),
        hindrance: hindrance(&envelope),
        failure: envelope.outcome.err().map(|failure| failure.message),
        time,
    })
}

/// What the old host handed to the model.
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

/// Failures that say nothing of the plugin.
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

/// The configuration that both get: the case's, else what lies beside the plugin.
pub(crate) fn config(case: &Case, plugin: &SkillPackage) -> Option<String> {
    /// Largest `config.env`, in bytes.
    const MAX_CONFIG: u64 = 4 << 20;
    let beside = || plugin.root.read("config.env", MAX_CONFIG).ok();
    let beside = || beside().map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    case.config.clone().or_else(beside)
}
