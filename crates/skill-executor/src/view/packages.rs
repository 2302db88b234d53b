//! The installed packages of a skill, where its program finds them.
//!
//! Node.js looks for `node_modules` beside a file and in every directory above it, also for modules
//! that ignore `NODE_PATH`. So the place of a skill has a link of that name, above everything that
//! the skill can write. A sandbox shows the directory itself there.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use skill_environments::{MissingPackage, Needs};
use skill_loader::fs::Kind;
use skill_sandbox::{OpenPath, find_program};

use super::layout::NODE_MODULES;
use super::place::Place;
use super::required;
use crate::envelope::Failure;
use crate::package::SkillPackage;
use crate::state::State;

/// The directory, beneath the state directory, with the name `python` for a machine that has only
/// `python3`.
const PROGRAMS: &str = "programs";
/// Programs are searched here if the caller has no `PATH`.
const DEFAULT_PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// The installed packages of a skill.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct InstalledPackages {
    /// The directory with npm packages, and the path at which the program finds it.
    node_modules: Option<(PathBuf, PathBuf)>,
    /// The virtual environment of Python.
    python: Option<PathBuf>,
    /// A directory with a program `python`.
    programs: Option<PathBuf>,
    /// The packages that are required and not installed.
    pub missing: Vec<MissingPackage>,
}

/// Returns the packages that a skill requires, and those of the skills whose code it loads.
pub fn needs(skill: &SkillPackage) -> Needs {
    let mut res = Needs::new(&skill.metadata.requires, &skill.dir);
    if !skill.metadata.requires.skills.is_empty() {
        for other in required::required(skill, &mut Vec::new()) {
            res.add(&Needs::new(&other.metadata.requires, &other.dir));
        }
    }
    res
}

/// Shows the installed packages of a skill in its place.
pub(super) fn lay_out(
    skill: &SkillPackage,
    state: &State,
    place: &Place,
    path: Option<&str>,
) -> Result<InstalledPackages, Failure> {
    let found = state.environments().find(&needs(skill));
    let at = format!("{}/{NODE_MODULES}", place.dir());
    link(state, &at, found.node_modules.as_deref())?;
    Ok(InstalledPackages {
        node_modules: found.node_modules.map(|dir| (dir, state.path(&at))),
        python: found.python,
        programs: python(state, path)?,
        missing: found.missing,
    })
}

/// Makes the link lead to a directory, or removes it. Only we write there.
fn link(state: &State, at: &str, target: Option<&Path>) -> Result<(), Failure> {
    let io = |error: &dyn std::error::Error| Failure::io(error);
    let root = state.root();
    let target = target.map(|target| target.to_string_lossy().into_owned());
    if let Some(target) = &target
        && root.link(at, target).map_err(|error| io(&error))?
    {
        return Ok(());
    }
    if root.kind(at).map_err(|error| io(&error))? == Some(Kind::Symlink) {
        root.remove(at).map_err(|error| io(&error))?;
    }
    if let Some(target) = target {
        root.link(at, &target).map_err(|error| io(&error))?;
    }
    Ok(())
}

/// Returns the directory with the name `python`, if this machine has only `python3`.
fn python(state: &State, path: Option<&str>) -> Result<Option<PathBuf>, Failure> {
    let path = path.unwrap_or(DEFAULT_PATH);
    let find = |name: &str| find_program(OsStr::new(name), Some(OsStr::new(path)), Path::new("/"));
    if find("python").is_some() {
        return Ok(None);
    }
    let Some(python3) = find("python3") else {
        return Ok(None);
    };
    link(state, &format!("{PROGRAMS}/python"), Some(&python3))?;
    Ok(Some(state.path(PROGRAMS)))
}

impl InstalledPackages {
    /// Returns the directories of the packages, and the paths at which programs find them.
    pub fn places(&self) -> Vec<&Path> {
        let npm = self.node_modules.iter();
        let npm = npm.flat_map(|(dir, at)| [at.as_path(), dir.as_path()]);
        npm.chain(self.python.as_deref()).collect()
    }

    /// Returns true if npm packages of the skill are installed.
    pub fn has_npm(&self) -> bool {
        self.node_modules.is_some()
    }

    /// Returns the directory of an npm package, and the path at which the program finds it.
    pub(crate) fn npm_package(&self, name: &str) -> Option<(PathBuf, PathBuf)> {
        let (dir, at) = self.node_modules.as_ref()?;
        let is_name = name
            .split('/')
            .all(|part| !part.is_empty() && !part.starts_with('.'));
        is_name.then(|| (dir.join(name), at.join(name)))
    }

    /// Returns a program of the installed Python packages.
    pub(crate) fn python_program(&self, name: &str) -> Option<String> {
        let bin = self.python.as_ref()?.join("bin");
        let is_name = !name.contains('/');
        let found = find_program(OsStr::new(name), Some(bin.as_os_str()), Path::new("/"));
        found
            .filter(|_| is_name)
            .map(|file| file.display().to_string())
    }

    /// Returns the directory with names of programs that this machine lacks.
    pub(super) fn programs(&self) -> Option<&Path> {
        self.programs.as_deref()
    }

    /// Adds the variables by which programs find the packages. They replace what was passed on.
    pub(crate) fn add_to(&self, environment: &mut BTreeMap<String, String>) {
        if let Some((_, at)) = &self.node_modules {
            environment.insert("NODE_PATH".to_owned(), at.display().to_string());
        }
        if let Some(python) = &self.python {
            environment.insert("VIRTUAL_ENV".to_owned(), python.display().to_string());
        }
        let bin = self.python.as_ref().map(|python| python.join("bin"));
        let first: Vec<String> = bin
            .iter()
            .chain(&self.programs)
            .map(|dir| dir.display().to_string())
            .collect();
        if !first.is_empty() {
            let path = environment.get("PATH").map_or(DEFAULT_PATH, String::as_str);
            let path = format!("{}:{path}", first.join(":"));
            environment.insert("PATH".to_owned(), path);
        }
    }

    /// Returns what the program may read of them.
    pub(crate) fn readable(&self) -> skill_sandbox::Result<Vec<OpenPath>> {
        let mut res = Vec::new();
        if let Some((dir, at)) = &self.node_modules {
            res.push(OpenPath::open(dir)?.shown_at(at));
            // Where the place of the skill is shown as a whole, the link in it leads here.
            res.push(OpenPath::open(dir)?);
        }
        for dir in self.python.iter().chain(&self.programs) {
            res.push(OpenPath::open(dir)?);
        }
        Ok(res)
    }
}
