//! Checking skills against the rules of the specification.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use skill_checker::{CheckOptions, Checker, parse_levels};
use skill_diagnostics::Diagnostic;
use skill_validator::Profile;

use crate::{Error, ErrorKind};

/// Checks one skill, or all skills below a directory, and returns the findings by file and place.
///
/// The rules are those of `skills-validate` with its default levels; [`Validation`] has options.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let dir = tempfile::tempdir()?;
/// # std::fs::create_dir(dir.path().join("dice"))?;
/// # std::fs::write(dir.path().join("dice/SKILL.md"), "---\nname: Dice!\ndescription: Rolls dice.\n---\n# Dice\n")?;
/// let findings = skills::validate(dir.path())?;
/// assert!(findings.iter().any(|finding| finding.severity == skills::Severity::Error));
/// for finding in &findings {
///     println!("{}: {}", finding.code, finding.message);
/// }
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// Those of [`Validation::run`].
pub fn validate(path: impl AsRef<Path>) -> Result<Vec<Diagnostic>, Error> {
    Validation::new(path.as_ref()).run()
}

/// A check of skills with options.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let dir = tempfile::tempdir()?;
/// # std::fs::create_dir(dir.path().join("dice"))?;
/// # std::fs::write(dir.path().join("dice/SKILL.md"), "---\nname: dice\ndescription: Rolls dice.\n---\n")?;
/// let findings = skills::Validation::new(dir.path())
///     .profile(skills::Profile::ClaudeCode)
///     .level("body-empty", "error")
///     .exclude("drafts")
///     .run()?;
/// assert!(findings.iter().any(|finding| finding.code.0 == "body-empty"));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[must_use = "nothing is checked until `run`"]
pub struct Validation {
    path: PathBuf,
    levels: BTreeMap<String, String>,
    options: CheckOptions,
}

impl Validation {
    /// Returns a check of one skill, or of all skills below a directory, with the default options.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            levels: BTreeMap::new(),
            options: CheckOptions::default(),
        }
    }

    /// Sets the reading of the specification; the default is [`Profile::Spec`].
    pub fn profile(mut self, profile: Profile) -> Self {
        self.options.rules.profile = profile;
        self
    }

    /// Sets the level of a rule: `off`, `note`, `warning` or `error`. `docs/rules.md` lists the rules.
    pub fn level(mut self, rule: impl Into<String>, level: impl Into<String>) -> Self {
        self.levels.insert(rule.into(), level.into());
        self
    }

    /// Leaves out paths that match a pattern. Can be repeated.
    pub fn exclude(mut self, pattern: impl Into<String>) -> Self {
        self.options.exclude.push(pattern.into());
        self
    }

    /// Checks the skills and returns the findings by file and place.
    ///
    /// # Errors
    ///
    /// - [`ErrorKind::NotFound`] where the path does not exist.
    /// - [`ErrorKind::Input`] where the path is not a skill, or a rule or level is not known.
    /// - [`ErrorKind::Io`] where the path cannot be opened or a skill cannot be listed.
    ///
    /// A broken skill is a finding.
    pub fn run(mut self) -> Result<Vec<Diagnostic>, Error> {
        let levels = parse_levels(&self.levels);
        let levels = levels.map_err(|error| Error::new(ErrorKind::Input, error.to_string()))?;
        self.options.rules.levels.extend(levels);
        let checker = Checker::open(&self.path, self.options)?;
        Ok(checker.check()?.findings)
    }
}
