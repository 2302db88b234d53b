//! One run of one case: the answer, the changed files and the time it took.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::iter;
use std::path::Path;
use std::time::{Duration, Instant};

use emulated_internet::{Exchange, Internet, Source, Take, Visit};
use serde_json::{Map, Value, json};
use skill_executor::auth_code::AUTH_CODE;
use skill_executor::call::{Approval, Host};
use skill_executor::envelope::{Envelope, ErrorCode, Failure};
use skill_executor::environment::{Environment, HostEnvironment, provided};
use skill_executor::package::SkillPackage;
use skill_executor::sandbox::{Emulation, Sandbox, Server};
use skill_executor::state::{State, Store};
use skill_executor::view::{self, View};
use skill_executor::zone::Zone;
use skill_executor::{PreparedCall, Redactor, Request, Runner, standard};
use skill_settings::{SkillId, Values};

use crate::cases::Case;
use crate::effects::{self, WritableDirs, changes_since};
use crate::evidence::{self, Evidence, Signs};
use crate::markers;
use crate::program_clock::ProgramClock;
use crate::steady::{self, Steady};
use crate::surroundings::Surroundings;

/// Settings of a run.
#[derive(Clone, Debug)]
pub(crate) struct TrialSettings<'t> {
    /// The environment of the host, and the names of its variables that programs may get although they
    /// look like secrets.
    pub(crate) environment: (&'t Environment, &'t [String]),
    /// The administrator's code, if the environment has none.
    pub(crate) auth_code: Option<&'t str>,
    /// The values that the user stored for the skill.
    pub(crate) stored: &'t Values,
    /// The texts that the code of the plugin has for failures.
    pub(crate) excuses: &'t [String],
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
    /// The parts of the old host around the plugin.
    pub(crate) surroundings: &'t Surroundings<'t>,
    /// Run as the old host did: everything below the state directory may be written, and all surroundings
    /// of the plugin are there.
    pub(crate) is_reference: bool,
    /// The time at which each process starts, in milliseconds since 1970.
    pub(crate) start_ms: i64,
    /// The clock of the programs.
    pub(crate) clock: &'t ProgramClock,
    /// The internet in place of the real one.
    pub(crate) internet: Option<InternetSettings<'t>>,
}

/// The internet of a run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InternetSettings<'t> {
    /// Its server.
    pub(crate) server: &'t Internet,
    /// The ports at which its hosts answer.
    pub(crate) ports: &'t BTreeSet<u16>,
    /// The source of its answers.
    pub(crate) source: &'t Source,
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
    /// The first place that the program could not connect to.
    pub(crate) unreached: Option<String>,
    /// The requests to real services and their answers.
    pub(crate) takes: Vec<Take>,
    /// The first request that a recording has no answer to, or that could not be recorded.
    pub(crate) gap: Option<String>,
    /// The duration of the call, without the preparation of its files.
    pub(crate) time: Duration,
}

/// Runs `case` in `dir`, a directory of its own.
pub(crate) fn run(
    package: &SkillPackage,
    case: &Case,
    config: Option<&str>,
    dir: &Path,
    settings: &TrialSettings<'_>,
) -> Result<Trial, Failure> {
    let mut package = Cow::Borrowed(package);
    let has_settings = config.is_some() || !settings.stored.is_empty();
    if settings.is_reference && has_settings {
        // The old host left the file of the plugin as it was.
        let pairs = skill_model::read_env_file(config.unwrap_or_default());
        let keys = pairs.into_iter().map(|(key, _)| key);
        let keys = keys.chain(settings.stored.keys().cloned());
        package.to_mut().metadata.config.undeclared = keys.collect();
    }
    let package = &*package;
    let config = config.map(str::to_owned);
    let has_config = config.is_some();
    let steady = Steady::new(dir);
    let visit = settings
        .internet
        .map(|internet| internet.server.visit(internet.source.clone()));
    let visit = visit.transpose().map_err(|error| failed(&error))?;
    let host = host(case, (dir, &steady), settings, visit.as_ref())?;
    store(package, &host, settings.stored)?;
    let runner = Runner::new(standard(), host).with_config(config);
    let own = package.metadata.time_limit().unwrap_or(settings.timeout);
    let timeout = case.options.timeout.unwrap_or(own).min(settings.timeout);
    let request = |input: &Value| {
        let mut request = Request::new(with_headers(input.clone()));
        request.options = case.options.clone();
        request.has_own_config = has_config;
        request.options.timeout = Some(timeout);
        if settings.approval || settings.is_reference {
            request.options.approval = Approval::Granted;
        }
        request
    };
    let inputs = iter::once(&case.input).chain(&case.then);
    let requests: Vec<Request> = inputs.map(request).collect();
    observe(runner, package, &requests, settings, visit)
}

