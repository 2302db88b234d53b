//! A snapshot of skills, and what can be asked of it.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use skill_diagnostics::Diagnostic;
use skill_disclosure::{Describer, Description, Phase};
use skill_executor::Runner;
use skill_executor::sandbox::Level;
use skill_loader::catalog::{Bounds, Catalog, CatalogSettings, CatalogSkill, SkillRoot};
use skill_loader::fs::Root;
use skill_loader::load::{
    Limits, LoadError, LoadedText, Selection, Source, load_resource, load_skill_body,
};
use skill_search::{Index, Request};

use crate::Error;
use crate::run_settings::RunSettings;

/// All skills below some directories, as they were when it was opened.
///
/// The skills themselves are read when they are asked for. Where two skills have one name, the first
/// directory wins.
pub struct Library {
    catalog: Catalog,
    bounds: Bounds,
    describer: Describer,
    index: OnceLock<Index>,
    runner: OnceLock<Runner>,
    settings: RunSettings,
}

impl fmt::Debug for Library {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Library")
            .field("skills", &self.catalog.skills.keys())
            .field("findings", &self.catalog.findings)
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}

/// A skill that fits a request.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct SearchHit {
    /// The name of the skill.
    pub skill: String,
    /// The estimated probability that this skill is the right one, from 0 to 1. Descriptions grow at 0.15
    /// and at 0.7 ([`Library::describe_for`]).
    pub confidence: f64,
}

/// Options of a [`Library`]; [`Library::builder`] makes one.
#[derive(Clone, Debug, Default)]
pub struct LibraryBuilder {
    roots: Vec<SkillRoot>,
    trusted: Vec<PathBuf>,
    max_directories: Option<usize>,
    settings: RunSettings,
}

impl LibraryBuilder {
    /// Adds a directory of skills of the project.
    #[must_use]
    pub fn skills(self, dir: impl Into<PathBuf>) -> Self {
        self.root(dir, Source::Project)
    }

    /// Adds a directory of the user's skills. Those of the project win over them.
    #[must_use]
    pub fn user_skills(self, dir: impl Into<PathBuf>) -> Self {
        self.root(dir, Source::User)
    }

    fn root(mut self, dir: impl Into<PathBuf>, source: Source) -> Self {
        self.roots.push(SkillRoot {
            path: dir.into(),
            source,
        });
        self
    }

    /// Follows links to skills that lead to `dir` or into it. Other links are not followed.
    #[must_use]
    pub fn trust_links_into(mut self, dir: impl Into<PathBuf>) -> Self {
        self.trusted.push(dir.into());
        self
    }

    /// Searches at most this many directories below each directory of skills instead of 2,000.
    #[must_use]
    pub fn max_directories(mut self, n: usize) -> Self {
        self.max_directories = Some(n);
        self
    }

    /// Keeps state, results and approvals in `dir` instead of `$XDG_STATE_HOME/skills-run`.
    #[must_use]
    pub fn state(mut self, dir: impl Into<PathBuf>) -> Self {
        self.settings.state = Some(dir.into());
        self
    }

    /// Gives skills their settings: the text of a `config.env`, of which each skill gets the keys that
    /// it declares.
    #[must_use]
    pub fn config(mut self, text: impl Into<String>) -> Self {
        self.settings.config = Some(text.into());
        self
    }

    /// Gives skills these environment variables instead of those of this process. Secrets among them
    /// are withheld unless [allowed](Self::allow_secret).
    #[must_use]
    pub fn environment(mut self, variables: BTreeMap<String, String>) -> Self {
        self.settings.environment = Some(variables);
        self
    }

    /// Lets skills that name it in METADATA.yml have a secret environment variable.
    #[must_use]
    pub fn allow_secret(mut self, variable: impl Into<String>) -> Self {
        self.settings.allowed_secrets.push(variable.into());
        self
    }

    /// Runs entry commands with shell syntax; they are refused by default.
    #[must_use]
    pub fn allow_shell(mut self, is_allowed: bool) -> Self {
        self.settings.allow_shell = is_allowed;
        self
    }

    /// Treats calls that require approval as approved; they are refused by default.
    #[must_use]
    pub fn approve_all(mut self, is_approved: bool) -> Self {
        self.settings.approve = is_approved;
        self
    }

    /// Requires a level of confinement, or runs programs without a sandbox (`None`). The default is
    /// [`Level::Partial`]: as much as this machine can do, and always confined files.
    #[must_use]
    pub fn sandbox(mut self, at_least: Option<Level>) -> Self {
        self.settings.sandbox = at_least;
        self
    }

