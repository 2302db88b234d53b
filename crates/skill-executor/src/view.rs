//! The legacy view: a skill's program in the directory where its code expects to be.
//!
//! Code that builds `../..` paths, or takes `PROJECT_BASE_PATH`, finds the directories of the old
//! host below a base of the skill's own. The program itself is a copy in `Plugin/<directory>` of that
//! base, so that what it writes beside itself persists there and the package stays as it was
//! (`docs/design/legacy-host.md` §1.10: plain links fail, because Node resolves them).
//!
//! A skill may write its own place (`place`) and the shared directories that it was granted
//! (`shared`). The host never opens anything for a skill in a directory that another skill can
//! write.

mod claim;
mod copy;
mod cover;
mod exchange;
mod host_file;
mod host_part;
mod layout;
mod neighbours;
mod own;
mod owner;
mod packages;
mod place;
mod required;
mod shared;

#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::sync::PoisonError;

use skill_model::{read_env_file, write_env_file};
use skill_settings::Values;

use crate::call::Call;
use crate::envelope::{Failure, Warning};
use crate::package::SkillPackage;
use crate::state::{State, bytes_beneath};
pub(crate) use exchange::reads_of_other_authors;
use host_file::{manifest, put};
pub use layout::LEGACY;
pub use layout::TMP;
use layout::{CONFIG, MANIFEST};
pub(crate) use own::OwnPaths;
pub(crate) use owner::text_of_path;
pub use packages::{InstalledPackages, needs};
use place::Place;

/// The directories of a running program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct View {
    /// `PROJECT_BASE_PATH`, for this skill alone.
    pub base: PathBuf,
    /// The directory that replaces the plugin's.
    pub plugin: PathBuf,
    /// The working directory of the program.
    pub cwd: PathBuf,
    /// A home directory of its own.
    pub home: PathBuf,
    /// The shared directories that it was granted.
    pub shared: Vec<PathBuf>,
    /// Its copies of other skills, in which it may write; `None` if it needs none.
    pub beside: Option<PathBuf>,
    /// The directories in the packages of other skills that it may read.
    pub neighbours: Vec<PathBuf>,
    /// The installed packages.
    pub packages: InstalledPackages,
}

impl View {
    /// Updates the view of the skill that is called. Warnings for the user are kept in the state:
    /// [`State::notes`].
    ///
    /// # Errors
    ///
    /// The skill or the state cannot be read or written.
    pub fn prepare(call: &Call<'_>) -> Result<Self, Failure> {
        let (skill, state) = (call.skill, &call.host.state);
        let _one = state.views.lock().unwrap_or_else(PoisonError::into_inner);
        let mut notes = Vec::new();
        let place = claim::claim(skill, state, &mut notes)?;
        state.make_dir(&format!("{}/{TMP}", place.home()))?;
        let shared = shared::lay_out(skill, state, &place, &mut notes)?;
        let prefer = call.options.state_from.prefer();
        copy::own(skill, state, &place, prefer, &mut notes)?;
        host_part::lay_out(skill, skill, state, (&place, &place.base()), &mut notes)?;
        let beside = neighbours::lay_out(skill, state, &place, &mut notes)?;
        exchange::exchange(skill, state, &place, &mut notes)?;
        let has_others = !skill.metadata.requires.skills.is_empty();
        let path = call.host.environment.get("PATH").map(String::as_str);
        let packages = packages::lay_out(skill, state, &place, path)?;
        let plugin = place.plugin(skill);
        put(state, &plugin, MANIFEST, manifest(skill))?;
        let settings = config(call, &mut notes);
        // Code may also read the file of the old host, two directories above its own.
        put(state, &place.base(), CONFIG, settings.clone())?;
        put(state, &plugin, CONFIG, settings)?;
        place.link(skill, state);
        state.note(&skill.dir, notes);
        let (_, rest) = copy::source(skill);
        let plugin = state.path(&plugin);
        Ok(Self {
            base: state.path(&place.base()),
            cwd: if rest.is_empty() {
                plugin.clone()
            } else {
                plugin.join(rest)
            },
            plugin,
            home: state.path(&place.home()),
            shared,
            beside: has_others.then(|| state.path(&place.beside())),
            neighbours: beside,
            packages,
        })
    }
}

