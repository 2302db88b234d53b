//! Reconciles a planned skill with the one on disk: write, skip, or report a conflict.

use std::collections::BTreeMap;

use skill_diagnostics::{Code, Diagnostic};
use skill_loader::{
    Digest,
    fs::{Entry, Kind, WalkLimits, shown},
    store::{Staging, State, Store, StoreError},
};
use skill_migrator::{CopiedFile, Migration, Naming};
use skill_model::{LockedSkill, conflict::Side};

use crate::{
    Error,
    collect::Collected,
    diff,
    last_time::has_stray_files_only,
    merge::{self, Case},
    outcome::{Outcome, Status},
    work::{Context, Refusal, failed, reject},
};

pub(crate) const CONFLICT: Code = Code("conflict");
const STALE_SKILL: Code = Code("stale-skill");

/// Every file of the skill with its digest.
pub(crate) fn desired_files(migration: &Migration) -> BTreeMap<String, String> {
    let generated = migration.generated.iter().map(|file| {
        (
            file.path.clone(),
            Digest::from_content(file.text.as_bytes()).to_string(),
        )
    });
    let copies = migration
        .copies
        .iter()
        .map(|copy| (copy.to.clone(), format!("sha256:{}", copy.sha256)));
    generated.chain(copies).collect()
}

/// Compares what is wanted with what is there, and writes if that is right.
pub(crate) fn reconcile(
    context: &Context<'_>,
    naming: &Naming,
    collected: &Collected,
    migration: &Migration,
    entry: LockedSkill,
    outcome: &mut Outcome,
) -> Result<Status, Refusal> {
    let name = naming.name.as_str();
    let state = context.store.state(name).map_err(|error| failed(&error))?;
    if state != State::Absent
        && context
            .store
            .holds(name, &entry)
            .map_err(|error| failed(&error))?
    {
        if context.options.mode.writes() {
            record(context, name, collected, migration, entry).map_err(|error| failed(&error))?;
        }
        return Ok(Status::Unchanged);
    }
    let locked = context.store.locked(name);
    let is_only_ours = locked.is_some_and(|locked| locked.base.is_none());
    let is_replaced = match context.options.favor {
        Some(Side::Theirs) => locked.is_some_and(|locked| is_plugin_unchanged(locked, &entry)),
        _ => context.options.force,
    };
    if is_only_ours
        && has_stray_files_only(&state)
        && locked.is_some_and(|it| is_plugin_unchanged(it, &entry))
    {
        if context.options.mode.writes() {
            record(context, name, collected, migration, entry).map_err(|error| failed(&error))?;
        }
        return Ok(Status::Unchanged);
    }
    let [mut is_worthless, mut is_overruled] = [false; 2];
    let status = match state {
        State::Absent => Status::Created,
        State::Clean if is_only_ours => Status::Updated,
        _ if has_stray_files_only(&state) && is_only_ours => Status::Updated,
        State::Edited(_) if is_replaced => Status::Updated,
        State::Foreign(_) if context.options.force => Status::Updated,
        State::Foreign(Kind::Dir) if holds_only_links(context.store, name) => {
            is_worthless = true;
            outcome.findings.push(planted_links(name));
            Status::Created
        }
        State::Clean | State::Edited(_) if let Some(locked) = locked => {
            let case = Case {
                name,
                collected,
                migration,
                locked,
                entry: entry.clone(),
                state: &state,
            };
            match merge::reconcile(context, &case, outcome) {
                Err((Status::Conflict, _)) if context.options.force => {
                    is_overruled = true;
                    Status::Updated
                }
                reconciled => return reconciled,
            }
        }
        State::Foreign(_) | State::Clean | State::Edited(_) => {
            return Err((Status::Conflict, vec![conflict(name, &state)]));
        }
    };
    let after = diff::planned(collected, migration);
    if context.options.details.diff {
        outcome.diff = diff::render(context.store, name, &after);
    }
    if context.options.details.comparison {
        outcome.changes = match state {
            State::Absent => diff::made_of(collected, migration),
            _ => diff::changes(context.store, name, &after),
        };
    }
    if context.options.mode.writes() {
        if is_worthless {
            context
                .store
                .discard(name)
                .map_err(|error| failed(&error))?;
        } else if is_overruled || is_replaced && !matches!(state, State::Absent | State::Clean) {
            back_up(context, name, outcome)?;
        }
        write(context, name, collected, migration, entry).map_err(|error| failed(&error))?;
    }
    Ok(status)
}

/// Whether the plugin gives what it gave last time, and no conflict waits: an edit is all there is.
fn is_plugin_unchanged(locked: &LockedSkill, entry: &LockedSkill) -> bool {
    locked.made() == &entry.files && locked.conflicts.is_empty()
}

/// Takes over what lies there as what the plugin gives.
fn record(
    context: &Context<'_>,
    name: &str,
    collected: &Collected,
    migration: &Migration,
    entry: LockedSkill,
) -> Result<(), StoreError> {
    let texts = merge::texts(collected, migration);
    context.store.keep_base(name, entry.made(), &texts)?;
    context.store.record(name, entry)
}

