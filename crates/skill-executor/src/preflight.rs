//! The conditions that a call must meet before anything is started.

use serde_json::Value;
use skill_model::ExecutorKind;

use crate::approval;
use crate::call::{Approval, Call, Purpose};
use crate::configure::{self, switched_off};
use crate::envelope::{ErrorCode, Failure};
use crate::environment;
use crate::guards;
use crate::package::SkillPackage;
use crate::selection;
use crate::view;

/// Refuses calls of skills that cannot run, that are prompts, whose type is unknown, that are switched
/// off, that name no command although nothing else selects one, or that a person must approve first.
pub(crate) fn check(call: &Call<'_>) -> Result<(), Failure> {
    if call.options.purpose != Purpose::Run {
        let message = "the call was prepared to ask for tools, and runs none";
        return Err(Failure::new(ErrorCode::InvalidInput, message));
    }
    all_conditions(call, true)
}

/// The same conditions for what runs no command: a server that is asked for its tools, or started early.
pub(crate) fn conditions(call: &Call<'_>) -> Result<(), Failure> {
    all_conditions(call, false)
}

fn all_conditions(call: &Call<'_>, runs_command: bool) -> Result<(), Failure> {
    let metadata = &call.skill.metadata;
    let refuse = |code, why: String| {
        Err(Failure::new(
            code,
            format!("skill `{}` {why}", metadata.name),
        ))
    };
    if let Some(why) = call.skill.unknown_type() {
        let why = format!("has no type that is known here: {why}");
        return refuse(ErrorCode::NotRunnable, why);
    }
    if !configure::is_enabled(call.skill, &call.host.state)? {
        let command = format!("skills-run configure {} --enable", metadata.name);
        let failure = Failure::new(ErrorCode::NotRunnable, switched_off(&metadata.name));
        return Err(failure.with("command", command));
    }
    if metadata.executor == ExecutorKind::Prompt {
        let name = &metadata.name;
        let why = format!(
            "is a prompt, which an agent reads and nothing runs; `skills-read {name} --arguments TEXT` prints it"
        );
        return refuse(ErrorCode::NotRunnable, why);
    }
    if let Some(why) = obstacle(call.skill) {
        return refuse(ErrorCode::NotRunnable, format!("cannot run: {why}"));
    }
    let is_remote = metadata
        .entry
        .as_ref()
        .is_some_and(|entry| entry.endpoint.is_some());
    let asks_itself = is_remote || metadata.executor == ExecutorKind::Distributed;
    if call.host.sandbox.emulation.is_some() && asks_itself {
        let why = "starts no program here, so its network cannot be emulated, recorded or replayed";
        return refuse(ErrorCode::NotRunnable, why.to_owned());
    }
    let is_admin = metadata.permissions.admin && metadata.executor == ExecutorKind::Direct;
    if is_admin && call.host.environment.code().is_none() {
        let message = format!(
            "Plugin \"{}\" requires admin authentication, but auth code could not be obtained. Execution denied.",
            call.skill.legacy_name()
        );
        return Err(Failure::new(ErrorCode::Denied, message));
    }
    if runs_command {
        selection::check(call)?;
    }
    check_approval(call)?;
    if view::reads_of_other_authors(call.skill) {
        let state = &call.host.state;
        state.set_reader(&call.skill.dir, approval::is_stored(call.skill, state));
    }
    environment::check(call)?;
    let takes_object = matches!(
        metadata.executor,
        ExecutorKind::Direct | ExecutorKind::Static
    );
    if takes_object && !matches!(call.input, Value::Null | Value::Object(_)) {
        return refuse(
            ErrorCode::InvalidInput,
            "takes arguments as an object".to_owned(),
        );
    }
    Ok(())
}

/// Returns the reason why a skill cannot run on any machine: what its migration found, or a program of its
/// MCP server that it does not have.
pub(crate) fn obstacle(skill: &SkillPackage) -> Option<String> {
    let metadata = &skill.metadata;
    if !metadata.runnable {
        let why = metadata
            .findings
            .iter()
            .map(|finding| finding.message.as_str());
        return Some(why.collect::<Vec<_>>().join("; "));
    }
    skill.missing_program()
}

/// Refuses a call that needs an approval and does not have one for its skill as it is now.
pub(crate) fn check_approval(call: &Call<'_>) -> Result<(), Failure> {
    let name = &call.skill.metadata.name;
    if let Approval::GrantedFor(digest) = &call.options.approval
        && !call.options.is_substitute
        && approval::digest(call.skill, &call.host.state)? != *digest
    {
        let message = format!("`{name}` changed while its approval was asked for; call it again");
        return Err(Failure::new(ErrorCode::Denied, message));
    }
    let needs = approval::needs(call);
    if !needs.is_empty() {
        let needs = needs.join("; ");
        let message = if approval::asks_each_time_in(call) {
            format!(
                "not approved: {needs}; no yes is stored for it: give one with this call (`--approve`), or from a client that asks"
            )
        } else {
            format!(
                "not approved: {needs}; `skills-run approve {name}` stores a yes for it as it is now"
            )
        };
        let failure = Failure::new(ErrorCode::Denied, message);
        let open = guards::open(call)
            .into_iter()
            .map(|guard| guard.key.clone());
        let open: Vec<String> = open.collect();
        return Err(if open.is_empty() {
            failure
        } else {
            failure.with("open_guards", open)
        });
    }
    Ok(())
}
