//! `skills-run --chain`: messages through preprocessors.

use std::path::Path;

use anyhow::{Context as _, ensure};
use serde_json::Value;
use skill_executor::call::Host;
use skill_executor::config::read_file;
use skill_executor::json::parse_input;
use skill_executor::module::{Modules, chain};
use skill_executor::{Executor as _, PreparedCall, Registry, Request, target};

use crate::answer::{print_failure, show, status};
use crate::args::Args;
use crate::host::runner;
use crate::settings::{self, options};
use skills_cli::{ExitStatus, output::Streams};

/// Runs the chain and prints its answer. If a directory is not a skill, the whole chain fails.
pub(super) fn run(host: Host, args: &Args, streams: &mut Streams) -> anyhow::Result<ExitStatus> {
    let input = settings::input(args.call.input.as_deref())?.value;
    ensure!(
        input.is_array(),
        "the input of a chain is not an array, expected an array of messages"
    );
    let saved = match &args.chain.order {
        // The old host ignored an order that is not JSON; here it is an error.
        Some(file) if !file.is_empty() => {
            let text = read_file(Path::new(file)).context("cannot read the order")?;
            parse_input(&text, "the order")?
        }
        _ => Value::Null,
    };
    let members = args.chain.chain.as_deref().unwrap_or_default();
    let skills = match target::members(members, &args.locations.skills)? {
        Ok(skills) => skills,
        Err(failure) => return print_failure(members, failure, streams),
    };
    let mut options = options(&args.call)?;
    options.cancel = skill_interrupt::handle()?;
    options.approval = args.permissions.approval();
    let request = Request {
        options,
        ..Request::default()
    };
    let is_last = request.options.shutdown;
    let runner = runner(Registry::new(), host, &args.locations)?;
    let calls = match runner.prepare_all(&skills, &request) {
        Ok(calls) => calls,
        Err(failure) => return print_failure("", failure, streams),
    };
    let calls: Vec<_> = calls.iter().map(PreparedCall::call).collect();
    let modules = Modules::default();
    let envelope = chain::run(&modules, &calls, &saved, input);
    show(&envelope.to_value(), streams)?;
    if is_last {
        modules.shutdown();
    }
    modules.release();
    Ok(status(&envelope))
}
