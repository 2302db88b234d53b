//! Claims a place for a skill, and takes over what older versions kept for it.

use std::collections::BTreeMap;

use skill_loader::fs::Kind;

use super::copy;
use super::layout::{CONFIG, LEGACY, PLUGINS};
use super::owner::{self, Owner, text_of_path};
use super::place::{Place, keys};
use crate::config::{self, Given};
use crate::envelope::{ErrorCode, Failure, Warning};
use crate::package::SkillPackage;
use crate::state::State;

/// The directory in which older versions kept the home directories.
const OLD_HOMES: &str = "home";
/// The directory in which older versions kept their records of copies.
const OLD_RECORDS: &str = "views";

/// Returns the place of a skill, which becomes its own with the first call.
pub(super) fn claim(
    skill: &SkillPackage,
    state: &State,
    notes: &mut Vec<Warning>,
) -> Result<Place, Failure> {
    let me = Owner::new(skill);
    let keys = keys(skill, &me);
    for key in &keys {
        let place = Place::new(key);
        if owner::claim(key, &me, state)? {
            if *key != keys[0] {
                notes.push(taken(&keys[0], key, &me, state));
            }
            adopt(&place, skill, state)?;
            return Ok(place);
        }
    }
    let records = keys.map(|key| owner::path(&key)).join(", ");
    let message = format!(
        "the state of {me} belongs to other skills: {records} in {}; \
         remove one of these records to give its state to this skill",
        state.path("").display()
    );
    Err(Failure::new(ErrorCode::Io, message))
}

/// Takes over what an older version kept for exactly this skill, when programs were next to
/// each other: the record of what was copied names the skill.
fn adopt(place: &Place, skill: &SkillPackage, state: &State) -> Result<(), Failure> {
    let there = state
        .root()
        .kind(&place.dir())
        .map_err(|error| Failure::io(&error))?;
    if there.is_some() {
        return Ok(());
    }
    state.make_dir(&place.dir())?;
    let name = skill.legacy_directory();
    let record = format!("{OLD_RECORDS}/{name}.json");
    let Some(known) = state.read(&record) else {
        return Ok(());
    };
    let source = skill.dir.join(copy::source(skill).0);
    if known["from"] != text_of_path(&source) {
        return Ok(());
    }
    let files: Vec<&String> = known["files"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|file| file.0)
        .collect();
    let program = format!("{LEGACY}/{PLUGINS}/{name}");
    if move_dir(state, &program, &place.plugin(skill))? && !files.iter().any(|file| *file == CONFIG)
    {
        narrow_config(skill, state, &place.plugin(skill))?;
    }
    if skill.metadata.name == place.key() {
        move_dir(
            state,
            &format!("{OLD_HOMES}/{}", place.key()),
            &place.home(),
        )?;
    }
    copy::adopt(state, place, &known)?;
    state
        .root()
        .remove(&record)
        .map_err(|error| Failure::io(&error))
}

fn taken(first: &str, own: &str, me: &Owner, state: &State) -> Warning {
    let owner = owner::read(first, state).map_or_else(String::new, |owner| owner.to_string());
    let message = format!(
        "the state `{first}` belongs to {owner}; {me} has a state of its own, `{own}`; \
         to give it the first one, remove {}",
        state.path(&owner::path(first)).display()
    );
    Warning::new("state-of-another", message)
}

/// Moves a directory of an older version; says whether there was one.
fn move_dir(state: &State, from: &str, to: &str) -> Result<bool, Failure> {
    let kind = state
        .root()
        .kind(from)
        .map_err(|error| Failure::io(&error))?;
    if kind != Some(Kind::Dir) {
        return Ok(false);
    }
    let moved = state.root().rename(from, to);
    moved.map(|()| true).map_err(|error| Failure::io(&error))
}

/// Older versions wrote the user's whole file; what the skill did not declare goes.
fn narrow_config(skill: &SkillPackage, state: &State, dir: &str) -> Result<(), Failure> {
    let path = format!("{dir}/{CONFIG}");
    let Some(text) = state.read_text(&path) else {
        return Ok(());
    };
    let given = Given {
        file: Some(&text),
        ..Given::default()
    };
    let (manifest, none) = (skill.manifest.as_ref(), BTreeMap::new());
    let config = config::resolve(&skill.metadata, manifest, given, &none);
    let file = config.file.map_or_else(String::new, |file| file.text);
    state.write(dir, CONFIG, &file)
}
