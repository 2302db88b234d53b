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
//! skills/<key>/beside/  its copies of what it needs of other skills
//! ```

use skill_loader::Digest;
use skill_loader::fs::check_relative;

use super::layout::{LEGACY, PLUGINS};
use super::owner::{self, Owner};
use crate::package::SkillPackage;
use crate::state::State;

/// All places, beneath the state directory.
const PLACES: &str = "skills";
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
    /// Takes the name of a place.
    pub(super) fn new(key: &str) -> Self {
        Self {
            key: key.to_owned(),
        }
    }

    /// The place of a skill that was called before.
    pub(super) fn find(skill: &SkillPackage, state: &State) -> Option<Self> {
        let me = Owner::new(skill);
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

    /// Leaves a link where people and scripts look for the program; nothing here goes through it.
    /// The first skill of a directory gets it. A failure is ignored, because nothing depends on the link.
    pub(super) fn link(&self, skill: &SkillPackage, state: &State) {
        let link = format!("{LEGACY}/{PLUGINS}/{}", skill.legacy_directory());
        let _ = state
            .root()
            .link(&link, &format!("../../{}", self.plugin(skill)));
    }
}

/// The names that the place of a skill may have: after its directory, with digits of its path, and
/// with digits of its path and plugin.
pub(super) fn keys(skill: &SkillPackage, me: &Owner) -> [String; 3] {
    let path = skill.dir.as_os_str().as_encoded_bytes();
    let name = skill
        .place_name()
        .filter(|name| name.len() <= MAX_NAME && check_relative(name).is_ok());
    let name = name.unwrap_or("skill");
    let numbered =
        |bytes: &[u8]| format!("{name}-{}", &Digest::from_content(bytes).hex()[..N_DIGITS]);
    let both = [path, b"\0", me.plugin().as_bytes()].concat();
    [name.to_owned(), numbered(path), numbered(&both)]
}
