//! Skills that were put away, whose instructions no agent may find: some agents search hidden
//! directories too, and would offer the earlier version beside the present one.

use super::dir;
use crate::fs::Root;

/// The name of the instructions in agents' directories.
const SHOWN: &str = "SKILL.md";
/// Their name in a skill that was put away.
const HIDDEN: &str = "SKILL.md.put-away";

/// Hides the instructions of the skill `name` of `parent`. It is put away in any case, so a failure is
/// ignored.
pub(super) fn hide(parent: &Root, name: &str) {
    rename(parent, name, SHOWN, HIDDEN);
}

/// Gives hidden instructions their name again, before the skill is put back. If that fails, the skill
/// does not have the files of its entry, which the next run reports.
pub(super) fn show(parent: &Root, name: &str) {
    rename(parent, name, HIDDEN, SHOWN);
}

fn rename(parent: &Root, name: &str, from: &str, to: &str) {
    if let Ok(Some(skill)) = dir::open(parent, name) {
        let _ = dir::rename_new((&skill, from), (&skill, to));
    }
}
