//! Skills that were put away, whose instructions no agent may find: some agents search hidden
//! directories too, and would offer the earlier version beside the present one.

use super::dir;
use super::dir::EVERYTHING;
use crate::fs::{Kind, Root};

/// The name of the instructions in agents' directories.
const SHOWN: &str = "SKILL.md";
/// Their name in a skill that was put away.
const HIDDEN: &str = "SKILL.md.put-away";

/// Hides the instructions of the skill `name` of `parent`, and of skills inside it. It is put away in any case, so a failure is
/// ignored.
pub(super) fn hide(parent: &Root, name: &str) {
    rename(parent, name, SHOWN, HIDDEN);
}

/// Gives hidden instructions their name again, before the skill is put back. If that fails, the skill
/// does not have the files of its entry, which the next run reports.
pub(super) fn show(parent: &Root, name: &str) {
    rename(parent, name, HIDDEN, SHOWN);
}

/// Renames the file in the skill and in all directories below, which may have skills of their own.
fn rename(parent: &Root, name: &str, from: &str, to: &str) {
    let Ok(Some(skill)) = dir::open(parent, name) else {
        return;
    };
    let Ok(listing) = skill.walk("", &EVERYTHING, &|_| false) else {
        return;
    };
    for entry in &listing.entries {
        let (place, name) = entry.path.rsplit_once('/').unwrap_or(("", &entry.path));
        if name != from || !matches!(entry.kind, Kind::File(_)) {
            continue;
        }
        let renamed = match place {
            "" => dir::rename_new((&skill, from), (&skill, to)),
            place => match skill.open_dir(place) {
                Ok(place) => dir::rename_new((&place, from), (&place, to)),
                Err(_) => continue,
            },
        };
        let _ = renamed;
    }
}