    /// Reads the names and descriptions of all skills.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NotFound`](crate::ErrorKind::NotFound) where a directory does not exist,
    /// [`ErrorKind::Input`](crate::ErrorKind::Input) where it is a file, and
    /// [`ErrorKind::Io`](crate::ErrorKind::Io) where it cannot be opened. A skill that cannot be read is
    /// not an error: it is left out and listed in [`Library::findings`].
    pub fn open(self) -> Result<Library, Error> {
        for root in &self.roots {
            Root::open_following(&root.path)?;
        }
        let bounds = Bounds::default();
        let bounds = bounds.with_directories(self.max_directories.unwrap_or(bounds.directories));
        let catalog = Catalog::read(&CatalogSettings {
            roots: self.roots,
            bounds,
            trusted: self.trusted,
        });
        Ok(Library {
            catalog,
            bounds,
            describer: Describer::default(),
            index: OnceLock::new(),
            runner: OnceLock::new(),
            settings: self.settings,
        })
    }
}

impl Library {
    /// Opens the skills below some directories with default options.
    ///
    /// # Errors
    ///
    /// See [`LibraryBuilder::open`].
    pub fn open<P: AsRef<Path>>(dirs: impl IntoIterator<Item = P>) -> Result<Self, Error> {
        let dirs = dirs.into_iter();
        let builder = dirs.fold(Self::builder(), |builder, dir| builder.skills(dir.as_ref()));
        builder.open()
    }

    /// Returns the options of a library, with nothing in it yet.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let dir = tempfile::tempdir()?;
    /// let library = skills::Library::builder()
    ///     .skills(dir.path())
    ///     .config("CITY=Oslo\n")
    ///     .allow_shell(true)
    ///     .open()?;
    /// assert_eq!(library.skills().count(), 0);
    /// # Ok(())
    /// # }
    /// ```
    pub fn builder() -> LibraryBuilder {
        LibraryBuilder::default()
    }

    /// Returns all skills, by name.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let dir = tempfile::tempdir()?;
    /// # std::fs::create_dir(dir.path().join("dice"))?;
    /// # std::fs::write(dir.path().join("dice/SKILL.md"), "---\nname: dice\ndescription: Rolls dice.\n---\n# Dice\n")?;
    /// let library = skills::Library::open([dir.path()])?;
    /// for skill in library.skills() {
    ///     println!("{}: {}", skill.name, skill.description);
    /// }
    /// # assert_eq!(library.skills().count(), 1);
    /// # Ok(())
    /// # }
    /// ```
    pub fn skills(&self) -> impl Iterator<Item = &CatalogSkill> {
        self.catalog.skills.values().map(AsRef::as_ref)
    }

    /// Returns the skill of a name.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NotFound`](crate::ErrorKind::NotFound) with the nearest name as a hint, or
    /// [`ErrorKind::Unreadable`](crate::ErrorKind::Unreadable) for a skill that is broken.
    pub fn find(&self, name: &str) -> Result<&CatalogSkill, Error> {
        match self.catalog.find(name) {
            Ok(skill) => Ok(skill),
            Err(error @ LoadError::SkillNotFound { .. }) => Err(error.into()),
            Err(error) => Err(Error::from(error).in_skill(name)),
        }
    }

    /// Returns what was left out when the library was opened, and why.
    pub fn findings(&self) -> &[Diagnostic] {
        &self.catalog.findings
    }

    /// Finds the skills that fit a request in Chinese or English, best first; at most ten.
    ///
    /// The first search builds an index of all skills in memory.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let dir = tempfile::tempdir()?;
    /// # for (name, text) in [("dice", "Rolls dice."), ("tea", "Brews green tea.")] {
    /// #     std::fs::create_dir(dir.path().join(name))?;
    /// #     std::fs::write(dir.path().join(name).join("SKILL.md"), format!("---\nname: {name}\ndescription: {text}\n---\n# X\n"))?;
    /// # }
    /// let library = skills::Library::open([dir.path()])?;
    /// let hits = library.search("roll some dice");
    /// assert_eq!(hits[0].skill, "dice");
    /// assert!(library.search("qqq zzz").is_empty());
    /// # Ok(())
    /// # }
    /// ```
    pub fn search(&self, request: &str) -> Vec<SearchHit> {
        let build = || skill_disclosure::index(self.skills(), &self.bounds);
        let index = self.index.get_or_init(build);
        let matches = index.search(&Request::new(request)).into_iter();
        let hit = |found: skill_search::Match| SearchHit {
            skill: found.skill,
            confidence: f64::from(found.confidence),
        };
        matches.map(hit).collect()
    }

    /// Describes a skill to a model, in one of three phases: metadata, brief or full.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let dir = tempfile::tempdir()?;
    /// # std::fs::create_dir(dir.path().join("dice"))?;
    /// # std::fs::write(dir.path().join("dice/SKILL.md"), "---\nname: dice\ndescription: Rolls dice.\n---\n# Dice\n")?;
    /// let library = skills::Library::open([dir.path()])?;
    /// let description = library.describe("dice", skills::Phase::Metadata)?;
    /// assert_eq!(description.text, "**dice**: Rolls dice.\n");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`Library::find`]; for [`Phase::Full`] also where the body cannot be read.
    pub fn describe(&self, name: &str, phase: Phase) -> Result<Description, Error> {
        self.find(name)?;
        let described = self.describer.describe_in(&self.catalog, name, phase);
        described.map_err(|error| Error::from(error).in_skill(name))
    }

