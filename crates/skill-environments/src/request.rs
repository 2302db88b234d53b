//! The request for the packages of one skill.

use std::path::PathBuf;

use crate::needs::Needs;

/// A skill whose packages are to be installed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    /// The name of the skill, for messages.
    pub name: String,
    /// Its directory.
    pub dir: PathBuf,
    /// Its packages, and those of the skills whose code it loads.
    pub needs: Needs,
}
