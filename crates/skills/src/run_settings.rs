//! The options for running the skills of one library, and what they make.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use skill_executor::call::{Approval, Host};
use skill_executor::envelope::Failure;
use skill_executor::environment::{HostEnvironment, from_process};
use skill_executor::sandbox::{Level, Sandbox};
use skill_executor::state::{State, user_directory};
use skill_executor::{Runner, standard};

use crate::{Error, ErrorKind};

const NAME_STATE: &str = "name a directory with LibraryBuilder::state";

/// The options for running the skills of a library.
#[derive(Clone)]
pub(crate) struct RunSettings {
    pub(crate) state: Option<PathBuf>,
    pub(crate) config: Option<String>,
    pub(crate) environment: Option<BTreeMap<String, String>>,
    pub(crate) allowed_secrets: Vec<String>,
    pub(crate) allow_shell: bool,
    pub(crate) approve: bool,
    pub(crate) sandbox: Option<Level>,
}

/// Without the values of settings and variables, which may be secrets.
impl fmt::Debug for RunSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let variables = self.environment.as_ref().map(BTreeMap::keys);
        f.debug_struct("RunSettings")
            .field("state", &self.state)
            .field("has_config", &self.config.is_some())
            .field("environment", &variables)
            .field("allowed_secrets", &self.allowed_secrets)
            .field("allow_shell", &self.allow_shell)
            .field("approve", &self.approve)
            .field("sandbox", &self.sandbox)
            .finish()
    }
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

impl RunSettings {
    /// Returns what runs the calls of one library.
    pub(crate) fn runner(&self) -> Result<Runner, Error> {
        let environment = self.environment.clone().unwrap_or_else(from_process);
        let state = match &self.state {
            Some(dir) => dir.clone(),
            None => user_directory(&environment).ok_or_else(no_home)?,
        };
        let state = State::open(&state).map_err(|failure| no_state(&failure))?;
        let environment = HostEnvironment::from_caller(environment, &self.allowed_secrets);
        let host = Host {
            allow_shell: self.allow_shell,
            sandbox: self.sandbox.map_or_else(Sandbox::off, Sandbox::at_least),
            ..Host::new(state, environment)
        };
        Ok(Runner::new(standard(), host).with_config(self.config.clone()))
    }
}

pub(crate) fn approval(is_approved: bool) -> Approval {
    if is_approved {
        Approval::Granted
    } else {
        Approval::Missing
    }
}

fn no_home() -> Error {
    let error = Error::new(ErrorKind::Io, "there is no HOME for the state directory");
    error.with_hint(NAME_STATE)
}

/// Returns the error for a state directory that cannot be opened. No call was made yet.
fn no_state(failure: &Failure) -> Error {
    Error::new(ErrorKind::Io, &failure.message).with_hint(NAME_STATE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_output_has_no_values_of_settings() {
        let settings = RunSettings {
            config: Some("API_KEY=hush".to_owned()),
            environment: Some([("TOKEN".to_owned(), "hush".to_owned())].into()),
            ..RunSettings::default()
        };
        let text = format!("{settings:?}");
        assert!(text.contains("TOKEN") && !text.contains("hush"), "{text}");
    }
}
