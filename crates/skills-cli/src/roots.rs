//! The flags for directories of skills. Their order is that of [`SkillRoots`].

use std::path::{Path, PathBuf};

use clap::Args as ClapArgs;
use skill_loader::catalog::{Bounds, CatalogSettings, SkillRoots};
use skill_loader::fs::resolve;

use crate::nodes::NodesArgs;

/// The flags for directories after those of the project.
#[derive(Clone, Debug, Default, ClapArgs)]
pub struct RootArgs {
    /// Directory of the user's skills, which come after the project's (can be repeated)
    #[arg(long, value_name = "DIR", help_heading = "Skills")]
    pub user_skills: Vec<PathBuf>,
    /// Directory of skills that come last (can be repeated)
    #[arg(long, value_name = "DIR", help_heading = "Skills")]
    pub built_in_skills: Vec<PathBuf>,
    /// Follow links to skills that lead to DIR or into it (can be repeated)
    #[arg(long, value_name = "DIR", help_heading = "Skills")]
    trust: Vec<PathBuf>,
    /// Directories that are searched below each directory of skills [default: 2000; skills-describe: 1000000]
    #[arg(long, value_name = "N", help_heading = "Skills")]
    pub max_directories: Option<usize>,
    /// Other machines
    #[command(flatten)]
    pub nodes: NodesArgs,
}

impl RootArgs {
    /// Returns the settings of a catalog of the directories in `skills` and those of the flags.
    /// `expected` is the argument that names a directory.
    ///
    /// # Errors
    ///
    /// Those of [`SkillRoots::resolve`], or a directory of `--trust` cannot be resolved.
    pub fn catalog(
        &self,
        skills: &[PathBuf],
        nodes: Option<&Path>,
        expected: &str,
    ) -> anyhow::Result<CatalogSettings> {
        let roots = SkillRoots {
            project: skills.to_vec(),
            user: self.user_skills.clone(),
            built_in: self.built_in_skills.clone(),
            nodes: nodes.map(Path::to_owned),
        };
        let trusted: Result<Vec<PathBuf>, _> =
            self.trust.iter().map(|path| resolve(path)).collect();
        let bounds = Bounds::default();
        Ok(CatalogSettings {
            roots: roots.resolve(expected)?,
            bounds: bounds.with_directories(self.max_directories.unwrap_or(bounds.directories)),
            trusted: trusted?,
        })
    }
}
