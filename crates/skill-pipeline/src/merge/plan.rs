//! The outcome of a merge: reported, compared, and written through the store.

use std::collections::BTreeMap;

use skill_diagnostics::{Code, Diagnostic};
use skill_loader::{Digest, fs::Root, store::StoreError};
use skill_model::{LockedSkill, conflict::Side, skill_path};

use super::case::Case;
use super::marks::marks;
use super::sides::{OwnedTree, texts};
use super::tree::{Conflict, FileSource, Kind, MergeResult};
use crate::{
    conflict::CONFLICT,
    context::Context,
    diff::{self, After},
    outcome::{Outcome, Status},
    refusal::{Refusal, failed},
    staging::{back_up, stage_copy},
};

const MERGED: Code = Code("merged");

/// The merged skill and its sides.
pub(super) struct Plan {
    pub(super) merged: MergeResult,
    pub(super) ours: OwnedTree,
    pub(super) theirs: OwnedTree,
}

impl Plan {
    /// Writes the merged skill if the mode allows that, and reports the outcome.
    pub(super) fn reconcile(
        self,
        context: &Context<'_>,
        case: &Case<'_>,
        skill: &Root,
        outcome: &mut Outcome,
    ) -> Result<Status, Refusal> {
        if context.options.force && !self.merged.conflicts.is_empty() {
            // The caller replaces it; no marker is written for that.
            return Err((Status::Conflict, Vec::new()));
        }
        let is_stuck = |conflict: &&Conflict| conflict.kind != Kind::Lines;
        let stuck: Vec<_> = self.merged.conflicts.iter().filter(is_stuck).collect();
        if !stuck.is_empty() {
            let findings = stuck.into_iter().map(|it| whole(case.name, it));
            return Err((Status::Conflict, findings.collect()));
        }
        let entry = self.entry(case);
        let is_in_place = context.store.path(case.name) == skill_path(case.name, entry.hosted);
        let is_same = is_in_place && self.is_on_disk(&entry);
        if context.options.details.diff && !is_same {
            outcome.diff = diff::render(context.store, case.name, &self.after(case));
        }
        if context.options.details.comparison && !is_same {
            outcome.changes = diff::changes(context.store, case.name, &self.after(case));
        }
        if context.options.mode.writes() {
            self.write(context, case, skill, entry, is_same, outcome)?;
        }
        self.status(case, is_same, outcome)
    }

    /// Returns true if no edit by hand is left.
    fn is_the_plugins(&self, case: &Case<'_>) -> bool {
        let made = &case.entry.files;
        self.merged.files.len() == made.len()
            && self
                .merged
                .files
                .iter()
                .all(|(path, taken)| made.get(path) == Some(&self.digest(taken)))
    }

    /// Returns the status of the merged skill, and adds a finding about the merge.
    fn status(
        &self,
        case: &Case<'_>,
        is_same: bool,
        outcome: &mut Outcome,
    ) -> Result<Status, Refusal> {
        if !self.merged.conflicts.is_empty() {
            let marked = self.merged.conflicts.iter();
            let findings = marked.flat_map(|conflict| {
                let text = self.text(&conflict.path).unwrap_or_default();
                marks(case.name, &conflict.path, text)
            });
            return Err((Status::Conflict, findings.collect()));
        }
        if is_same {
            return Ok(Status::Unchanged);
        }
        if self.is_the_plugins(case) {
            return Ok(Status::Updated);
        }
        let message = format!(
            "the skill `{}` was edited by hand; the edits and the changes in the plugin were merged",
            case.name
        );
        outcome
            .findings
            .push(Diagnostic::note(MERGED, message).in_file(case.name));
        Ok(Status::Merged)
    }

    fn digest(&self, taken: &FileSource) -> String {
        let held = match taken {
            FileSource::Text { text, .. } => {
                return Digest::from_content(text.as_bytes()).to_string();
            }
            FileSource::Ours(path) => self.ours.get(path),
            FileSource::Theirs(path) => self.theirs.get(path),
        };
        held.map(|file| file.digest.clone()).unwrap_or_default()
    }

    fn text(&self, path: &str) -> Option<&str> {
        match self.merged.files.get(path)? {
            FileSource::Text { text, .. } => Some(text),
            FileSource::Ours(path) => self.ours.text(path),
            FileSource::Theirs(path) => self.theirs.text(path),
        }
    }

