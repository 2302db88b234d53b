//! The directories that plugins of the old host shared on purpose: `dailynote`, `image` and so on.
//!
//! They are in `legacy/` of the state directory, where no skill can replace them. A skill to which
//! METADATA.yml grants one (`permissions.shared`) finds a link to it in its base; every other skill
//! finds its own directory under that name.

use std::path::PathBuf;

use skill_loader::fs::{Kind, ReadError};

use super::layout::LEGACY;
use super::place::Place;
use crate::envelope::{Failure, Warning};
use crate::package::SkillPackage;
use crate::state::State;

/// Lays out all of them, and returns the real paths of those that are granted.
pub(super) fn lay_out(
    skill: &SkillPackage,
    state: &State,
    place: &Place,
    notes: &mut Vec<Warning>,
) -> Result<Vec<PathBuf>, Failure> {
    let mut res = Vec::new();
    for dir in skill_model::SHARED_DIRECTORIES {
        let granted = &skill.metadata.permissions.shared;
        let at = format!("{}/{dir}", place.base());
        let target = format!("../../../{LEGACY}/{dir}");
        if granted.iter().any(|granted| granted == dir) {
            state.make_dir(&format!("{LEGACY}/{dir}"))?;
            if !is_linked(state, &at, &target).map_err(|error| Failure::io(&error))? {
                notes.push(in_the_way(state, &at, "the shared directory of that name"));
            }
            res.push(state.path(&format!("{LEGACY}/{dir}")));
        } else if !is_own(state, &at).map_err(|error| Failure::io(&error))? {
            notes.push(in_the_way(state, &at, "a directory"));
        }
    }
    Ok(res)
}

/// Makes a link to a shared directory. Another link is replaced, and so is a directory that is
/// empty; anything else is the skill's and stays.
fn is_linked(state: &State, at: &str, target: &str) -> Result<bool, ReadError> {
    let root = state.root();
    if root.link(at, target)? {
        return Ok(true);
    }
    match root.kind(at)? {
        Some(Kind::Symlink) => root.remove(at)?,
        Some(Kind::Dir) => root.remove_empty_dir(at)?,
        _ => return Ok(false),
    }
    root.link(at, target)
}

/// Creates a directory of the skill's own; a link at its path is replaced.
fn is_own(state: &State, at: &str) -> Result<bool, ReadError> {
    let root = state.root();
    if root.kind(at)? == Some(Kind::Symlink) {
        root.remove(at)?;
    }
    match root.kind(at)? {
        Some(Kind::Dir) => Ok(true),
        None => root.make_dir(at).map(|()| true),
        Some(_) => Ok(false),
    }
}

/// A skill that replaced such a directory broke it for itself alone.
fn in_the_way(state: &State, at: &str, what: &str) -> Warning {
    let at = state.path(at);
    let message = format!(
        "{} should be {what}; something of the skill's lies there, which stays: remove or rename it",
        at.display()
    );
    Warning::new("state-in-the-way", message)
}
