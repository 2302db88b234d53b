//! `skills-run approve`, and the question on a terminal.

use std::io::{BufRead as _, IsTerminal as _};

use skill_executor::call::Host;
use skill_executor::{PreparedCall, approval, target};

use crate::answer::{print_failure, print_result};
use crate::args::Locations;
use skills_cli::{ExitStatus, output::Streams};

pub(super) fn run(
    host: &Host,
    name: &str,
    revoke: bool,
    locations: Locations,
    streams: &mut Streams,
) -> anyhow::Result<ExitStatus> {
    match target::find(name, locations.skills)? {
        Ok((skill, _)) => {
            let done = approval::change(&skill, &host.state, revoke);
            print_result(&skill.metadata.name, done, streams)
        }
        Err(failure) => print_failure(name, failure, streams),
    }
}

/// Asks for the approvals that a call needs, if there is a terminal, and stores a yes.
pub(super) fn ask(prepared: &PreparedCall<'_>, streams: &mut Streams) -> anyhow::Result<()> {
    let needs = prepared.needs();
    if needs.is_empty() || !streams.is_terminal || !std::io::stdin().is_terminal() {
        return Ok(());
    }
    for need in needs {
        streams.remark(&need)?;
    }
    let question = streams.language.say("Approve it as it is now? [y/N]");
    write!(streams.stderr, "{question} ")?;
    streams.stderr.flush()?;
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer)?;
    if matches!(answer.trim(), "y" | "Y" | "yes") {
        // If the approval cannot be stored, the call is refused and says so.
        let call = prepared.call();
        let _ = approval::store(call.skill, &call.host.state);
    }
    Ok(())
}