    fn is_executable(&self, taken: &FileSource) -> bool {
        let held =
            |side: &OwnedTree, path: &String| side.get(path).is_some_and(|file| file.executable);
        match taken {
            FileSource::Ours(path) => held(&self.ours, path),
            FileSource::Theirs(path) => held(&self.theirs, path) || held(&self.ours, path),
            FileSource::Text { ours, theirs, .. } => {
                held(&self.ours, ours) || held(&self.theirs, theirs)
            }
        }
    }

    fn entry(&self, case: &Case<'_>) -> LockedSkill {
        let made = case.entry.files.clone();
        let files: BTreeMap<String, String> = self
            .merged
            .files
            .iter()
            .map(|(path, taken)| (path.clone(), self.digest(taken)))
            .collect();
        let conflicts = self.merged.conflicts.iter().map(|it| it.path.clone());
        LockedSkill {
            base: (files != made).then_some(made),
            files,
            conflicts: conflicts.collect(),
            ..case.entry.clone()
        }
    }

    /// Returns true if the directory already has the merged files. The entry in `skills.lock` may
    /// still change.
    fn is_on_disk(&self, entry: &LockedSkill) -> bool {
        let tree = self.ours.tree();
        !self.ours.is_rewritten()
            && tree.len() == entry.files.len()
            && tree
                .iter()
                .all(|(path, file)| entry.files.get(*path).is_some_and(|it| it == file.digest))
    }

    fn after<'a>(&'a self, case: &'a Case<'_>) -> BTreeMap<&'a str, After<'a>> {
        let large = |path: &str| {
            let copy = case.migration.copies.iter().find(|copy| copy.to == path);
            let bytes = copy.and_then(|copy| case.collected.bytes.get(&copy.from));
            bytes.map_or(After::Large, |bytes| After::Bytes(bytes))
        };
        let files = self.merged.files.iter().map(|(path, taken)| {
            let text = self.text(path).map(|text| After::Bytes(text.as_bytes()));
            let after = text.unwrap_or_else(|| match taken {
                FileSource::Theirs(from) => large(from),
                _ => After::Kept,
            });
            (path.as_str(), after)
        });
        files.collect()
    }

    fn write(
        &self,
        context: &Context<'_>,
        case: &Case<'_>,
        skill: &Root,
        entry: LockedSkill,
        is_same: bool,
        outcome: &mut Outcome,
    ) -> Result<(), Refusal> {
        let fail = |error: StoreError| failed(&error);
        let store = context.store;
        let base = texts(case.collected, case.migration);
        store
            .keep_base(case.name, entry.made(), &base)
            .map_err(fail)?;
        if is_same {
            return store.record(case.name, entry).map_err(fail);
        }
        if self.merged.overruled || context.options.favor == Some(Side::Theirs) {
            back_up(context, case.name, outcome)?;
        }
        self.stage(context, case, skill, entry).map_err(fail)
    }

    fn stage(
        &self,
        context: &Context<'_>,
        case: &Case<'_>,
        skill: &Root,
        entry: LockedSkill,
    ) -> Result<(), StoreError> {
        let mut staging = context.store.stage(case.name)?;
        for (path, taken) in &self.merged.files {
            let executable = self.is_executable(taken);
            if let Some(text) = self.text(path) {
                staging.write(path, text.as_bytes(), executable)?;
                continue;
            }
            let expected = Digest::parse(&self.digest(taken));
            match taken {
                FileSource::Ours(from) => {
                    staging.copy_from(skill, from, path, executable, expected)?;
                }
                FileSource::Theirs(from) | FileSource::Text { theirs: from, .. } => {
                    let copies = &case.migration.copies;
                    if let Some(copy) = copies.iter().find(|copy| copy.to == *from) {
                        stage_copy(&mut staging, case.collected, copy, path, executable)?;
                    }
                }
            }
        }
        context.store.commit(staging, entry).map(drop)
    }
}

fn whole(name: &str, conflict: &Conflict) -> Diagnostic {
    let Conflict { path, kind } = conflict;
    let message = format!(
        "the skill `{name}` was edited and cannot be merged: `{}`: {}",
        path.escape_debug(),
        kind.phrase()
    );
    Diagnostic::error(CONFLICT, message)
        .in_file(format!("{name}/{path}"))
        .with_help(match kind {
            Kind::Invalid => "it stays as it is; correct the file, or --force replaces the skill after a backup",
            _ => "it stays as it is; --ours keeps the edits, --theirs takes the version of the plugin",
        })
}
