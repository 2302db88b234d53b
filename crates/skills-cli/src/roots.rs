//! Directories of skills, as `skills-read` and `skills-serve` are given them.

use std::path::{Path, PathBuf};

use anyhow::ensure;
use skill_loader::catalog::{Bounds, CatalogSettings, SkillRoot};
use skill_loader::fs::{Root, resolve};
use skill_loader::load::Source;

/// Where a project keeps its skills.
const DEFAULT_ROOTS: [&str; 2] = [".agents/skills", "skills"];

/// What a user said of them.
pub(crate) struct Asked<'a> {
    pub(crate) skills: &'a [PathBuf],
    pub(crate) user_skills: &'a [PathBuf],
    pub(crate) built_in_skills: &'a [PathBuf],
    pub(crate) trust: &'a [PathBuf],
    pub(crate) max_directories: Option<usize>,
    /// What to give where there is neither one of these nor a usual place.
    pub(crate) expected: &'static str,
}

/// Where a catalogue is read from: what was given, or the usual places as far as they exist.
pub(crate) fn catalog(asked: &Asked<'_>) -> anyhow::Result<CatalogSettings> {
    let mut roots = Vec::new();
    for (paths, source) in [
        (asked.skills, Source::Project),
        (asked.user_skills, Source::User),
        (asked.built_in_skills, Source::BuiltIn),
    ] {
        roots.extend(paths.iter().map(|path| SkillRoot {
            path: path.clone(),
            source,
        }));
    }
    if roots.is_empty() {
        roots = default_roots();
        ensure!(
            !roots.is_empty(),
            "there is neither .agents/skills nor skills here, expected {}",
            asked.expected
        );
    }
    let trusted: Result<Vec<PathBuf>, _> = asked.trust.iter().map(|path| resolve(path)).collect();
    let bounds = Bounds::default();
    let bounds = bounds.with_directories(asked.max_directories.unwrap_or(bounds.directories));
    Ok(CatalogSettings {
        roots,
        bounds,
        trusted: trusted?,
    })
}

fn default_roots() -> Vec<SkillRoot> {
    let paths = DEFAULT_ROOTS.iter().map(Path::new);
    let present = paths.filter(|path| Root::open(path).is_ok());
    present
        .map(|path| SkillRoot {
            path: path.to_owned(),
            source: Source::Project,
        })
        .collect()
}
