//! From what the user named to a skill.

use std::path::{Path, PathBuf};

use skill_executor::envelope::Failure;
use skill_executor::names::Names;
use skill_executor::package::SkillPackage;
use skill_loader::catalog::{Bounds, Catalog, CatalogSettings};
use skill_loader::fs::Root;

use skills_cli::roots::SkillRoots;

/// A skill, and the command that its name was, or why there is none.
pub(super) type Found = Result<(SkillPackage, Option<String>), Failure>;

/// A path with `/`, or a directory of that name that is a skill; otherwise a name.
pub(super) fn find(name: &str, roots: Vec<PathBuf>) -> anyhow::Result<Found> {
    if is_directory(name) {
        return Ok(SkillPackage::read(Path::new(name)).map(|skill| (skill, None)));
    }
    let catalog = catalog(roots)?;
    Ok(Names::new(&catalog).find(name).and_then(|hit| {
        let skill = SkillPackage::from_place(&hit.skill.place)?;
        Ok((skill, hit.command))
    }))
}

/// Every skill that has a `METADATA.yml`, by name.
pub(super) fn all(roots: Vec<PathBuf>) -> anyhow::Result<Vec<SkillPackage>> {
    let catalog = catalog(roots)?;
    let skills = catalog.skills.values();
    Ok(skills
        .filter_map(|skill| SkillPackage::from_place(&skill.place).ok())
        .collect())
}

/// All skills below the directories that were meant.
pub(super) fn catalog(roots: Vec<PathBuf>) -> anyhow::Result<Catalog> {
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
    let root = Root::open_following(Path::new(name));
    root.is_ok_and(|root| matches!(root.kind("SKILL.md"), Ok(Some(_))))
}
