//! `skills-run approve`, and the question on a terminal.

use std::io::{BufRead as _, IsTerminal as _};

use serde_json::{Value, json};
use skill_executor::call::Host;
use skill_executor::{PreparedCall, approval};

use super::args::World;
use super::{print, refused, target};
use skills_cli::{ExitStatus, output::Streams};

pub(super) fn run(
    host: &Host,
    name: &str,
    revoke: bool,
    world: World,
    streams: &mut Streams,
) -> anyhow::Result<ExitStatus> {
    let skill = match target::find(name, world.skills)? {
        Ok((skill, _)) => skill,
        Err(failure) => return refused(name, failure, streams),
    };
    let own = &skill.metadata.name;
    let done = if revoke {
        approval::forget(&skill, &host.state).map(|_| json!({"skill": own, "approved": false}))
    } else {
        approval::store(&skill, &host.state).map(|left| approved(own, &left))
    };
    match done {
        Ok(answer) => {
            print(&answer, streams)?;
            Ok(ExitStatus::Fine)
        }
        Err(failure) => refused(own, failure, streams),
    }
}

/// The answer to a yes; code in the state that it covers is named.
fn approved(name: &str, left: &[String]) -> Value {
    if left.is_empty() {
        return json!({"skill": name, "approved": true});
    }
    json!({"skill": name, "approved": true, "code_in_state": left})
}

/// Asks for what a call needs, if somebody is there to answer; a yes is stored.
pub(super) fn ask(prepared: &PreparedCall<'_>, streams: &mut Streams) -> anyhow::Result<()> {
    let needs = prepared.needs();
    if needs.is_empty() || !streams.is_watched || !std::io::stdin().is_terminal() {
        return Ok(());
    }
    for need in needs {
        writeln!(streams.stderr, "{need}")?;
    }
    write!(streams.stderr, "Approve it as it is now? [y/N] ")?;
    streams.stderr.flush()?;
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer)?;
    if matches!(answer.trim(), "y" | "Y" | "yes") {
        // A refusal to store shows as a refusal of the call.
        let call = prepared.call();
        let _ = approval::store(call.skill, &call.host.state);
    }
    Ok(())
}