/// Whether a directory holds no file of anybody's, so that nothing is lost with it.
fn holds_only_links(store: &Store, name: &str) -> bool {
    let listing = store
        .root()
        .and_then(|root| root.open_dir(name).ok())
        .and_then(|root| root.walk("", &WalkLimits::default(), &|_| false).ok());
    listing.is_some_and(|listing| {
        let is_link = |entry: &Entry| matches!(entry.kind, Kind::Symlink | Kind::Dir);
        listing.notes.is_empty()
            && !listing.entries.is_empty()
            && listing.entries.iter().all(is_link)
    })
}

fn planted_links(name: &str) -> Diagnostic {
    let message =
        format!("a directory that holds nothing but links was in the place of the skill `{name}`");
    Diagnostic::warning(CONFLICT, message)
        .in_file(name)
        .with_help("the links were deleted and not followed")
}

pub(crate) fn conflict(name: &str, state: &State) -> Diagnostic {
    let message = match state {
        State::Edited(edits) => {
            let all = [
                ("changed", &edits.changed),
                ("added", &edits.added),
                ("removed", &edits.removed),
            ];
            let parts = all
                .iter()
                .filter(|(_, paths)| !paths.is_empty())
                .map(|(word, paths)| {
                    let shown: Vec<String> = paths
                        .iter()
                        .take(3)
                        .map(|path| path.escape_debug().to_string())
                        .collect();
                    let more = if paths.len() > 3 {
                        format!(" and {} more", paths.len() - 3)
                    } else {
                        String::new()
                    };
                    format!("{word} {}{more}", shown.join(", "))
                });
            format!(
                "the skill `{name}` was edited since it was written: {}",
                parts.collect::<Vec<_>>().join("; ")
            )
        }
        State::Foreign(kind) => {
            format!("a {kind} that this tool did not write is in the place of the skill `{name}`")
        }
        State::Absent | State::Clean => {
            format!("the skill `{name}` holds what was edited by hand")
        }
    };
    Diagnostic::error(CONFLICT, message)
        .in_file(name)
        .with_help(
            "it stays as it is until the plugin changes, and is merged then; --ours keeps it for good, --force replaces it after a backup",
        )
}

pub(crate) fn back_up(
    context: &Context<'_>,
    name: &str,
    outcome: &mut Outcome,
) -> Result<(), Refusal> {
    let copy = context
        .store
        .backup(name, &context.options.backup)
        .map_err(|error| failed(&error))?;
    let message = format!(
        "what was in the place of the skill `{name}` is in {}",
        shown(&copy)
    );
    outcome.findings.push(Diagnostic::note(CONFLICT, message));
    Ok(())
}

fn write(
    context: &Context<'_>,
    name: &str,
    collected: &Collected,
    migration: &Migration,
    entry: LockedSkill,
) -> Result<(), StoreError> {
    let texts = merge::texts(collected, migration);
    let mut staging = context.store.stage(name)?;
    for file in &migration.generated {
        staging.write(&file.path, file.text.as_bytes(), false)?;
    }
    for copy in &migration.copies {
        stage_copy(&mut staging, collected, copy, &copy.to, copy.executable)?;
    }
    context.store.keep_base(name, entry.made(), &texts)?;
    context.store.commit(staging, entry)?;
    Ok(())
}

/// Writes a file of the plugin as `path`.
pub(crate) fn stage_copy(
    staging: &mut Staging<'_>,
    collected: &Collected,
    copy: &CopiedFile,
    path: &str,
    executable: bool,
) -> Result<(), StoreError> {
    if let Some(bytes) = collected.bytes.get(&copy.from) {
        return staging.write(path, bytes, executable);
    }
    let expected = Digest::parse(&format!("sha256:{}", copy.sha256));
    let from = &collected.root;
    staging
        .copy_from(from, &copy.from, path, executable, expected)
        .map(drop)
}

/// Whether edits by hand were merged into what was written.
fn holds_edits(store: &Store, name: &str) -> bool {
    let locked = store.locked(name);
    locked.is_some_and(|locked| locked.base.is_some())
}

/// A skill whose plugin is gone.
pub(crate) fn retire(context: &Context<'_>, name: &str, directory: &str) -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(directory, Status::Stale);
    outcome.skill = Some(name.to_owned());
    let state = context.store.state(name)?;
    let is_ours = state == State::Clean && !holds_edits(context.store, name);
    if state == State::Absent {
        outcome.status = Status::Removed;
        if context.options.mode.writes() {
            context.store.forget(name)?;
        }
    } else if !context.options.prune {
        let finding = Diagnostic::warning(
            STALE_SKILL,
            format!("the plugin of the skill `{name}` is gone"),
        );
        outcome
            .findings
            .push(finding.with_help("--prune removes such skills"));
    } else if is_ours || context.options.force {
        outcome.status = Status::Removed;
        if context.options.mode.writes() {
            if !is_ours {
                context.store.backup(name, &context.options.backup)?;
            }
            context.store.remove(name)?;
        }
    } else {
        let refusal = (Status::Conflict, vec![conflict(name, &state)]);
        outcome = reject(outcome, refusal, None);
    }
    Ok(outcome)
}
