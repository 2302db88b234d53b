//! The environment of calls, and the runner.

use anyhow::{Context as _, anyhow};
use skill_executor::auth_code::with_auth_code;
use skill_executor::call::Host;
use skill_executor::config::read_file;
use skill_executor::environment::{HostEnvironment, from_process};
use skill_executor::state::{State, directory};
use skill_executor::{Registry, Runner};

use crate::args::{Args, Locations};
use skills_cli::output::Streams;

/// Returns the environment of calls.
pub(super) fn host(args: &Args, streams: &mut Streams) -> anyhow::Result<Host> {
    let file = args.permissions.auth_code_file.as_deref();
    let (environment, warning) = with_auth_code(from_process(), file);
    if let Some(warning) = warning {
        streams.remark(&format!("warning: {warning}"))?;
    }
    let state = directory(args.locations.state.clone(), &environment)?;
    let state = State::open(&state).map_err(|failure| anyhow!(failure.message))?;
    let environment = HostEnvironment::from_caller(environment, &args.permissions.allow_env);
    Ok(Host {
        allow_shell: args.permissions.allow_shell,
        strict: args.permissions.strict,
        sandbox: args.permissions.sandbox.sandbox(),
        ..Host::new(state, environment)
    })
}

/// Returns a runner with the configuration file that the user named.
pub(super) fn runner(
    registry: Registry,
    host: Host,
    locations: &Locations,
) -> anyhow::Result<Runner> {
    Ok(Runner::new(registry, host).with_config(config(locations)?))
}

/// Returns the text of the configuration file that the user named.
pub(super) fn config(locations: &Locations) -> anyhow::Result<Option<String>> {
    let file = locations.config.as_deref();
    let file = file.map(read_file).transpose();
    file.context("cannot read the configuration")
}
