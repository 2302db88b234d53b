//! Finds the skill that the user named.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use skill_loader::catalog::{Bounds, Catalog, CatalogSettings, RootsError, SkillRoots};
use skill_loader::fs::Root;
use skill_loader::{dir_in, instructions_in};

use crate::envelope::Failure;
use crate::names::Names;
use crate::package::SkillPackage;

/// A skill, and the command if the name was that of a command; or the reason why there is none.
pub type FindResult = Result<(SkillPackage, Option<String>), Failure>;

/// Finds a skill. `name` is a directory if it contains `/` or if a skill is in a directory of that
/// name; otherwise it is a name in the catalog.
///
/// # Errors
///
/// The directories of skills cannot be read.
pub fn find(name: &str, roots: Vec<PathBuf>) -> Result<FindResult, RootsError> {
    if is_directory(name) {
        return Ok(SkillPackage::read(&place_of(Path::new(name))).map(|skill| (skill, None)));
    }
    let catalog = catalog(roots)?;
    Ok(Names::new(&catalog).find_skill(name).and_then(|hit| {
        let skill = SkillPackage::from_catalog(&catalog, &hit.skill)?;
        Ok((skill, hit.command))
    }))
}

/// Finds the members of a chain: directories or names, separated by colons. The failure names the one that
/// there is not.
///
/// # Errors
///
/// The directories of skills cannot be read.
pub fn members(
    chain: &str,
    roots: &[PathBuf],
) -> Result<Result<Vec<SkillPackage>, Failure>, RootsError> {
    let mut res = Vec::new();
    for member in chain.split(':').filter(|member| !member.is_empty()) {
        match find(member, roots.to_vec())? {
            Ok((skill, _)) => res.push(skill),
            Err(mut failure) => {
                failure.message = format!("member `{member}` of the chain: {}", failure.message);
                return Ok(Err(failure));
            }
        }
    }
    Ok(Ok(res))
}

/// Refuses a word after the name of a skill, unless it is the directory of a recorded network: most mean a
/// command. Returns nothing, in place of a network.
///
/// # Errors
///
/// There is a word.
pub fn no_second_word<T>(word: Option<&Path>) -> Result<Option<T>, String> {
    word.map_or(Ok(None), |word| {
        let word = word.display();
        Err(format!(
            "`{word}` after the name of the skill means nothing here; for the command of that name: --command {word}"
        ))
    })
}

/// Returns a directory of a skill, or that of the part of a host with its name.
fn place_of(dir: &Path) -> PathBuf {
    match (dir.parent(), dir.file_name().and_then(OsStr::to_str)) {
        (Some(tree), Some(name)) if tree != Path::new("") => dir_in(tree, name),
        _ => dir.to_owned(),
    }
}

/// Finds skills; without names, all skills with a `METADATA.yml`.
///
/// # Errors
///
/// The directories of skills cannot be read.
pub fn named(
    names: &[String],
    roots: Vec<PathBuf>,
) -> Result<Result<Vec<SkillPackage>, Failure>, RootsError> {
    if names.is_empty() {
        return all(roots).map(Ok);
    }
    let mut res = Vec::new();
    for name in names {
        match find(name, roots.clone())? {
            Ok((skill, _)) => res.push(skill),
            Err(failure) => return Ok(Err(failure.with("skill", name.as_str()))),
        }
    }
    Ok(Ok(res))
}

/// Returns all skills with a `METADATA.yml`, and then the parts of a host, each sorted by name.
///
/// # Errors
///
/// The directories of skills cannot be read.
pub fn all(roots: Vec<PathBuf>) -> Result<Vec<SkillPackage>, RootsError> {
    let catalog = catalog(roots)?;
    Ok(catalog
        .all()
        .filter_map(|skill| SkillPackage::from_catalog(&catalog, skill).ok())
        .collect())
}

/// Returns all skills below the directories that were named, or those of the project. In the directory
/// of a skill, these are the skills beside it.
///
/// # Errors
///
/// The directories of skills cannot be read.
pub fn catalog(mut roots: Vec<PathBuf>) -> Result<Catalog, RootsError> {
    if roots.is_empty() && has_skill(Path::new(".")) {
        roots.push("..".into());
    }
    let roots = SkillRoots {
        project: roots,
        ..SkillRoots::default()
    };
    Ok(Catalog::read(&CatalogSettings {
        roots: roots.resolve("--skills DIR")?,
        bounds: Bounds::default(),
        trusted: Vec::new(),
    }))
}

fn is_directory(name: &str) -> bool {
    if name.contains('/') || name == "." || name == ".." {
        return true;
    }
    has_skill(Path::new(name))
}

fn has_skill(dir: &Path) -> bool {
    let root = Root::open_following(dir);
    root.is_ok_and(|root| instructions_in(&root).is_some())
}
