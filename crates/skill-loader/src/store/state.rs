//! Whether a skill is as the store wrote it.

use super::{Store, StoreError};
use crate::fs::Kind;

/// What lies at the name of a skill.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum State {
    /// Nothing.
    Absent,
    /// Something that the store did not write: a directory that `skills.lock` does not know, or
    /// a file, link or other thing.
    Foreign(Kind),
    /// Exactly the files of `skills.lock`.
    Clean,
    /// A directory of the store that differs from `skills.lock`.
    Edited(Edits),
}

/// How a directory differs from `skills.lock`. Paths are relative to the skill and sorted.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Edits {
    /// Files whose bytes differ, and files replaced by links and other things.
    pub changed: Vec<String>,
    /// Files, links and empty directories (with a `/` at the end) that are not listed.
    pub added: Vec<String>,
    /// Files that are listed and not there.
    pub removed: Vec<String>,
}

impl Store {
    /// Compares the directory of a skill with its entry in `skills.lock`, by the bytes.
    pub fn state(&self, name: &str) -> Result<State, StoreError> {
        let _ = name;
        unimplemented!("next commit")
    }
}
