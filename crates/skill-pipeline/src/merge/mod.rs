//! Merges a skill that was edited by hand with a plugin that changed.
//!
//! The base is the earlier output of the plugin, as the store kept it. A change of one side is
//! taken. Lines that both sides changed are written with conflict markers. If both sides changed a
//! file that has no lines, the whole skill stays as it is.
//!
//! - `case`: the skill to be merged; `sides`: the three trees, read.
//! - `three_way`, `rename`: the merge itself, over values; `tests_of_triggers`: that of tests, by rows.
//! - `plan`: the result, written and reported; `marks`: the conflicts that are marked in a text.

mod case;
mod marks;
mod plan;
mod rename;
mod sides;
mod tests_of_triggers;
mod three_way;
mod tree;

#[cfg(test)]
mod tests;

use skill_loader::{
    fs::Root,
    store::{State, StoreError},
};
use skill_model::{
    conflict::{Side, first_mark_left, resolve},
    skill_file,
};

use crate::{
    conflict::conflict,
    context::Context,
    outcome::{Outcome, Status},
    refusal::{Refusal, failed},
    stray::has_stray_files_only,
    valid::is_valid,
};
use marks::marks;
use plan::Plan;
use sides::OwnedTree;
use tree::{Conflict, FileSource, Kind, MergeResult};

pub(super) use case::Case;
pub(super) use sides::texts;

/// Merges the skill, and writes it if the mode and the result allow that.
pub(super) fn reconcile(
    context: &Context<'_>,
    case: &Case<'_>,
    outcome: &mut Outcome,
) -> Result<Status, Refusal> {
    let skill = open(context, case.name)?;
    let mut ours = sides::ours(&skill, case.name)?;
    let favor = context.options.favor;
    take_side(case, &mut ours, favor)?;
    let file = skill_file(case.entry.hosted);
    ours.name_instructions(file);
    let moves = case.locked.hosted != case.entry.hosted;
    let has_news = moves || case.locked.made() != &case.entry.files;
    let is_waiting = !case.locked.conflicts.is_empty();
    let is_edited = matches!(case.state, State::Edited(_)) && !has_stray_files_only(case.state);
    if is_edited && !has_news && !is_waiting && favor != Some(Side::Ours) {
        let finding = conflict(case.name, case.state);
        return Err((Status::Conflict, vec![finding]));
    }
    let mut base =
        sides::base(context.store, case.name, case.locked).map_err(|error| failed(&error))?;
    base.name_instructions(file);
    let theirs = sides::theirs(case.collected, case.migration);
    let mut merged = three_way::merge(&base.tree(), &ours.tree(), &theirs.tree(), favor);
    check((case.name, file), &mut merged, &ours);
    let plan = Plan {
        merged,
        ours,
        theirs,
    };
    plan.reconcile(context, case, &skill, outcome)
}

fn open(context: &Context<'_>, name: &str) -> Result<Root, Refusal> {
    let path = context.store.path(name);
    let root = context.store.root().map(|root| root.open_dir(&path));
    match root {
        Some(Ok(root)) => Ok(root),
        Some(Err(error)) => Err(failed(&StoreError::from(error))),
        None => Err((Status::Failed, Vec::new())),
    }
}

/// Resolves conflicts of an earlier merge if the user chose a side; otherwise they are reported,
/// and nothing else is done.
fn take_side(case: &Case<'_>, ours: &mut OwnedTree, favor: Option<Side>) -> Result<(), Refusal> {
    let mut left = Vec::new();
    for path in &case.locked.conflicts {
        let Some(text) = ours.text(path) else {
            continue;
        };
        match (first_mark_left(text), favor) {
            (None, _) => {}
            (Some(_), Some(side)) => {
                let resolved = resolve(text, side);
                ours.set_text(path, resolved);
            }
            (Some(_), None) => left.extend(marks(case.name, path, text)),
        }
    }
    if left.is_empty() {
        Ok(())
    } else {
        Err((Status::Conflict, left))
    }
}

/// Adds a conflict if the merged lines are not a valid skill.
fn check((name, file): (&str, &str), merged: &mut MergeResult, ours: &OwnedTree) {
    let is_marked = |path: &str| {
        merged
            .conflicts
            .iter()
            .any(|conflict| conflict.path == path)
    };
    let mut flaws = Vec::new();
    for required in [file, "METADATA.yml"] {
        let text = match merged.files.get(required) {
            Some(FileSource::Text { text, .. }) => Some(text.as_str()),
            Some(FileSource::Ours(path)) => ours.text(path),
            Some(FileSource::Theirs(_)) => continue,
            None => None,
        };
        let can_be_read = text.is_some_and(|text| is_valid(name, required, text));
        if !can_be_read && !is_marked(required) {
            flaws.push(Conflict {
                path: required.to_owned(),
                kind: Kind::Invalid,
            });
        }
    }
    merged.conflicts.extend(flaws);
}
