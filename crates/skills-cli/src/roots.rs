//! Directories of skills, as `skills-read` and `skills-serve` are given them.

use std::path::{Path, PathBuf};

use anyhow::ensure;
use clap::Args as ClapArgs;
use skill_loader::catalog::{Bounds, CatalogSettings, SkillRoot};
use skill_loader::fs::{Root, resolve};
use skill_loader::load::Source;

use crate::nodes::NodesArgs;

/// Where a project keeps its skills.
const DEFAULT_ROOTS: [&str; 2] = [".agents/skills", "skills"];

/// What comes after the skills of the project.
#[derive(Clone, Debug, Default, ClapArgs)]
pub(crate) struct RootArgs {
    /// Directory of the user's skills, which come after the project's (can be repeated)
    #[arg(long, value_name = "DIR", help_heading = "Skills")]
    pub(crate) user_skills: Vec<PathBuf>,
    /// Directory of skills that come last (can be repeated)
    #[arg(long, value_name = "DIR", help_heading = "Skills")]
    pub(crate) built_in_skills: Vec<PathBuf>,
    /// Follow links to skills that lead to DIR or into it (can be repeated)
    #[arg(long, value_name = "DIR", help_heading = "Skills")]
    trust: Vec<PathBuf>,
    /// Directories that are searched below each directory of skills [default: 2000]
    #[arg(long, value_name = "N", help_heading = "Skills")]
    max_directories: Option<usize>,
    #[command(flatten)]
    pub(crate) nodes: NodesArgs,
}

impl RootArgs {
    /// Where a catalogue is read from: what was given, or the usual places as far as they exist,
    /// and at the end the skills of other machines, if those are in this directory. `expected` is
    /// what to give where there is nothing.
    pub(crate) fn catalog(
        &self,
        skills: &[PathBuf],
        of_nodes: Option<&Path>,
        expected: &str,
    ) -> anyhow::Result<CatalogSettings> {
        let mut roots = Vec::new();
        for (paths, source) in [
            (skills, Source::Project),
            (&self.user_skills, Source::User),
            (&self.built_in_skills, Source::BuiltIn),
        ] {
            roots.extend(paths.iter().map(|path| root(path, source)));
        }
        if roots.is_empty() {
            let paths = DEFAULT_ROOTS.iter().map(Path::new);
            let present = paths.filter(|path| Root::open(path).is_ok());
            roots.extend(present.map(|path| root(path, Source::Project)));
        }
        roots.extend(of_nodes.map(|path| root(path, Source::BuiltIn)));
        ensure!(
            !roots.is_empty(),
            "there is neither .agents/skills nor skills here, expected {expected}"
        );
        let trusted: Result<Vec<PathBuf>, _> =
            self.trust.iter().map(|path| resolve(path)).collect();
        let bounds = Bounds::default();
        let bounds = bounds.with_directories(self.max_directories.unwrap_or(bounds.directories));
        Ok(CatalogSettings {
            roots,
            bounds,
            trusted: trusted?,
        })
    }
}

fn root(path: &Path, source: Source) -> SkillRoot {
    SkillRoot {
        path: path.to_owned(),
        source,
    }
}
