//! Stored approvals, which cover everything that runs.
//!
//! An approval covers what was approved: every file of the skill with its bytes, executable bit and
//! link targets, METADATA.yml with its permissions, and the code that earlier calls left where the
//! skill runs (`left`). A change to any of it requires a new approval. Approvals are stored under
//! the directory of the skill, because a skill chooses the name in METADATA.yml itself.
//!
//! A command with `approval: required` asks before each call: no stored approval, and none for a
//! session, covers it.

mod left;
mod start;

use serde_json::{Map, Value, json};
use skill_loader::Hasher;
use skill_model::Command;

pub use crate::selection::check_selection;
pub(crate) use start::{StartGuard, begin};

use crate::arguments;
use crate::call::{Approval, Call, Purpose};
use crate::entry::shell_line;
use crate::envelope::Failure;
use crate::guards;
use crate::json;
use crate::names;
use crate::package::SkillPackage;
use crate::selection;
use crate::state::State;
use crate::view::{self, OwnPaths};
use skill_loader::contents::{self, Contents};

const DIR: &str = "approvals";
const FILE: &str = "approvals.json";
/// The maximum number of files that a message names.
const SHOWN: usize = 5;

/// Stores or withdraws an approval, and returns the answer to that. It names the code in the state that
/// the approval covers.
///
/// # Errors
///
/// The skill or the state cannot be read or written.
pub fn change(skill: &SkillPackage, state: &State, is_withdrawn: bool) -> Result<Value, Failure> {
    let left = if is_withdrawn {
        forget(skill, state)?;
        Vec::new()
    } else {
        store(skill, state)?
    };
    let mut res = json!({"skill": skill.metadata.name, "approved": !is_withdrawn});
    if !left.is_empty() {
        res["code_in_state"] = left.into();
    }
    Ok(res)
}

/// Returns the parts of a call that need an approval which was neither given nor stored, as
/// sentences for a person.
pub fn needs(call: &Call<'_>) -> Vec<String> {
    // A call that selects nothing fails, whatever a person says.
    if call.options.purpose == Purpose::Run && selection::check(call).is_err() {
        return Vec::new();
    }
    let mut res = unanswered(call);
    if !res.is_empty() {
        match approval_state(call.skill, &call.host.state) {
            ApprovalState::Holds => res.clear(),
            ApprovalState::Missing => res.extend(left_to_run(call)),
            ApprovalState::Changed(why) => res.push(why),
        }
    }
    if res.is_empty() {
        res.extend(unanswered_command(call));
    }
    res
}

/// Returns true if an approval of this call holds for no other one.
pub(crate) fn asks_each_time_in(call: &Call<'_>) -> bool {
    call.options.purpose == Purpose::Run && asks_each_time(call.skill, call.command, call.input)
}

/// Returns true if a call reaches a command that asks before each call, so that an approval is not stored
/// for it.
pub fn asks_each_time(skill: &SkillPackage, command: Option<&str>, input: &Value) -> bool {
    let metadata = &skill.metadata;
    let named = command.map(|id| names::command(metadata, id).unwrap_or(id));
    arguments::reachable(metadata, named, input)
        .into_iter()
        .any(Command::needs_approval)
}

/// Returns true if the approval of a call is bound to certain code: a stored approval, or one that
/// names a digest.
fn is_bound(call: &Call<'_>) -> bool {
    let asks = is_required(call.skill) && !guards::are_all_set(call);
    let asks = asks || shell_line(call.skill).is_some() || asking_command(call).is_some();
    !unanswered(call).is_empty()
        || unanswered_command(call).is_some()
        || asks && matches!(call.options.approval, Approval::GrantedFor(_))
}

/// Returns true if this call was approved. An approval of one skill does not cover another that replaces
/// it.
fn is_approved(call: &Call<'_>) -> bool {
    call.options.approval != Approval::Missing && !call.options.is_substitute
}

/// Returns the parts of a call that need an approval which was not given for this call, and which a
/// stored one may cover.
fn unanswered(call: &Call<'_>) -> Vec<String> {
    let metadata = &call.skill.metadata;
    let allows_shell = call.host.allow_shell && !call.options.is_substitute;
    let mut res = Vec::new();
    let asks = is_required(call.skill) && !guards::are_all_set(call);
    if asks && !is_approved(call) {
        res.push(guards::need(call).unwrap_or_else(|| {
            let name = &metadata.name;
            if metadata.permissions.admin {
                format!("skill `{name}` gets the administrator's code (`admin: true`), which needs approval before every call")
            } else {
                format!("skill `{name}` asks for approval before every call")
            }
        }));
    }
    if let Some(line) = shell_line(call.skill)
        && !allows_shell
    {
        res.push(format!(
            "skill `{}` runs a shell line: {line}",
            metadata.name
        ));
    }
    res
}

/// Returns the need of a command that asks before each call, if this call was not approved.
fn unanswered_command(call: &Call<'_>) -> Option<String> {
    let command = asking_command(call).filter(|_| !is_approved(call))?;
    Some(format!(
        "`{}` of skill `{}` asks for approval before every call",
        command.id, call.skill.metadata.name
    ))
}

