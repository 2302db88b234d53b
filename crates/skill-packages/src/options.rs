//! The options of a package.
//!
//! Name, description, author and license are kept from the last package in the same directory, unless they
//! are given. An empty description, author or license removes the last one.

use crate::error::PackError;
use crate::version::Version;

/// The options of a package.
#[derive(Clone, Debug)]
pub struct PackOptions {
    /// The name of the package; the name of the directory of skills if absent.
    pub name: Option<String>,
    /// The purpose of the package; the names of the first skills if absent.
    pub description: Option<String>,
    /// The author or the organization.
    pub author: Option<String>,
    /// The license, as an SPDX identifier.
    pub license: Option<String>,
    /// The version; the one that follows from the changes if absent.
    pub version: Option<Version>,
    /// Patterns of names with `*` and `?`; all skills if empty.
    pub only: Vec<String>,
    /// Leave out skills that cannot be run.
    pub only_runnable: bool,
    /// Add an archive of each skill.
    pub archives: bool,
    /// Let hosts start `skills-serve` for the package.
    pub server: bool,
}

impl PackOptions {
    /// Checks the patterns.
    pub(crate) fn check(&self) -> Result<(), PackError> {
        let is_odd = |c: char| matches!(c, '[' | ']' | '{' | '}' | '!' | '/' | '\\');
        let mut patterns = self.only.iter();
        match patterns.find(|it| it.is_empty() || it.contains(is_odd)) {
            Some(bad) => Err(PackError::Pattern(bad.escape_debug().to_string())),
            None => Ok(()),
        }
    }
}
