//! `skills-run prepare`: the packages of skills.

use std::io::Write as _;

use skill_executor::call::Host;
use skill_executor::{prepare, target};

use crate::answer::{print, print_failure};
use crate::args::{Locations, PrepareArgs};
use skills_cli::{ExitStatus, output::Streams};

pub(super) fn run(
    host: &Host,
    args: PrepareArgs,
    locations: Locations,
    streams: &mut Streams,
) -> anyhow::Result<ExitStatus> {
    let settings = prepare::settings(args.allow_scripts);
    let prepared = target::named(&args.names, locations.skills)?.and_then(|skills| {
        prepare::prepare_whole(&skills, host, &settings, &mut streams.remarks())
    });
    let prepared = match prepared {
        Ok(prepared) => prepared,
        Err(failure) => return print_failure("", failure, streams),
    };
    if let Some(shell) = args.export {
        write!(streams.stdout, "{}", shell.lines(&prepared.variables))?;
    } else {
        print(&prepared.report, streams)?;
    }
    Ok(ExitStatus::fine_if(prepared.is_whole))
}
