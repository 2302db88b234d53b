//! Other skills that a skill needs: `require('../Other/lib.js')`.
//!
//! In the old host all plugins were in one directory (`docs/design/legacy-host.md` §1.6: 21 of 89
//! load modules with `..`, 36 build such paths). A skill gets the files of the skills that its
//! METADATA.yml names (`requires.skills`), and of those that they name in turn. It gets the program
//! without its configuration, copied from the package. A link in its `Plugin` directory leads to each
//! copy, which is the skill's own: what it writes there (`SemanticGroupEditor` of the old host writes
//! into the directory of another plugin) persists and does not reach the other skill. Code that it
//! leaves there is part of its approval. A file that changed in the package and here is that of the
//! package.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use super::copy;
use super::host_file::{manifest, put};
use super::host_part;
use super::layout::{MANIFEST, PLUGINS};
use super::place::Place;
use super::required::{REQUIRED_MISSING, required_by};
use crate::envelope::{ErrorCode, Failure, Warning};
use crate::package::SkillPackage;
use crate::state::State;

/// Lays out what the skill needs of others; returns the paths in their packages that the program may
/// read.
pub(super) fn lay_out(
    skill: &SkillPackage,
    state: &State,
    place: &Place,
    notes: &mut Vec<Warning>,
) -> Result<Vec<PathBuf>, Failure> {
    if skill.metadata.requires.skills.is_empty() {
        return Ok(Vec::new());
    }
    let beside = format!("{}/{PLUGINS}", place.beside());
    state.make_dir(&beside)?;
    let mut res = Vec::new();
    let mut found = Vec::new();
    let (others, left_out) = laid_out(skill, &mut found);
    if let Some(missing) = found.iter().find(|note| note.code == REQUIRED_MISSING) {
        return Err(Failure::new(
            ErrorCode::NotRunnable,
            missing.message.clone(),
        ));
    }
    notes.append(&mut found);
    notes.extend(left_out.iter().map(|other| {
        let (dir, name) = (other.dir.display(), other.legacy_directory());
        let message = format!("`{dir}` is not laid out: another skill here is `{PLUGINS}/{name}`");
        Warning::new("neighbour-missing", message)
    }));
    for other in others {
        let name = other.legacy_directory();
        let target = format!("{beside}/{name}");
        let linked = copy::other(&other, state, place, &target, notes)?;
        let (source, _) = copy::source(&other);
        res.extend(linked.iter().map(|dir| other.dir.join(source).join(dir)));
        put(state, &target, MANIFEST, manifest(&other))?;
        host_part::lay_out(&other, skill, state, (place, &place.beside()), notes)?;
        let at = format!("{}/{PLUGINS}/{name}", place.base());
        link(state, &at, &format!("../../beside/{PLUGINS}/{name}"), notes)?;
    }
    surroundings(skill, state, place)?;
    Ok(res)
}

/// Returns the neighbours that are laid out, sorted by their directories, and those whose place another
/// one has: that of the skill itself, then of those that it requires itself.
fn laid_out(
    skill: &SkillPackage,
    notes: &mut Vec<Warning>,
) -> (Vec<SkillPackage>, Vec<SkillPackage>) {
    let mut all = required_by(skill, notes);
    all.sort_by(|a, b| {
        b.is_direct
            .cmp(&a.is_direct)
            .then(a.skill.dir.cmp(&b.skill.dir))
    });
    let mut taken = BTreeSet::from([skill.legacy_directory().to_owned()]);
    let others = all.into_iter().map(|other| other.skill);
    let (mut laid, left_out): (Vec<_>, Vec<_>) =
        others.partition(|other| taken.insert(other.legacy_directory().to_owned()));
    laid.sort_by(|a, b| a.dir.cmp(&b.dir));
    (laid, left_out)
}

/// Creates what a neighbour's file finds by `../..`: the directories of the skill that uses it.
fn surroundings(skill: &SkillPackage, state: &State, place: &Place) -> Result<(), Failure> {
    for (at, to) in surrounding_links(skill, place) {
        let linked = state.root().link(&at, &to);
        linked.map_err(|error| Failure::io(&error))?;
    }
    Ok(())
}

/// Returns those links: their paths beneath the state directory, and their targets.
fn surrounding_links(skill: &SkillPackage, place: &Place) -> Vec<(String, String)> {
    let beside = place.beside();
    let own = format!("{PLUGINS}/{}", skill.legacy_directory());
    let shared = skill_model::SHARED_DIRECTORIES.iter();
    let shared = shared.map(|dir| (format!("{beside}/{dir}"), format!("../base/{dir}")));
    let own = (format!("{beside}/{own}"), format!("../../base/{own}"));
    shared.chain([own]).collect()
}

/// The files and links that the host lays out for a skill on behalf of its neighbours.
#[derive(Default)]
pub(super) struct Laid {
    /// The targets of links, by their paths beneath the state directory.
    pub(super) links: BTreeMap<String, String>,
    /// The digests of files, by their paths beneath the state directory.
    pub(super) files: BTreeMap<String, String>,
}

/// Returns what [`lay_out`] makes for a skill.
pub(super) fn laid(skill: &SkillPackage, state: &State, place: &Place) -> Laid {
    let mut res = Laid::default();
    if skill.metadata.requires.skills.is_empty() {
        return res;
    }
    res.links.extend(surrounding_links(skill, place));
    for other in laid_out(skill, &mut Vec::new()).0 {
        let name = other.legacy_directory();
        let at = format!("{}/{PLUGINS}/{name}", place.base());
        res.links
            .insert(at, format!("../../beside/{PLUGINS}/{name}"));
        let beside = place.beside();
        res.links
            .extend([host_part::packages_link(&other, &beside)]);
        let target = format!("{beside}/{PLUGINS}/{name}");
        res.links.extend(copy::package_links(&other, &target));
        let copied = copy::digests(place, state, &copy::record_of(&other)).into_iter();
        res.files
            .extend(copied.map(|(path, digest)| (format!("{target}/{path}"), digest)));
        res.files
            .extend(host_part::laid_for(&other, skill, state, (place, &beside)));
    }
    res
}

fn link(state: &State, at: &str, target: &str, notes: &mut Vec<Warning>) -> Result<(), Failure> {
    if !state
        .root()
        .link(at, target)
        .map_err(|error| Failure::io(&error))?
    {
        let at = state.path(at);
        let message = format!(
            "{} should be a link to a skill that this one needs; something of its own lies there, which stays",
            at.display()
        );
        notes.push(Warning::new("state-in-the-way", message));
    }
    Ok(())
}