/// Returns the command that a call reaches and that needs an approval of its own.
fn asking_command<'c>(call: &Call<'c>) -> Option<&'c Command> {
    if call.options.purpose == Purpose::Introspect {
        return None;
    }
    let reached = arguments::reachable(&call.skill.metadata, call.command, call.input);
    reached.into_iter().find(|command| command.needs_approval())
}

/// Returns true if every call needs an approval: METADATA.yml asks for that, or for the
/// administrator's code, which a skill never gets by its own request alone.
pub fn is_required(skill: &SkillPackage) -> bool {
    let permissions = &skill.metadata.permissions;
    permissions.approval == "required" || permissions.admin
}

/// Returns a digest, 64 hex digits, of everything that would run if the skill were called now.
///
/// # Errors
///
/// The skill or its state cannot be read completely.
pub fn digest(skill: &SkillPackage, state: &State) -> Result<String, Failure> {
    looked_at(skill, state).map(|(digest, _)| digest)
}

/// Returns the digest, and the paths in the state of code that is not in the skill.
fn looked_at(skill: &SkillPackage, state: &State) -> Result<(String, Vec<String>), Failure> {
    let package = contents::read(&skill.root)?;
    view::settle(skill, state)?;
    let left = left::code(skill, &package, state)?;
    let mut hasher = program(skill, &package)?;
    for text in left.iter().flat_map(|(path, what)| [path, what]) {
        hasher.update(&(text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    }
    Ok((hasher.finish().hex(), left.into_keys().collect()))
}

/// Returns a digest, 64 hex digits, of everything that runs of a skill that was never called: the
/// skill and the skills whose files it reads. Equal digests mean that the same code runs.
///
/// # Errors
///
/// A skill cannot be read completely.
pub fn program_digest(skill: &SkillPackage) -> Result<String, Failure> {
    let package = contents::read(&skill.root)?;
    Ok(program(skill, &package)?.finish().hex())
}

fn program(skill: &SkillPackage, package: &Contents) -> Result<Hasher, Failure> {
    let mut hasher = Hasher::default();
    hasher.update(package.digest().as_bytes());
    for other in OwnPaths::neighbours(skill) {
        hasher.update(contents::read(&other.root)?.digest().as_bytes());
    }
    Ok(hasher)
}

/// Approves a skill as it is now. Returns the paths, beneath the state directory, of code that is
/// not in the skill and was approved with it.
///
/// # Errors
///
/// The skill cannot be read completely, or the state cannot be written.
pub fn store(skill: &SkillPackage, state: &State) -> Result<Vec<String>, Failure> {
    let (digest, left) = looked_at(skill, state)?;
    let mut all = all(state);
    all.insert(view::text_of_path(&skill.dir), digest.into());
    write(state, all)?;
    Ok(left)
}

/// Revokes an approval; returns true if there was one.
///
/// # Errors
///
/// The state cannot be written.
pub fn forget(skill: &SkillPackage, state: &State) -> Result<bool, Failure> {
    let mut all = all(state);
    let was_there = all.shift_remove(&view::text_of_path(&skill.dir)).is_some();
    write(state, all)?;
    Ok(was_there)
}

/// Returns true if the skill was approved as it is now.
pub fn is_stored(skill: &SkillPackage, state: &State) -> bool {
    matches!(approval_state(skill, state), ApprovalState::Holds)
}

/// The state of a stored approval.
enum ApprovalState {
    /// Valid: nothing that runs has changed.
    Holds,
    /// There is no approval.
    Missing,
    /// The approval was for other code; with what is known about that.
    Changed(String),
}

fn approval_state(skill: &SkillPackage, state: &State) -> ApprovalState {
    let all = all(state);
    let Some(stored) = all.get(&view::text_of_path(&skill.dir)) else {
        return ApprovalState::Missing;
    };
    let name = &skill.metadata.name;
    match looked_at(skill, state) {
        Ok((now, _)) if stored == now.as_str() => ApprovalState::Holds,
        Ok((_, left)) if left.is_empty() => ApprovalState::Changed(format!(
            "what runs of `{name}` has changed since it was approved"
        )),
        Ok((_, left)) => ApprovalState::Changed(format!(
            "what runs of `{name}` has changed since it was approved: its state holds code that is not in the skill: {}",
            shown(&left)
        )),
        Err(failure) => ApprovalState::Changed(failure.message),
    }
}

/// Describes what an approval would also cover: code in the state that is not in the skill.
fn left_to_run(call: &Call<'_>) -> Option<String> {
    match looked_at(call.skill, &call.host.state) {
        Ok((_, left)) if left.is_empty() => None,
        Ok((_, left)) => Some(format!(
            "its state holds code that is not in the skill: {}",
            shown(&left)
        )),
        Err(failure) => Some(failure.message),
    }
}

/// Formats some of these paths, which a program chose.
fn shown(paths: &[String]) -> String {
    let first = paths.iter().take(SHOWN);
    let first: Vec<String> = first
        .map(|path| format!("`{}`", path.escape_debug()))
        .collect();
    let more = match paths.len().saturating_sub(SHOWN) {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    format!("{}{more}", first.join(", "))
}

/// Copies the stored approvals to another state, for a call that must not change the first one.
///
/// # Errors
///
/// The approvals cannot be written.
pub fn copy(from: &State, to: &State) -> Result<(), Failure> {
    let all = all(from);
    if all.is_empty() {
        return Ok(());
    }
    write(to, all)
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
