//! The skills whose files a skill gets: those in its `requires.skills`, and those that they require.
//!
//! A skill of a catalog knows them ([`SkillPackage::required`]). One that was read alone finds them beside
//! it, in its directory of skills and among the parts of a host there. Each requirement is met as
//! everywhere ([`skill_model::choose`]): by the highest version in its range, else by the first skill of
//! the name.

use std::path::{Path, PathBuf};

use skill_loader::fs::{NoteKind, Root, WalkLimits};
use skill_loader::tree_of;
use skill_model::{HOST_DIRECTORY, RequirementCandidate, SkillRequirement, Unmet, choose};

use crate::envelope::Warning;
use crate::package::{MAX_METADATA, SkillPackage};

/// The code for a skill that is required in a range of versions and that is not there, or for a text that
/// is not a requirement: the skill is not run. Without a range, as the migration writes it, the program may do without it.
pub(super) const REQUIRED_MISSING: &str = "required-skill-missing";

/// A skill that another one requires.
pub(super) struct Neighbour {
    pub(super) skill: SkillPackage,
    /// True if the skill itself names it, not only another one that it requires.
    pub(super) is_direct: bool,
}

/// Returns the neighbours of a skill, sorted by their directories.
pub(super) fn required(skill: &SkillPackage, notes: &mut Vec<Warning>) -> Vec<SkillPackage> {
    let all = required_by(skill, notes).into_iter();
    all.map(|other| other.skill).collect()
}

/// Returns the neighbours that a skill needs, and those that they need, sorted by their directories.
pub(super) fn required_by(skill: &SkillPackage, notes: &mut Vec<Warning>) -> Vec<Neighbour> {
    let Some(around) = Around::new(skill) else {
        return Vec::new();
    };
    let mut found: Vec<Neighbour> = Vec::new();
    let mut waiting = names(skill);
    while let Some((name, by)) = waiting.pop() {
        let is_direct = by == skill.dir;
        match around.find(skill, &name) {
            Ok(other) if other.dir == skill.dir => {}
            Ok(other) => {
                if let Some(known) = found.iter_mut().find(|it| it.skill.dir == other.dir) {
                    known.is_direct |= is_direct;
                    continue;
                }
                waiting.extend(names(&other));
                found.push(Neighbour {
                    skill: other,
                    is_direct,
                });
            }
            Err(why) => {
                let message = format!("{} requires the skill `{name}`: {why}", by.display());
                let is_any = name.parse::<SkillRequirement>().is_ok_and(|it| it.is_any());
                let code = if is_any {
                    "neighbour-missing"
                } else {
                    REQUIRED_MISSING
                };
                notes.push(Warning::new(code, message));
            }
        }
    }
    found.sort_by(|a, b| a.skill.dir.cmp(&b.skill.dir));
    found
}

fn names(skill: &SkillPackage) -> Vec<(String, PathBuf)> {
    let names = skill.metadata.requires.skills.iter();
    names
        .map(|name| (name.clone(), skill.dir.clone()))
        .collect()
}

/// The skills among which the requirements of a skill are resolved.
enum Around<'s> {
    /// The skill itself, and those that its catalog chose, with their names.
    Chosen(Vec<(String, SkillPackage)>),
    /// Those in a directory of skills.
    Tree(&'s Path),
}

impl<'s> Around<'s> {
    fn new(skill: &'s SkillPackage) -> Option<Self> {
        let Some(required) = &skill.required else {
            return tree_of(&skill.dir).map(Self::Tree);
        };
        let read = required
            .iter()
            .filter_map(|(name, dir)| Some((name.clone(), SkillPackage::read(dir).ok()?)));
        let own = (skill.metadata.name.clone(), skill.clone());
        Some(Self::Chosen([own].into_iter().chain(read).collect()))
    }

    /// Returns the skill that meets a requirement of `start` or of one that it requires, or the reason why
    /// there is none.
    fn find(&self, start: &SkillPackage, text: &str) -> Result<SkillPackage, String> {
        let wanted = text.parse::<SkillRequirement>();
        let wanted = wanted.map_err(|error| error.to_string())?;
        match self {
            Self::Chosen(known) => {
                let at = choose(text, &candidates(known)).map_err(|why| why.to_string())?;
                Ok(known[at].1.clone())
            }
            Self::Tree(tree) => {
                let mut known = beside(tree, &wanted)?;
                // The skill itself is the first, so that its own name means itself.
                known.sort_by_key(|(_, skill)| skill.dir != start.dir);
                let at = choose(text, &candidates(&known)).map_err(|why| match why {
                    Unmet::Missing(_) => format!("there is none in {}", tree.display()),
                    why => why.to_string(),
                })?;
                Ok(known.swap_remove(at).1)
            }
        }
    }
}

fn candidates(known: &[(String, SkillPackage)]) -> Vec<RequirementCandidate<'_>> {
    known.iter().map(candidate).collect()
}

fn candidate((name, skill): &(String, SkillPackage)) -> RequirementCandidate<'_> {
    let legacy = skill.metadata.legacy.as_ref();
    RequirementCandidate {
        name,
        version: &skill.metadata.version,
        plugin: legacy.map(|legacy| legacy.directory.as_str()),
        requires: &skill.metadata.requires.skills,
    }
}

/// Returns the skills of a directory of skills that may meet a requirement, those of agents first. Only
/// METADATA.yml files with the name are parsed.
fn beside(tree: &Path, wanted: &SkillRequirement) -> Result<Vec<(String, SkillPackage)>, String> {
    let root = Root::open_real(tree).map_err(|error| error.to_string())?;
    let mut dirs = dirs(&root, "")?;
    if dirs.iter().any(|dir| dir == HOST_DIRECTORY) {
        dirs.extend(self::dirs(&root, HOST_DIRECTORY)?);
    }
    let is_named = |dir: &str| dir.rsplit('/').next() == Some(&*wanted.name);
    if wanted.is_any()
        && let Some(dir) = dirs.iter().find(|dir| is_named(dir))
    {
        // Without a range, the skill in the directory of that name is meant.
        let read = SkillPackage::read(&tree.join(dir)).map_err(|failure| failure.message)?;
        return Ok(vec![(wanted.name.clone(), read)]);
    }
    let mut res = Vec::new();
    for dir in dirs {
        if !is_named(&dir) && !mentions(&root, &dir, &wanted.name) {
            continue;
        }
        match SkillPackage::read(&tree.join(&dir)) {
            Ok(skill) => res.push((skill.metadata.name.clone(), skill)),
            Err(failure) if is_named(&dir) => return Err(failure.message),
            Err(_) => {}
        }
    }
    Ok(res)
}

/// Returns the directories in a directory of a tree.
fn dirs(root: &Root, dir: &str) -> Result<Vec<String>, String> {
    let listing = root.walk(dir, &WalkLimits::default(), &|_| true);
    let listing = listing.map_err(|error| error.to_string())?;
    let notes = listing.notes.into_iter();
    let pruned = notes.filter(|note| matches!(note.kind, NoteKind::Pruned));
    Ok(pruned.map(|note| note.path).collect())
}

/// Returns true if the METADATA.yml of a directory has this text.
fn mentions(root: &Root, dir: &str, name: &str) -> bool {
    let bytes = root.read(&format!("{dir}/METADATA.yml"), MAX_METADATA);
    bytes.is_ok_and(|bytes| String::from_utf8_lossy(&bytes).contains(name))
}
