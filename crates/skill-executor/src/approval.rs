//! Calls that need a yes: stored approvals, by the content of the skill.
//!
//! An approval holds for the bytes that were approved; a skill that changed needs a new one.

use serde_json::{Map, Value};

use crate::call::Call;
use crate::envelope::Failure;
use crate::guards;
use crate::json;
use crate::package::SkillPackage;
use crate::state::State;

const DIR: &str = "approvals";
const FILE: &str = "approvals.json";

/// What of a call needs a yes that was neither given nor stored, as sentences for a person.
pub fn needs(call: &Call<'_>) -> Vec<String> {
    let metadata = &call.skill.metadata;
    let is_approved = call.host.approved && !call.options.stands_in;
    let mut res = Vec::new();
    let is_required = metadata.permissions.approval == "required" && !guards::are_all_set(call);
    if is_required && !is_approved {
        res.push(guards::need(call).unwrap_or_else(|| {
            format!(
                "skill `{}` asks for approval before every call",
                metadata.name
            )
        }));
    }
    if let Some(line) = shell_line(call.skill)
        && !call.host.allow_shell
    {
        res.push(format!(
            "skill `{}` runs a shell line: {line}",
            metadata.name
        ));
    }
    if !res.is_empty() && is_stored(call.skill, &call.host.state) {
        res.clear();
    }
    res
}

/// The command line of a skill, when only a shell can read it.
pub fn shell_line(skill: &SkillPackage) -> Option<&str> {
    let entry = skill.metadata.entry.as_ref()?;
    if crate::program::is_plain(entry) {
        return None;
    }
    entry.shell.as_deref()
}

/// Approves a skill as it is now.
pub fn store(skill: &SkillPackage, state: &State) -> Result<(), Failure> {
    let mut all = all(state);
    all.insert(skill.metadata.name.clone(), skill.digest()?.into());
    write(state, all)
}

/// Takes an approval back; says whether there was one.
pub fn forget(name: &str, state: &State) -> Result<bool, Failure> {
    let mut all = all(state);
    let was_there = all.shift_remove(name).is_some();
    write(state, all)?;
    Ok(was_there)
}

/// Whether the skill was approved as it is now.
pub fn is_stored(skill: &SkillPackage, state: &State) -> bool {
    match all(state).get(&skill.metadata.name) {
        Some(digest) => skill.digest().is_ok_and(|now| digest == now.as_str()),
        None => false,
    }
}

fn all(state: &State) -> Map<String, Value> {
    match state.read(&format!("{DIR}/{FILE}")) {
        Some(Value::Object(map)) => map,
        _ => Map::new(),
    }
}

fn write(state: &State, all: Map<String, Value>) -> Result<(), Failure> {
    state.write(DIR, FILE, &json::stringify(&Value::Object(all)))
}
