//! One skill, one place: a directory of the state that no other skill shares.
//!
//! The place is named after the skill's directory, never after what METADATA.yml says, which a
//! hostile skill chooses. A record that no skill can write (`owners/<key>.json`, see `owner`) says
//! which directory a place belongs to, and which plugin was migrated to it. A second directory of
//! the same name, or another plugin in the same directory, gets a place with 8 digits behind the
//! name.
//!
//! ```text
//! skills/<key>/base/    PROJECT_BASE_PATH: Plugin/<directory>, dailynote, image …
//! skills/<key>/home/    HOME
//! skills/<key>/beside/  what it needs of other skills, for reading alone
//! ```

use std::os::unix::ffi::OsStrExt as _;

use serde_json::Value;
use skill_loader::Digest;
use skill_loader::fs::{Kind, check_relative};

use super::owner::{Owner, shown};
use super::{CONFIG, LEGACY, PLUGINS, copy, owner, warning};
use crate::config;
use crate::envelope::{ErrorCode, Failure, Warning};
use crate::package::SkillPackage;
use crate::state::{State, failed};

/// All places, beneath the state directory.
const PLACES: &str = "skills";
/// The directory in which older versions kept the home directories.
const OLD_HOMES: &str = "home";
/// The directory in which older versions kept their records of copies.
const OLD_RECORDS: &str = "views";
/// Hex digits behind the name, for a second skill of one name.
const N_DIGITS: usize = 8;
/// Longest name of a place without those digits, in bytes.
const MAX_NAME: usize = 200;

/// The place of one skill.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Place {
    key: String,
}

impl Place {
    /// The place of a skill, which becomes its own with the first call.
    pub(super) fn claim(
        skill: &SkillPackage,
        state: &State,
        notes: &mut Vec<Warning>,
    ) -> Result<Self, Failure> {
        let me = Owner::of(skill);
        let keys = keys(skill, &me);
        for key in &keys {
            let place = Self { key: key.clone() };
            if owner::claim(key, &me, state)? {
                if *key != keys[0] {
                    notes.push(taken(&keys[0], key, &me, state));
                }
                place.adopt(skill, state)?;
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

    /// The place of a skill that was called before.
    pub(super) fn find(skill: &SkillPackage, state: &State) -> Option<Self> {
        let me = Owner::of(skill);
        let mine = |key: &String| owner::read(key, state).is_some_and(|owner| owner.is(&me));
        let key = keys(skill, &me).into_iter().find(mine)?;
        Some(Self { key })
    }

    /// Returns the name of the skill in our file names.
    pub(super) fn key(&self) -> &str {
        &self.key
    }

    /// All of it, beneath the state directory.
    pub(super) fn dir(&self) -> String {
        format!("{PLACES}/{}", self.key)
    }

    pub(super) fn base(&self) -> String {
        format!("{PLACES}/{}/base", self.key)
    }

    pub(super) fn home(&self) -> String {
        format!("{PLACES}/{}/home", self.key)
    }

    pub(super) fn beside(&self) -> String {
        format!("{PLACES}/{}/beside", self.key)
    }

    /// Returns the directory that replaces the plugin's.
    pub(super) fn plugin(&self, skill: &SkillPackage) -> String {
        format!("{}/{PLUGINS}/{}", self.base(), skill.legacy_directory())
    }

    /// Takes over what an older version kept for exactly this skill, when programs were next to
    /// each other: the record of what was copied names the skill.
    fn adopt(&self, skill: &SkillPackage, state: &State) -> Result<(), Failure> {
        let there = state
            .root()
            .kind(&self.dir())
            .map_err(|error| failed(&error))?;
        if there.is_some() {
            return Ok(());
        }
        state.make_dir(&self.dir())?;
        let name = skill.legacy_directory();
        let record = format!("{OLD_RECORDS}/{name}.json");
        let Some(known) = state.read(&record) else {
            return Ok(());
        };
        let source = skill.dir.join(copy::source(skill).0);
        if known["from"] != shown(&source) {
            return Ok(());
        }
        let files: Vec<&String> = known["files"]
            .as_object()
            .into_iter()
            .flatten()
            .map(|file| file.0)
            .collect();
        let program = format!("{LEGACY}/{PLUGINS}/{name}");
        if move_dir(state, &program, &self.plugin(skill))?
            && !files.iter().any(|file| *file == CONFIG)
        {
            narrow_config(skill, state, &self.plugin(skill))?;
        }
        if skill.metadata.name == self.key {
            move_dir(state, &format!("{OLD_HOMES}/{}", self.key), &self.home())?;
        }
        copy::adopt(state, self, &known)?;
        state.root().remove(&record).map_err(|error| failed(&error))
    }

    /// Leaves a link where people and scripts look for the program; nothing here goes through it.
    /// The first skill of a directory has it; that it cannot be made hinders nobody.
    pub(super) fn show(&self, skill: &SkillPackage, state: &State) {
        let link = format!("{LEGACY}/{PLUGINS}/{}", skill.legacy_directory());
        let _ = state
            .root()
            .link(&link, &format!("../../{}", self.plugin(skill)));
    }
}

/// The names that the place of a skill may have: after its directory, with digits of its path, and
/// with digits of its path and plugin.
fn keys(skill: &SkillPackage, me: &Owner) -> [String; 3] {
    let path = skill.dir.as_os_str().as_bytes();
    let name = skill.dir.file_name().and_then(|name| name.to_str());
    let name = name.filter(|name| name.len() <= MAX_NAME && check_relative(name).is_ok());
    let name = name.unwrap_or("skill");
    let numbered =
        |bytes: &[u8]| format!("{name}-{}", &Digest::from_content(bytes).hex()[..N_DIGITS]);
    let both = [path, b"\0", me.plugin().as_bytes()].concat();
    [name.to_owned(), numbered(path), numbered(&both)]
}

fn taken(first: &str, own: &str, me: &Owner, state: &State) -> Warning {
    let owner = owner::read(first, state).map_or_else(String::new, |owner| owner.to_string());
    let message = format!(
        "the state `{first}` belongs to {owner}; {me} has a state of its own, `{own}`; \
         to give it the first one, remove {}",
        state.path(&owner::path(first)).display()
    );
    warning("state-of-another", message)
}

/// Moves a directory of an older version; says whether there was one.
fn move_dir(state: &State, from: &str, to: &str) -> Result<bool, Failure> {
    let kind = state.root().kind(from).map_err(|error| failed(&error))?;
    if kind != Some(Kind::Dir) {
        return Ok(false);
    }
    let moved = state.root().rename(from, to);
    moved.map(|()| true).map_err(|error| failed(&error))
}

/// Older versions wrote the user's whole file; what the skill did not declare goes.
fn narrow_config(skill: &SkillPackage, state: &State, dir: &str) -> Result<(), Failure> {
    let path = format!("{dir}/{CONFIG}");
    let Some(text) = state.read_text(&path) else {
        return Ok(());
    };
    let declared = config::declared(&skill.metadata, skill.manifest.as_ref());
    let config = config::resolve(&declared, Some(&text), &std::collections::BTreeMap::new());
    let file = config.file.map_or_else(String::new, |file| file.text);
    state.write(dir, CONFIG, &file)
}

/// Reads the files of an old record: path and stamp of the source.
pub(super) fn old_files(record: &Value) -> Vec<(String, String)> {
    let files = record["files"].as_object().into_iter().flatten();
    let files = files.filter_map(|(path, stamp)| Some((path.clone(), stamp.as_str()?.to_owned())));
    files.collect()
}
