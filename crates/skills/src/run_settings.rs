//! The options for running the skills of one library, and what they make.

use std::collections::BTreeMap;
use std::path::PathBuf;

use skill_executor::call::{Approval, Host};
use skill_executor::environment::{HostEnvironment, from_process};
use skill_executor::sandbox::{Level, Sandbox};
use skill_executor::state::{State, user_directory};
use skill_executor::{Runner, standard};

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

impl RunSettings {
    /// Returns what runs the calls of one library.
    pub(crate) fn runner(&self) -> Result<Runner, Error> {
        let environment = self.environment.clone().unwrap_or_else(from_process);
        let state = match &self.state {
            Some(dir) => dir.clone(),
            None => user_directory(&environment).ok_or_else(no_home)?,
        };
        let environment = HostEnvironment::from_caller(environment, &self.allowed_secrets);
        let host = Host {
            allow_shell: self.allow_shell,
            sandbox: self.sandbox.map_or_else(Sandbox::off, Sandbox::at_least),
            ..Host::new(State::open(&state)?, environment)
        };
        Ok(Runner::new(standard(), host).with_config(self.config.clone()))
    }

    /// Returns the approval that every call has.
    pub(crate) fn approval(&self) -> Approval {
        if self.approve {
            Approval::Granted
        } else {
            Approval::Missing
        }
    }
}

fn no_home() -> Error {
    let error = Error::new(ErrorKind::Io, "there is no HOME for the state directory");
    error.with_hint("name a directory with LibraryBuilder::state")
}
