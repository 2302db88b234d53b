//! Directories of skills: where they are, and which skill counts where two have the same name.
//!
//! The order is the same in every tool: directories that were named, else those of the project;
//! then the user's, then built-in ones, then the skills of other machines. The first skill of a name
//! counts.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use clap::Args as ClapArgs;
use skill_loader::catalog::{Bounds, CatalogSettings, SkillRoot};
use skill_loader::fs::{Root, resolve};
use skill_loader::load::Source;

use crate::nodes::NodesArgs;

/// The directories in which a project keeps its skills, the first first.
pub const OF_PROJECT: [&str; 3] = [".agents/skills", "skills", ".claude/skills"];

/// Directories of skills, by their place in the order.
#[derive(Clone, Debug, Default)]
pub struct SkillRoots {
    /// Directories that were named; without any, those of [`OF_PROJECT`] that exist.
    pub project: Vec<PathBuf>,
    /// The user's.
    pub user: Vec<PathBuf>,
    /// Those that come with a program.
    pub built_in: Vec<PathBuf>,
    /// The directory into which the skills of other machines are written.
    pub of_nodes: Option<PathBuf>,
}

impl SkillRoots {
    /// Returns the directories in their order. `expected` is the argument that names one.
    ///
    /// # Errors
    ///
    /// A directory that was named cannot be opened, or there is none at all.
    pub fn resolve(&self, expected: &str) -> anyhow::Result<Vec<SkillRoot>> {
        let named = [
            (&self.project, Source::Project),
            (&self.user, Source::User),
            (&self.built_in, Source::BuiltIn),
        ];
        let mut res = Vec::new();
        for (paths, source) in named {
            for path in paths {
                Root::open_following(path).context("cannot read the directory of skills")?;
                res.push(root(path, source));
            }
        }
        if res.is_empty() {
            let paths = OF_PROJECT.iter().map(Path::new);
            let present = paths.filter(|path| Root::open(path).is_ok());
            res.extend(present.map(|path| root(path, Source::Project)));
        }
        let of_nodes = self.of_nodes.as_deref();
        res.extend(of_nodes.map(|path| root(path, Source::BuiltIn)));
        ensure!(
            !res.is_empty(),
            "found none of {}, expected {expected}",
            OF_PROJECT.join(", ")
        );
        Ok(res)
    }
}

fn root(path: &Path, source: Source) -> SkillRoot {
    SkillRoot {
        path: path.to_owned(),
        source,
    }
}

/// The flags for what comes after the skills of the project.
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
    /// Returns the settings of a catalog of these skills and of those that the flags add.
    ///
    /// # Errors
    ///
    /// As [`SkillRoots::resolve`], and a directory of `--trust` does not exist.
    pub fn catalog(
        &self,
        skills: &[PathBuf],
        of_nodes: Option<&Path>,
        expected: &str,
    ) -> anyhow::Result<CatalogSettings> {
        let roots = SkillRoots {
            project: skills.to_vec(),
            user: self.user_skills.clone(),
            built_in: self.built_in_skills.clone(),
            of_nodes: of_nodes.map(Path::to_owned),
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