/// Asks for the headers of all responses if the input is requests.
fn with_headers(mut input: Value) -> Value {
    let requests = input.as_array_mut().into_iter().flatten();
    for request in requests.filter(|request| request["path"].is_string()) {
        request["with_headers"] = true.into();
    }
    input
}

fn host(
    case: &Case,
    (dir, steady): (&Path, &Steady),
    settings: &TrialSettings<'_>,
    visit: Option<&Visit>,
) -> Result<Host, Failure> {
    let packages = Store::in_state(settings.packages);
    let state = State::open(dir)?.with_environments(packages);
    // Programs put them into their answers.
    provided::fix_keys(&state)?;
    let (environment, allowed) = settings.environment;
    let mut environment = HostEnvironment::from_caller(environment.clone(), allowed);
    if let Some(code) = settings.auth_code.filter(|_| environment.code().is_none()) {
        environment.insert(AUTH_CODE.to_owned(), code.to_owned());
    }
    environment.extend(case.environment.clone());
    let mut sandbox = settings.sandbox.clone();
    sandbox.is_own_only = true;
    state.make_dir(Steady::DIR)?;
    sandbox.also_read.push(steady.dir.clone());
    let mut loaders = steady.loaders();
    loaders.extend(settings.clock.variables(settings.start_ms));
    if let (Some(internet), Some(visit)) = (settings.internet, visit) {
        let certificate = steady.dir.join(emulated_runs::CERTIFICATE);
        loaders.extend(emulated_runs::variables(&certificate.display().to_string()));
        let text = internet.server.certificate().as_bytes();
        let written = state
            .root()
            .write_whole(Steady::DIR, emulated_runs::CERTIFICATE, text);
        written.map_err(|error| failed(&error))?;
        sandbox.emulation = Some(Emulation {
            server: Server {
                port: internet.server.port(),
                mark: visit.mark().to_owned(),
            },
            ports: internet.ports.clone(),
        });
    }
    if settings.is_reference {
        sandbox.also_write.push(state.root().path().to_owned());
        sandbox.also_read.extend(settings.surroundings.readable());
    }
    Ok(Host {
        environment,
        state,
        allow_shell: settings.shell || settings.is_reference,
        strict: false,
        sandbox,
        zone: settings.zone.clone(),
        loaders,
        fixed_ms: Some(settings.start_ms),
    })
}

/// Stores the user's values where the program's own settings are looked for.
fn store(package: &SkillPackage, host: &Host, values: &Values) -> Result<(), Failure> {
    if values.is_empty() {
        return Ok(());
    }
    let id = SkillId::new(&package.dir, &package.metadata);
    let store = skill_settings::Store::new(host.state.root());
    let stored = store.update(&id, |own| own.values.clone_from(values));
    stored.map(drop).map_err(|error| failed(&error))
}

fn failed(error: &dyn std::error::Error) -> Failure {
    Failure::new(ErrorCode::Io, error.to_string())
}

