//! The state, environment and executors that calls of one library share.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use skill_executor::call::Host;
use skill_executor::config::{Config, declared, resolve};
use skill_executor::environment::HostEnvironment;
use skill_executor::package::SkillPackage;
use skill_executor::policy::{Level, Sandbox};
use skill_executor::state::State;
use skill_executor::zone::Zone;
use skill_executor::{Registry, standard};

use crate::{Error, ErrorKind};

/// The options for running the skills of a library.
#[derive(Clone, Debug)]
pub(crate) struct RunSettings {
    pub(crate) state: Option<PathBuf>,
    pub(crate) config: Option<String>,
    pub(crate) environment: Option<BTreeMap<String, String>>,
    pub(crate) allowed_secrets: Vec<String>,
    pub(crate) allow_shell: bool,
    pub(crate) approve: bool,
    pub(crate) sandbox: Option<Level>,
}

impl Default for RunSettings {
    fn default() -> Self {
        Self {
            state: None,
            config: None,
            environment: None,
            allowed_secrets: Vec::new(),
            allow_shell: false,
            approve: false,
            sandbox: Some(Level::Partial),
        }
    }
}

/// The parts that calls of one library share: executors with their processes, state, environment.
pub(crate) struct Runtime {
    pub(crate) registry: Registry,
    pub(crate) host: Host,
    config: Option<String>,
}

impl std::fmt::Debug for Runtime {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Runtime")
    }
}

impl Runtime {
    pub(crate) fn new(settings: &RunSettings) -> Result<Self, Error> {
        let environment = settings.environment.clone().unwrap_or_else(of_process);
        let zone = Zone::from_environment(&environment);
        let state = state_dir(settings.state.as_deref(), &environment)?;
        let state = State::open(&state)?;
        Ok(Self {
            registry: standard(),
            host: Host {
                environment: HostEnvironment::of_caller(environment, &settings.allowed_secrets),
                state,
                allow_shell: settings.allow_shell,
                approved: settings.approve,
                strict: false,
                sandbox: settings
                    .sandbox
                    .map_or_else(Sandbox::off, Sandbox::at_least),
                zone,
            },
            config: settings.config.clone(),
        })
    }

    pub(crate) fn config(&self, skill: &SkillPackage) -> Config {
        let declared = declared(&skill.metadata, skill.manifest.as_ref());
        resolve(&declared, self.config.as_deref(), &self.host.environment)
    }
}

/// Returns the environment of this process; names and values that are not UTF-8 are left out.
fn of_process() -> BTreeMap<String, String> {
    let all = std::env::vars_os();
    all.filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect()
}

/// Returns the directory that was named, or `skills-run` in the user's directory for state
/// (XDG Base Directory Specification).
fn state_dir(
    named: Option<&Path>,
    environment: &BTreeMap<String, String>,
) -> Result<PathBuf, Error> {
    if let Some(dir) = named {
        return Ok(dir.to_owned());
    }
    let absolute = |name| {
        let dir = environment.get(name).map(Path::new);
        dir.filter(|dir| dir.is_absolute())
    };
    if let Some(dir) = absolute("XDG_STATE_HOME") {
        return Ok(dir.join("skills-run"));
    }
    let home = absolute("HOME").ok_or_else(|| {
        let error = Error::new(ErrorKind::Io, "there is no HOME for the state directory");
        error.with_hint("name a directory with LibraryBuilder::state")
    })?;
    Ok(home.join(".local/state/skills-run"))
}
