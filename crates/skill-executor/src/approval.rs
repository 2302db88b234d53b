//! Calls that need a yes: stored approvals, by all that runs.
//!
//! An approval holds for what was approved: every file of the skill with its bytes, executable bit
//! and link targets, METADATA.yml with the permissions among them, and the code that earlier calls
//! left where the skill runs (`left`). When any of it changes, a new yes is needed. It is kept under
//! the directory of the skill: the name in METADATA.yml is the skill's own choice.

mod begun;
mod left;

use serde_json::{Map, Value};
use skill_loader::Hasher;

pub(crate) use begun::{Begun, begin};

use crate::call::Call;
use crate::envelope::Failure;
use crate::guards;
use crate::json;
use crate::package::SkillPackage;
use crate::package::contents::{self, Contents};
use crate::state::State;
use crate::view::{self, Own};

const DIR: &str = "approvals";
const FILE: &str = "approvals.json";
/// Files that a message names at most.
const SHOWN: usize = 5;

/// What of a call needs a yes that was neither given nor stored, as sentences for a person.
pub fn needs(call: &Call<'_>) -> Vec<String> {
    let mut res = unanswered(call);
    if !res.is_empty() {
        match standing(call.skill, &call.host.state) {
            Standing::Holds => res.clear(),
            Standing::Missing => res.extend(left_to_run(call)),
            Standing::Changed(why) => res.push(why),
        }
    }
    res
}

/// Whether the answer to what a call needs is for certain code: a stored approval, or one that names a
/// digest.
fn is_bound(call: &Call<'_>) -> bool {
    let asks = is_required(call.skill) && !guards::are_all_set(call);
    let asks = asks || shell_line(call.skill).is_some();
    !unanswered(call).is_empty() || asks && call.options.approved.is_some()
}

/// What of a call needs a yes that was not given for this call.
fn unanswered(call: &Call<'_>) -> Vec<String> {
    let metadata = &call.skill.metadata;
    // What is approved for one skill is not for another that stands in for it.
    let is_approved = call.host.approved && !call.options.stands_in;
    let allows_shell = call.host.allow_shell && !call.options.stands_in;
    let mut res = Vec::new();
    let asks = is_required(call.skill) && !guards::are_all_set(call);
    if asks && !is_approved {
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

/// Whether every call needs a yes: METADATA.yml asks for it, or for the administrator's code, which no
/// skill gets by its own word alone.
pub fn is_required(skill: &SkillPackage) -> bool {
    let permissions = &skill.metadata.permissions;
    permissions.approval == "required" || permissions.admin
}

/// The command line of a skill, when only a shell can read it.
pub fn shell_line(skill: &SkillPackage) -> Option<&str> {
    let entry = skill.metadata.entry.as_ref()?;
    if crate::program::is_plain(entry) {
        return None;
    }
    entry.shell.as_deref()
}

/// A digest over all that would run if the skill were called now, 64 hex digits.
pub fn digest(skill: &SkillPackage, state: &State) -> Result<String, Failure> {
    looked_at(skill, state).map(|(digest, _)| digest)
}

/// The digest, and the paths in the state of code that is not in the skill.
fn looked_at(skill: &SkillPackage, state: &State) -> Result<(String, Vec<String>), Failure> {
    let package = contents::of(&skill.root)?;
    view::settle(skill, state)?;
    let left = left::code(skill, &package, state)?;
    let mut hasher = program(skill, &package)?;
    for text in left.iter().flat_map(|(path, what)| [path, what]) {
        hasher.update(&(text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    }
    Ok((hasher.finish().hex(), left.into_keys().collect()))
}

/// A digest over all that runs of a skill that was never called, 64 hex digits: the skill and the
/// skills whose files it reads. Where it is the same, the same runs.
pub fn program_digest(skill: &SkillPackage) -> Result<String, Failure> {
    let package = contents::of(&skill.root)?;
    Ok(program(skill, &package)?.finish().hex())
}

fn program(skill: &SkillPackage, package: &Contents) -> Result<Hasher, Failure> {
    let mut hasher = Hasher::default();
    hasher.update(package.digest().as_bytes());
    for other in Own::neighbours(skill) {
        hasher.update(contents::of(&other.root)?.digest().as_bytes());
    }
    Ok(hasher)
}

/// Approves a skill as it is now. Returns the paths, beneath the state directory, of code that is not
/// in the skill and was approved with it.
pub fn store(skill: &SkillPackage, state: &State) -> Result<Vec<String>, Failure> {
    let (digest, left) = looked_at(skill, state)?;
    let mut all = all(state);
    all.insert(view::shown(&skill.dir), digest.into());
    write(state, all)?;
    Ok(left)
}

/// Takes an approval back; says whether there was one.
pub fn forget(skill: &SkillPackage, state: &State) -> Result<bool, Failure> {
    let mut all = all(state);
    let was_there = all.shift_remove(&view::shown(&skill.dir)).is_some();
    write(state, all)?;
    Ok(was_there)
}

/// Whether the skill was approved as it is now.
pub fn is_stored(skill: &SkillPackage, state: &State) -> bool {
    matches!(standing(skill, state), Standing::Holds)
}

/// What a stored approval is worth now.
enum Standing {
    /// Nothing that runs has changed.
    Holds,
    /// There is none.
    Missing,
    /// It was for something else; says what is known of that.
    Changed(String),
}

fn standing(skill: &SkillPackage, state: &State) -> Standing {
    let all = all(state);
    let Some(stored) = all.get(&view::shown(&skill.dir)) else {
        return Standing::Missing;
    };
    let name = &skill.metadata.name;
    match looked_at(skill, state) {
        Ok((now, _)) if stored == now.as_str() => Standing::Holds,
        Ok((_, left)) if left.is_empty() => Standing::Changed(format!(
            "what runs of `{name}` has changed since it was approved"
        )),
        Ok((_, left)) => Standing::Changed(format!(
            "what runs of `{name}` has changed since it was approved: its state holds code that is not in the skill: {}",
            shown(&left)
        )),
        Err(failure) => Standing::Changed(failure.message),
    }
}

/// What a yes would also be for: code in the state that is not in the skill.
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

/// Some of these paths, which a program chose.
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

fn all(state: &State) -> Map<String, Value> {
    match state.read(&format!("{DIR}/{FILE}")) {
        Some(Value::Object(map)) => map,
        _ => Map::new(),
    }
}

fn write(state: &State, all: Map<String, Value>) -> Result<(), Failure> {
    state.write(DIR, FILE, &json::stringify(&Value::Object(all)))
}