    /// Describes a skill in the phase that fits a confidence: brief from 0.15 on, full from 0.7 on.
    ///
    /// # Errors
    ///
    /// Those of [`Library::describe`].
    pub fn describe_for(&self, name: &str, confidence: f64) -> Result<Description, Error> {
        self.describe(name, self.describer.phase(name, Some(confidence)))
    }

    /// Reads the instructions of a skill: the body of its `SKILL.md`. Where it is too long, parts are
    /// left out; `report.truncated` and the text say so, and [`read_page`](Self::read_page) returns them.
    ///
    /// # Errors
    ///
    /// Those of [`Library::find`], and where the file cannot be read.
    pub fn read(&self, name: &str) -> Result<LoadedText, Error> {
        self.body(name, &Selection::default())
    }

    /// Reads one section of the instructions, by its heading. Where no heading has this name, the text
    /// starts at the beginning and `findings` says so.
    ///
    /// # Errors
    ///
    /// Those of [`Library::read`].
    pub fn read_section(&self, name: &str, heading: &str) -> Result<LoadedText, Error> {
        let selection = Selection {
            section: Some(heading.to_owned()),
            ..Selection::default()
        };
        self.body(name, &selection)
    }

    /// Reads the page of the instructions at a cursor: the `report.next_cursor` of an earlier text.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let dir = tempfile::tempdir()?;
    /// # std::fs::create_dir(dir.path().join("dice"))?;
    /// # let rules: String = (0..3000).map(|n| format!("Rule {n}: roll again.\n")).collect();
    /// # std::fs::write(dir.path().join("dice/SKILL.md"), format!("---\nname: dice\ndescription: Rolls dice.\n---\n{rules}"))?;
    /// let library = skills::Library::open([dir.path()])?;
    /// let mut next = library.read("dice")?.report.next_cursor;
    /// let mut whole = String::new();
    /// while let Some(cursor) = next {
    ///     let page = library.read_page("dice", &cursor)?;
    ///     whole.push_str(&page.text);
    ///     next = page.report.next_cursor;
    /// }
    /// assert!(whole.starts_with("Rule 0:") && whole.ends_with("Rule 2999: roll again.\n"));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`Library::read`], and [`ErrorKind::Input`](crate::ErrorKind::Input) where the file
    /// changed since the cursor was returned.
    pub fn read_page(&self, name: &str, cursor: &str) -> Result<LoadedText, Error> {
        self.body(name, &at(cursor))
    }

    fn body(&self, name: &str, selection: &Selection) -> Result<LoadedText, Error> {
        let place = &self.find(name)?.place;
        let loaded = load_skill_body(place, selection, &Limits::default());
        loaded.map_err(|error| Error::from(error).in_skill(name))
    }

    /// Reads a file of a skill, by its path inside the skill. Links and paths that lead outside are
    /// refused.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let dir = tempfile::tempdir()?;
    /// # std::fs::create_dir_all(dir.path().join("dice/references"))?;
    /// # std::fs::write(dir.path().join("dice/SKILL.md"), "---\nname: dice\ndescription: Rolls dice.\n---\n# Dice\n")?;
    /// # std::fs::write(dir.path().join("dice/references/rules.md"), "Six sides.\n")?;
    /// let library = skills::Library::open([dir.path()])?;
    /// assert_eq!(library.read_resource("dice", "references/rules.md")?.text, "Six sides.\n");
    /// let error = library.read_resource("dice", "../secret.md").unwrap_err();
    /// assert_eq!(error.kind(), skills::ErrorKind::Unreadable);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`Library::read`], and for what is not a text file of the skill.
    pub fn read_resource(&self, name: &str, path: &str) -> Result<LoadedText, Error> {
        self.resource(name, path, &Selection::default())
    }

    /// Reads the page of a file at a cursor: the `report.next_cursor` of an earlier text of this file.
    ///
    /// # Errors
    ///
    /// Those of [`Library::read_resource`] and [`Library::read_page`].
    pub fn read_resource_page(
        &self,
        name: &str,
        path: &str,
        cursor: &str,
    ) -> Result<LoadedText, Error> {
        self.resource(name, path, &at(cursor))
    }

    fn resource(&self, name: &str, path: &str, selection: &Selection) -> Result<LoadedText, Error> {
        let place = &self.find(name)?.place;
        let loaded = load_resource(place, path, selection, &Limits::default());
        loaded.map_err(|error| Error::from(error).in_skill(name))
    }

    pub(crate) fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    pub(crate) fn runner(&self) -> Result<&Runner, Error> {
        if let Some(runner) = self.runner.get() {
            return Ok(runner);
        }
        // A failure is not kept: the next call may find the state directory in order.
        let runner = self.settings.runner()?;
        Ok(self.runner.get_or_init(|| runner))
    }

    /// True if every call has an approval.
    pub(crate) fn approves_all(&self) -> bool {
        self.settings.approve
    }
}

/// Returns the selection of a page.
fn at(cursor: &str) -> Selection {
    Selection {
        cursor: Some(cursor.to_owned()),
        ..Selection::default()
    }
}
