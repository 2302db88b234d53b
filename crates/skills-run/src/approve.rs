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

/// Asks for approvals on a terminal and stores a yes. Returns true for a yes to this call alone.
pub(super) fn ask(prepared: &PreparedCall<'_>, streams: &mut Streams) -> anyhow::Result<bool> {
    let needs = prepared.needs();
    if needs.is_empty() || !streams.is_terminal || !std::io::stdin().is_terminal() {
        return Ok(false);
    }
    needs.iter().try_for_each(|need| streams.remark(need))?;
    let is_for_one_call = prepared.asks_each_time();
    let question = if is_for_one_call {
        streams.language.say("Approve this call? [y/N]")
    } else {
        streams.language.say("Approve it as it is now? [y/N]")
    };
    write!(streams.stderr, "{question} ")?;
    streams.stderr.flush()?;
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer)?;
    let is_yes = matches!(answer.trim(), "y" | "Y" | "yes");
    if is_yes && !is_for_one_call {
        // If it cannot be stored, the call is refused and says so.
        let _ = approval::store(prepared.call().skill, &prepared.call().host.state);
    }
    Ok(is_yes && is_for_one_call)
}