/// Makes the place of a skill its own, with what an older version or a former owner left there, so that
/// an approval is for what a call will find.
pub(crate) fn settle(skill: &SkillPackage, state: &State) -> Result<(), Failure> {
    let _one = state.views.lock().unwrap_or_else(PoisonError::into_inner);
    // The call itself reports whose place it is.
    claim::claim(skill, state, &mut Vec::new()).map(drop)
}

/// Brings the data files that a skill shares with others in step, for a program that runs already.
pub(crate) fn share_files(skill: &SkillPackage, state: &State) -> Result<(), Failure> {
    let _one = state.views.lock().unwrap_or_else(PoisonError::into_inner);
    let place = claim::claim(skill, state, &mut Vec::new())?;
    exchange::exchange(skill, state, &place, &mut Vec::new())
}

/// Bytes that a skill occupies in the state directory: its view and its home.
pub fn bytes(skill: &SkillPackage, state: &State) -> u64 {
    Place::find(skill, state).map_or(0, |place| bytes_beneath(state, &place.dir()))
}

/// Returns the skills whose files a skill reads, and those that they read; without those that cannot be
/// found.
pub fn neighbours(skill: &SkillPackage) -> Vec<SkillPackage> {
    OwnPaths::neighbours(skill)
}

/// The directory of a skill's last values and the like, unlike that of every other skill; `None`
/// for a skill that was never called.
pub(crate) fn key(skill: &SkillPackage, state: &State) -> Option<String> {
    Place::find(skill, state).map(|place| place.key().to_owned())
}

/// Returns the skills that a skill requires, and those that they require in turn.
pub(crate) fn required(skill: &SkillPackage) -> Vec<SkillPackage> {
    // The view of the call reports what is missing.
    required::required(skill, &mut Vec::new())
}

/// Returns the pairs of the `config.env` that earlier calls left for a skill.
pub(crate) fn config_pairs(skill: &SkillPackage, state: &State) -> Vec<(String, String)> {
    let place = Place::find(skill, state);
    let text =
        place.and_then(|place| state.read_text(&format!("{}/{CONFIG}", place.plugin(skill))));
    read_env_file(&text.unwrap_or_default())
}

/// Brings the `config.env` that earlier calls left for a skill in step with the store: `keys` get their
/// values in `stored`, or are removed.
pub(crate) fn update_config(
    skill: &SkillPackage,
    state: &State,
    keys: &[String],
    stored: &Values,
) -> Result<(), Failure> {
    let Some(place) = Place::find(skill, state) else {
        return Ok(());
    };
    update_file(&place.base(), state, keys, stored)?;
    update_file(&place.plugin(skill), state, keys, stored)
}

fn update_file(dir: &str, state: &State, keys: &[String], stored: &Values) -> Result<(), Failure> {
    let path = format!("{dir}/{CONFIG}");
    let Some(old) = state.read_text(&path) else {
        return Ok(());
    };
    let mut pairs = read_env_file(&old);
    let is_changed = |key: &String| keys.contains(key);
    pairs.retain(|(key, _)| !is_changed(key) || stored.contains_key(key));
    for (key, value) in &mut pairs {
        if let Some(new) = stored.get(key).filter(|_| is_changed(key)) {
            value.clone_from(new);
        }
    }
    if pairs == read_env_file(&old) {
        return Ok(());
    }
    if pairs.is_empty() {
        let removed = state.root().remove(&path);
        return removed.map_err(|error| Failure::io(&error));
    }
    let pairs = pairs.iter();
    let pairs = pairs.map(|(key, value)| (key.as_str(), value.as_str()));
    put(state, dir, CONFIG, Some(write_env_file(pairs).text))
}

/// Returns the skill's own keys of the user's file; without one, the existing file stays.
fn config(call: &Call<'_>, notes: &mut Vec<Warning>) -> Option<String> {
    let file = call.config.file.as_ref()?;
    if !file.left_out.is_empty() {
        let keys = file.left_out.join(", ");
        let message = format!(
            "{CONFIG} cannot hold the values of {keys}, which mix all kinds of quotes; the environment holds them"
        );
        notes.push(Warning::new("config-not-written", message));
    }
    Some(file.text.clone())
}