fn observe(
    runner: Runner,
    package: &SkillPackage,
    requests: &[Request],
    settings: &TrialSettings<'_>,
    visit: Option<Visit>,
) -> Result<Trial, Failure> {
    let calls = requests.iter();
    let calls: Vec<_> = calls
        .map(|request| runner.prepare(package, request.clone()))
        .collect::<Result<_, _>>()?;
    let call = calls[0].call();
    let (view, redactor) = (View::prepare(&call)?, Redactor::new(&call).with_names());
    let state = runner.state().root();
    let tmp = view.home.join(view::TMP);
    let written = Steady::write(state, settings.start_ms, &tmp);
    written.map_err(|error| failed(&error))?;
    if settings.is_reference {
        let base = effects::beneath(state, &view.base);
        let laid = settings.surroundings.lay_out(state, &base, &view.packages);
        laid.and_then(|()| settings.surroundings.share(state, &base))
    } else {
        let own = effects::beneath(state, &view.plugin);
        let beside = view.beside.as_ref();
        let beside = beside.map(|dir| effects::beneath(state, dir));
        let put = settings
            .surroundings
            .put_data(state, &own, beside.as_deref());
        put.and_then(|()| settings.surroundings.share(state, view::LEGACY))
    }
    .map_err(|error| failed(&error))?;
    let dirs = WritableDirs::new(state, &view);
    let before = dirs.files(state).map_err(|error| failed(&error))?;
    let started = Instant::now();
    let envelopes: Vec<Envelope> = calls.iter().map(PreparedCall::run_alone).collect();
    let time = started.elapsed();
    let passed = i64::try_from(time.as_secs()).unwrap_or(0) + 1;
    // No process outlives the run.
    let host = runner.into_host();
    let state = host.state.root();
    let unreached = steady::take_failed(state, &effects::beneath(state, &tmp));
    let mut places: Vec<(String, &str)> = Vec::new();
    for place in view.packages.places() {
        places.push((place.display().to_string(), markers::PACKAGES));
    }
    let beside = view.beside.iter();
    places.extend(beside.map(|dir| (dir.display().to_string(), markers::BASE)));
    places.extend([
        (view.base.display().to_string(), markers::BASE),
        (view.home.display().to_string(), markers::HOME),
        (state.path().display().to_string(), markers::STATE),
        (package.dir.display().to_string(), markers::PACKAGE),
    ]);
    let localise = |text: &str| {
        let replaced = |text: String, (place, name): &(String, &str)| text.replace(place, name);
        let res = places.iter().fold(text.to_owned(), replaced);
        let res = steady::without_millis(&res, settings.start_ms);
        steady::without_seconds(&res, settings.start_ms, passed)
    };
    let files =
        changes_since(state, (&dirs, &before), &localise).map_err(|error| failed(&error))?;
    let mut answers: Vec<Value> = envelopes.iter().map(answer).collect();
    let answer = match answers.len() {
        1 => answers.remove(0),
        _ => json!({"value": answers}),
    };
    let changes_files = files.as_object().is_some_and(|files| !files.is_empty());
    let mut observed = json!({"answer": answer, "files": files});
    let (mut takes, mut gap) = (Vec::new(), None);
    if let Some(visit) = visit {
        let requests = visit.finish();
        if !requests.is_whole {
            let why =
                "it asked the emulated internet more than is recorded, so not all can be compared";
            return Err(Failure::new(ErrorCode::TooLarge, why.to_owned()));
        }
        let exchanges = requests.exchanges.iter();
        observed["requests"] = exchanges.map(Exchange::to_value).collect();
        takes = requests.takes;
        gap = requests.gaps.into_iter().next();
    }
    let mut observed = redactor.redact_value(observed);
    localise_all(&mut observed, &localise);
    drop_millis(&mut observed, settings.start_ms);
    let signs = Signs {
        changes_files,
        excuses: settings.excuses,
    };
    let evidence = evidence::of_all(&envelopes, requests, signs);
    Ok(Trial {
        observed,
        evidence: evidence.map(|text| localise(&redactor.redact(&text))),
        is_late: envelopes.iter().any(is_late),
        hindrance: envelopes.iter().find_map(hindrance),
        unreached,
        takes,
        gap,
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

fn is_late(envelope: &Envelope) -> bool {
    matches!(&envelope.outcome, Err(failure) if failure.code == ErrorCode::Timeout)
}

/// Returns the message of a failure that says nothing about the plugin.
fn hindrance(envelope: &Envelope) -> Option<String> {
    let failure = envelope.outcome.as_ref().err()?;
    let is_ours = matches!(failure.code, ErrorCode::Denied | ErrorCode::Io);
    is_ours.then(|| failure.message.clone())
}

/// Removes the milliseconds from numbers that are times of the run.
fn drop_millis(value: &mut Value, start_ms: i64) {
    match value {
        Value::Number(number) => {
            let ms = number.as_i64();
            let ms = ms.filter(|ms| steady::is_time_of_run(*ms, start_ms));
            if let Some(ms) = ms {
                *value = (ms / 1_000 * 1_000).into();
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|it| drop_millis(it, start_ms)),
        Value::Object(map) => map.values_mut().for_each(|it| drop_millis(it, start_ms)),
        _ => {}
    }
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

/// The largest `config.env`, in bytes.
const MAX_CONFIG: u64 = 4 << 20;

/// Returns the configuration of both sides: the one of the case, else `common` and the `config.env` of
/// the plugin, whose values count.
pub(crate) fn config(case: &Case, plugin: &SkillPackage, common: Option<&str>) -> Option<String> {
    if case.config.is_some() {
        return case.config.clone();
    }
    match (common, own_config(plugin)) {
        (Some(common), Some(own)) => Some(format!("{common}\n{own}")),
        (common, own) => own.or_else(|| common.map(str::to_owned)),
    }
}

/// Returns the `config.env` of a plugin.
pub(crate) fn own_config(plugin: &SkillPackage) -> Option<String> {
    file(plugin, "config.env")
}

/// Returns the example of a plugin's configuration. Directories that it leaves empty are the plugin's.
pub(crate) fn example_config(plugin: &SkillPackage) -> Option<String> {
    let text = file(plugin, "config.env.example")?;
    let is_place = |name: &str| {
        let name = name.to_ascii_uppercase();
        ["DIR", "DIRECTORY", "FOLDER"]
            .iter()
            .any(|end| name.ends_with(end))
    };
    let pairs = skill_model::read_env_file(&text).into_iter();
    let empty = pairs.filter(|(name, value)| value.is_empty() && is_place(name));
    let lines = empty.map(|(name, _)| format!("\n{name}=."));
    Some(iter::once(text).chain(lines).collect())
}

fn file(plugin: &SkillPackage, name: &str) -> Option<String> {
    let bytes = plugin.root.read(name, MAX_CONFIG).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}
