//! A directory whose skills were found, and their findings and repairs.

use std::path::Path;

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use skill_diagnostics::Diagnostic;
use skill_loader::fs::{PathError, ReadError};
use skill_validator::{SkillReport, SkillSummary, validate_skill, validate_tree};

use crate::collect::collect;
use crate::discover::{Found, Tree, discover};
use crate::fix::{Repair, repair};
use crate::{CheckOptions, Target};

/// The reason why a directory cannot be checked. A flaw of a skill is a finding.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The directory cannot be opened.
    #[error(transparent)]
    Path(#[from] PathError),
    /// A skill cannot be listed or replaced.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The worker threads cannot be started.
    #[error(transparent)]
    Threads(#[from] ThreadPoolBuildError),
}

/// The result of a check.
#[derive(Clone, Debug)]
pub struct Checked {
    /// Path and name of each skill, by path.
    pub skills: Vec<(String, String)>,
    /// The findings; their files are relative to the target.
    pub findings: Vec<Diagnostic>,
}

/// A directory whose skills were found.
#[derive(Debug)]
pub struct Checker {
    target: Target,
    options: CheckOptions,
    pool: ThreadPool,
    tree: Tree,
}

impl Checker {
    /// Opens a directory of skills, one skill or its `SKILL.md`, and finds all skills.
    ///
    /// # Errors
    ///
    /// When the directory cannot be opened.
    pub fn open(path: &Path, options: CheckOptions) -> Result<Self, Error> {
        let target = Target::open(path)?;
        let pool = ThreadPoolBuilder::new().num_threads(options.jobs).build()?;
        let tree = pool.install(|| discover(&target, &options));
        Ok(Self {
            target,
            options,
            pool,
            tree,
        })
    }

    /// The directory.
    pub fn target(&self) -> &Target {
        &self.target
    }

    /// The options.
    pub fn options(&self) -> &CheckOptions {
        &self.options
    }

    /// Checks every skill, and what concerns several of them.
    ///
    /// # Errors
    ///
    /// When a skill cannot be listed.
    pub fn check(&self) -> Result<Checked, Error> {
        let (summaries, mut findings) = self.each()?;
        let rules = &self.options.rules;
        findings.extend(validate_tree(
            &summaries,
            &self.tree.locks,
            &self.tree.versions,
            rules,
        ));
        findings.retain(|finding| {
            let file = finding.place.file.as_deref().unwrap_or_default();
            !self.options.excludes(file)
        });
        let skills = summaries.into_iter();
        Ok(Checked {
            skills: skills.map(|it| (it.path, it.name)).collect(),
            findings,
        })
    }

    /// Checks every skill by itself. The findings are sorted by place.
    ///
    /// # Errors
    ///
    /// When a skill cannot be listed.
    pub fn check_skills(&self) -> Result<Vec<Diagnostic>, Error> {
        let (_, mut findings) = self.each()?;
        findings.sort();
        Ok(findings)
    }

    fn each(&self) -> Result<(Vec<SkillSummary>, Vec<Diagnostic>), Error> {
        let check = |found: &Found| -> Result<SkillReport, ReadError> {
            let files = collect(&self.target, &self.tree, found)?;
            let lock = self.tree.lock_of(&found.path);
            let rules = self.options.rules_for(&found.path);
            Ok(validate_skill(&files, lock, &rules))
        };
        let skills = &self.tree.skills;
        let reports = self
            .pool
            .install(|| skills.par_iter().map(check).collect::<Result<Vec<_>, _>>())?;
        let mut summaries = Vec::with_capacity(reports.len());
        let mut findings = Vec::new();
        for report in reports {
            summaries.push(report.summary);
            findings.extend(report.findings);
        }
        findings.extend(self.tree.findings.iter().cloned());
        Ok((summaries, findings))
    }

    /// The repairs that can be made, skill by skill. Nothing is written.
    pub fn repairs(&self) -> impl Iterator<Item = Result<Repair, Error>> {
        let one = |found: &Found| -> Result<Option<Repair>, Error> {
            let files = collect(&self.target, &self.tree, found)?;
            let rules = self.options.rules_for(&found.path);
            Ok(repair(&found.path, &files, &rules))
        };
        self.tree
            .skills
            .iter()
            .filter_map(move |found| one(found).transpose())
    }

    /// Writes a repair in place of the file.
    ///
    /// # Errors
    ///
    /// When the file cannot be replaced.
    pub fn write(&self, repair: &Repair) -> Result<(), Error> {
        let Repair { path, new, .. } = repair;
        Ok(self.target.root.replace(path, new.as_bytes())?)
    }
}
