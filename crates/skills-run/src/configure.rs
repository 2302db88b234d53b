//! `skills-run configure`: the settings of skills.

use skill_executor::call::Host;
use skill_executor::config::MAX_INPUT;
use skill_executor::configure::{self, Request};
use skill_executor::target;
use skill_settings::{report, text};

use crate::answer::{print, print_failure};
use crate::args::{ConfigureArgs, Locations};
use crate::host::config;
use skills_cli::{ExitStatus, input::stdin, output::Streams};

pub(super) fn run(
    host: &Host,
    args: ConfigureArgs,
    locations: Locations,
    streams: &mut Streams,
) -> anyhow::Result<ExitStatus> {
    let file = config(&locations)?;
    let mut request = match Request::read(args.words) {
        Ok(request) => request,
        Err(failure) => return print_failure("", failure, streams),
    };
    (request.from, request.unset, request.enable) = (args.from, args.unset, args.enable);
    if request.from_input.is_some() {
        request.set_input(&stdin(MAX_INPUT)?);
    }
    let done = target::named(&request.skills, locations.skills)?
        .and_then(|skills| configure::run(&skills, &request, host, file.as_deref()));
    let done = match done {
        Ok(done) => done,
        Err(failure) => return print_failure("", failure, streams),
    };
    if args.format == "json" {
        streams.columns = None;
        print(&report(&done), streams)?;
    } else {
        write!(streams.stdout, "{}", text::status(&done, streams.language))?;
    }
    Ok(ExitStatus::fine_if(done.is_fine(request.is_change())))
}
