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
use std::path::{Path, PathBuf};

use skill_loader::fs::{NoteKind, Root, WalkLimits};
use skill_loader::tree_of;
use skill_model::{HOST_DIRECTORY, RequirementCandidate, SkillRequirement, choose};

use super::copy;
use super::host_file::{manifest, put};
use super::host_part;
use super::layout::{MANIFEST, PLUGINS};
use super::place::Place;
use crate::envelope::{ErrorCode, Failure, Warning};
use crate::package::{MAX_METADATA, SkillPackage};
use crate::state::State;

/// The text before the plugin's directory in the METADATA.yml of a migrated skill.
const DIRECTORY: &str = "\n  directory: ";
/// The code for a skill that is required in a range of versions and that is not there: the skill is not
/// run. Without a range, as the migration writes it, the program may do without it.
const REQUIRED_MISSING: &str = "required-skill-missing";

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
    let mut taken = BTreeSet::from([skill.legacy_directory().to_owned()]);
    let mut found = Vec::new();
    let others = required(skill, &mut found);
    if let Some(missing) = found.iter().find(|note| note.code == REQUIRED_MISSING) {
        return Err(Failure::new(
            ErrorCode::NotRunnable,
            missing.message.clone(),
        ));
    }
    notes.append(&mut found);
    for other in others {
        let name = other.legacy_directory();
        if !taken.insert(name.to_owned()) {
            let dir = other.dir.display();
            let message =
                format!("`{dir}` is not laid out: another skill here is `{PLUGINS}/{name}`");
            notes.push(Warning::new("neighbour-missing", message));
            continue;
        }
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
    let mut taken = BTreeSet::from([skill.legacy_directory().to_owned()]);
    for other in required(skill, &mut Vec::new()) {
        let name = other.legacy_directory();
        if !taken.insert(name.to_owned()) {
            continue;
        }
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

/// The neighbours that a skill needs, and those that they need.
pub(super) fn required(skill: &SkillPackage, notes: &mut Vec<Warning>) -> Vec<SkillPackage> {
    let Some(tree) = tree_of(&skill.dir) else {
        return Vec::new();
    };
    let mut found: Vec<SkillPackage> = Vec::new();
    let mut waiting: Vec<(String, PathBuf)> = names(skill);
    while let Some((name, by)) = waiting.pop() {
        let wanted = name.parse::<SkillRequirement>();
        let has_range = wanted.as_ref().is_ok_and(|wanted| !wanted.is_any());
        let read = wanted.map_err(|error| error.to_string());
        let read = read.and_then(|wanted| {
            if let Some(best) = in_range(tree, &wanted).filter(|_| has_range) {
                return Ok(best);
            }
            let dir = dir_of(tree, &wanted.name)?;
            let read = SkillPackage::read(&tree.join(dir));
            let other = read.map_err(|failure| failure.message)?;
            let version = &other.metadata.version;
            if wanted.accepts(version) {
                Ok(other)
            } else {
                Err(format!("its version there is {}", version.escape_debug()))
            }
        });
        match read {
            Ok(other) if other.dir == skill.dir => {}
            Ok(other) if found.iter().any(|known| known.dir == other.dir) => {}
            Ok(other) => {
                waiting.extend(names(&other));
                found.push(other);
            }
            Err(why) => {
                let message = format!("{} requires the skill `{name}`: {why}", by.display());
                let code = if has_range {
                    REQUIRED_MISSING
                } else {
                    "neighbour-missing"
                };
                notes.push(Warning::new(code, message));
            }
        }
    }
    found.sort_by(|a, b| a.dir.cmp(&b.dir));
    found
}

fn names(skill: &SkillPackage) -> Vec<(String, PathBuf)> {
    let names = skill.metadata.requires.skills.iter();
    names
        .map(|name| (name.clone(), skill.dir.clone()))
        .collect()
}

/// Returns the skill of a name with the highest version in a range. Versions of a skill may be side by side
/// (`docs/packages.md`), in directories of other names.
fn in_range(tree: &Path, wanted: &SkillRequirement) -> Option<SkillPackage> {
    let root = Root::open_real(tree).ok()?;
    let line = format!("\nname: {}\n", wanted.name);
    let dirs = all_dirs(&root).ok()?.into_iter();
    let is_called = |dir: &String| {
        let bytes = root.read(&format!("{dir}/METADATA.yml"), MAX_METADATA);
        bytes.is_ok_and(|bytes| String::from_utf8_lossy(&bytes).contains(&line))
    };
    let named = dirs.filter(is_called);
    let mut all: Vec<SkillPackage> = named
        .filter_map(|dir| SkillPackage::read(&tree.join(dir)).ok())
        .collect();
    let candidates: Vec<RequirementCandidate<'_>> = all
        .iter()
        .map(|skill| RequirementCandidate {
            name: &skill.metadata.name,
            version: &skill.metadata.version,
            plugin: None,
            requires: &[],
        })
        .collect();
    let best = choose(&wanted.to_string(), &candidates).ok()?;
    Some(all.swap_remove(best))
}

/// Returns the directories of skills, and those of the parts of a host.
fn all_dirs(root: &Root) -> Result<Vec<String>, String> {
    let mut res = dirs(root, "")?;
    if res.iter().any(|dir| dir == HOST_DIRECTORY) {
        res.extend(dirs(root, HOST_DIRECTORY)?);
    }
    Ok(res)
}

/// Returns the directory of a neighbouring skill, or part of a host: the one with this name, else the
/// only one whose plugin was in a directory with this name.
fn dir_of(tree: &Path, name: &str) -> Result<String, String> {
    let root = Root::open_real(tree).map_err(|error| error.to_string())?;
    let dirs = all_dirs(&root)?;
    let is_it = |dir: &&String| dir.rsplit('/').next() == Some(name);
    if let Some(dir) = dirs.iter().find(is_it) {
        return Ok(dir.clone());
    }
    let mut dirs = dirs.into_iter().filter(|dir| is_plugin(&root, dir, name));
    match (dirs.next(), dirs.next()) {
        (Some(dir), None) => Ok(dir),
        (None, _) => Err(format!("there is none in {}", tree.display())),
        (Some(first), Some(second)) => Err(format!(
            "`{first}` and `{second}` both were that plugin; name one"
        )),
    }
}

/// Returns the directories in a directory of a tree.
fn dirs(root: &Root, dir: &str) -> Result<Vec<String>, String> {
    let listing = root.walk(dir, &WalkLimits::default(), &|_| true);
    let listing = listing.map_err(|error| error.to_string())?;
    let notes = listing.notes.into_iter();
    let pruned = notes.filter(|note| matches!(note.kind, NoteKind::Pruned));
    Ok(pruned.map(|note| note.path).collect())
}

/// Returns true if the plugin that became this skill was in a directory with this name.
fn is_plugin(root: &Root, dir: &str, name: &str) -> bool {
    let Ok(bytes) = root.read(&format!("{dir}/METADATA.yml"), MAX_METADATA) else {
        return false;
    };
    let text = String::from_utf8_lossy(&bytes);
    let Some(at) = text.find(DIRECTORY) else {
        return false;
    };
    let line = text[at + DIRECTORY.len()..].lines().next();
    line.is_some_and(|line| line.trim().trim_matches(['"', '\'']) == name)
}
