//! A skill that was edited by hand, and a plugin that changed: both in one.
//!
//! The base is what the plugin gave last time, as the store kept it. What only one side changed is
//! taken, lines that both changed are written with conflict markers, and a file that both changed
//! in ways that no line can hold keeps the whole skill as it is.
//!
//! - `sides`: the three trees, read.
//! - `three_way`, `rename`: the merge itself, over values.
//! - `plan`: the result, written and told.
//! - `valid`: whether the result can be read.

mod plan;
mod rename;
mod sides;
mod three_way;
mod tree;
mod valid;

#[cfg(test)]
mod tests;

use skill_diagnostics::{Diagnostic, LineIndex};
use skill_loader::{
    fs::Root,
    store::{State, StoreError},
};
use skill_migrator::Migration;
use skill_model::{
    LockedSkill,
    conflict::{Side, first_mark_left, resolve},
};

use crate::{
    collect::Collected,
    last_time::has_stray_files_only,
    outcome::{Outcome, Status},
    reconcile::{self, CONFLICT},
    work::{Context, Refusal, failed},
};
use plan::Plan;
use sides::Held;
use tree::{Conflict, Kind, Merged, Taken};

pub(super) use sides::texts;

/// Everything about the skill that is to be merged.
pub(super) struct Case<'c> {
    /// Its name.
    pub(super) name: &'c str,
    /// The plugin's files.
    pub(super) collected: &'c Collected,
    /// What the plugin gives today.
    pub(super) migration: &'c Migration,
    /// The entry of `skills.lock`.
    pub(super) locked: &'c LockedSkill,
    /// The entry that a skill without edits would get.
    pub(super) entry: LockedSkill,
    /// What lies there, against `locked`.
    pub(super) state: &'c State,
}

/// Merges, and writes if that is right.
pub(super) fn reconcile(
    context: &Context<'_>,
    case: &Case<'_>,
    outcome: &mut Outcome,
) -> Result<Status, Refusal> {
    let skill = open(context, case.name)?;
    let mut ours = sides::ours(&skill, case.name)?;
    let favor = context.options.favor;
    take_side(case, &mut ours, favor)?;
    let has_news = case.locked.made() != &case.entry.files;
    let is_waiting = !case.locked.conflicts.is_empty();
    let is_edited = matches!(case.state, State::Edited(_)) && !has_stray_files_only(case.state);
    if is_edited && !has_news && !is_waiting && favor != Some(Side::Ours) {
        let finding = reconcile::conflict(case.name, case.state);
        return Err((Status::Conflict, vec![finding]));
    }
    let base =
        sides::base(context.store, case.name, case.locked).map_err(|error| failed(&error))?;
    let theirs = sides::theirs(case.collected, case.migration);
    let mut merged = three_way::merge(&base.tree(), &ours.tree(), &theirs.tree(), favor);
    check(case.name, &mut merged, &ours);
    let plan = Plan {
        merged,
        ours,
        theirs,
    };
    plan.reconcile(context, case, &skill, outcome)
}

fn open(context: &Context<'_>, name: &str) -> Result<Root, Refusal> {
    let root = context.store.root().map(|root| root.open_dir(name));
    match root {
        Some(Ok(root)) => Ok(root),
        Some(Err(error)) => Err(failed(&StoreError::from(error))),
        None => Err((Status::Failed, Vec::new())),
    }
}

/// Conflicts of an earlier merge: one side is taken if the user chose one; those that are left
/// are reported, and nothing else is done.
fn take_side(case: &Case<'_>, ours: &mut Held, favor: Option<Side>) -> Result<(), Refusal> {
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

/// Every conflict that is marked in a text, as a finding with its line.
fn marks(name: &str, path: &str, text: &str) -> Vec<Diagnostic> {
    let index = LineIndex::new(text);
    let starts = text
        .match_indices("<<<<<<< ")
        .map(|(at, _)| at)
        .filter(|at| *at == 0 || text.as_bytes()[at - 1] == b'\n');
    // Only the line itself is looked at, or a text with many such lines would be read for each.
    let line_at = |at: usize| text[at..].split_inclusive('\n').next().unwrap_or_default();
    let mut starts: Vec<usize> = starts
        .filter(|at| first_mark_left(line_at(*at)) == Some(0))
        .collect();
    if starts.is_empty() {
        starts.extend(first_mark_left(text));
    }
    let finding = |at: usize| {
        let message = format!(
            "`{name}/{}`, line {}: {}",
            path.escape_debug(),
            index.position(at).line,
            Kind::Lines.phrase()
        );
        Diagnostic::error(CONFLICT, message)
            .in_file(format!("{name}/{path}"))
            .at(index.span(at..at))
            .with_help(
                "choose between the markers in the file and run again, or run with --ours or --theirs",
            )
    };
    starts.into_iter().map(finding).collect()
}

/// A merge of lines that gives no skill is a conflict.
fn check(name: &str, merged: &mut Merged, ours: &Held) {
    let is_marked = |path: &str| {
        merged
            .conflicts
            .iter()
            .any(|conflict| conflict.path == path)
    };
    let mut flaws = Vec::new();
    for required in ["SKILL.md", "METADATA.yml"] {
        let text = match merged.files.get(required) {
            Some(Taken::Text { text, .. }) => Some(text.as_str()),
            Some(Taken::Ours(path)) => ours.text(path),
            Some(Taken::Theirs(_)) => continue,
            None => None,
        };
        let is_valid = text.is_some_and(|text| valid::is_valid(name, required, text));
        if !is_valid && !is_marked(required) {
            flaws.push(Conflict {
                path: required.to_owned(),
                kind: Kind::Invalid,
            });
        }
    }
    merged.conflicts.extend(flaws);
}
