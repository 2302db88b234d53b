//! Reconciles a planned skill with the one on disk: write, skip, or report a conflict.

use skill_diagnostics::{Code, Diagnostic};
use skill_loader::{
    fs::{Entry, Kind, WalkLimits},
    store::{State, Store, StoreError},
};
use skill_migrator::{Migration, Naming};
use skill_model::{LockedSkill, conflict::Side, skill_path};

use crate::{
    conflict::{CONFLICT, conflict},
    context::Context,
    diff,
    error::Error,
    merge::{self, Case},
    outcome::{Outcome, Status},
    plugin_files::PluginFiles,
    refusal::{Refusal, failed, reject},
    staging::{back_up, stage_copy},
    stray::has_stray_files_only,
};

const STALE_SKILL: Code = Code("stale-skill");

/// Compares the planned skill with the one on disk, and writes it if the mode and the state allow
/// that.
pub(crate) fn reconcile(
    context: &Context<'_>,
    naming: &Naming,
    collected: &PluginFiles,
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
    let target = skill_path(name, entry.hosted);
    let moves = context.store.path(name) != target;
    if moves && is_taken(context.store, &target) {
        return Err((Status::Conflict, vec![taken(name, &target)]));
    }
    let is_only_ours = locked.is_some_and(|locked| locked.base.is_none());
    let is_replaced = match context.options.favor {
        Some(Side::Theirs) => locked.is_some_and(|locked| is_plugin_unchanged(locked, &entry)),
        _ => context.options.force,
    };
    if is_only_ours
        && !moves
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

fn is_taken(store: &Store, path: &str) -> bool {
    let kind = store.root().map(|root| root.kind(path));
    !matches!(kind, None | Some(Ok(None)))
}

fn taken(name: &str, path: &str) -> Diagnostic {
    let message = format!("the skill `{name}` moves to `{path}`, where something else is");
    Diagnostic::error(CONFLICT, message)
        .in_file(path)
        .with_help(format!("both stay as they are; move `{path}` away"))
}

/// Returns true if the output of the plugin did not change and there is no open conflict, so the
/// only difference is an edit by hand.
fn is_plugin_unchanged(locked: &LockedSkill, entry: &LockedSkill) -> bool {
    locked.made() == &entry.files && locked.conflicts.is_empty()
}

/// Records the skill on disk as the output of the plugin.
fn record(
    context: &Context<'_>,
    name: &str,
    collected: &PluginFiles,
    migration: &Migration,
    entry: LockedSkill,
) -> Result<(), StoreError> {
    let texts = merge::texts(collected, migration);
    context.store.keep_base(name, entry.made(), &texts)?;
    context.store.record(name, entry)
}

/// Returns true if a directory contains only links and directories, so nothing is lost with it.
fn holds_only_links(store: &Store, name: &str) -> bool {
    let listing = store
        .root()
        .and_then(|root| root.open_dir(&store.path(name)).ok())
        .and_then(|root| root.walk("", &WalkLimits::default(), &|_| false).ok());
    listing.is_some_and(|listing| {
        let is_link = |entry: &Entry| matches!(entry.kind, Kind::Symlink | Kind::Dir);
        listing.notes.is_empty()
            && !listing.entries.is_empty()
            && listing.entries.iter().all(is_link)
    })
}

fn planted_links(name: &str) -> Diagnostic {
    let message = format!("the directory of the skill `{name}` contained only links");
    Diagnostic::warning(CONFLICT, message)
        .in_file(name)
        .with_help("the links were deleted and not followed")
}

fn write(
    context: &Context<'_>,
    name: &str,
    collected: &PluginFiles,
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

/// Returns true if the skill has merged edits by hand.
fn holds_edits(store: &Store, name: &str) -> bool {
    let locked = store.locked(name);
    locked.is_some_and(|locked| locked.base.is_some())
}

/// The reason why a run makes no skill that an earlier one made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Absence {
    /// The plugin is a part of a host.
    HostPart,
    /// It is an agent, and the options say that agents become no skills.
    Agent,
    /// The input has it no more.
    Gone,
    /// A part of the input cannot be read, and the plugin may be there.
    Unknown,
}

impl Absence {
    /// Returns the end of a sentence about the plugin.
    fn words(self) -> &'static str {
        match self {
            Self::HostPart => "is a part of a host",
            Self::Agent => "is an agent, and --agents makes no skill of it",
            Self::Gone => "is gone",
            Self::Unknown => "was not found, and a part of the input cannot be read",
        }
    }
}

/// Removes a skill that no plugin makes, or reports it.
pub(crate) fn retire(
    context: &Context<'_>,
    name: &str,
    directory: &str,
    absence: Absence,
) -> Result<Outcome, Error> {
    let mut outcome = Outcome::new(directory, Status::Stale);
    outcome.skill = Some(name.to_owned());
    let state = context.store.state(name)?;
    let is_ours = state == State::Clean && !holds_edits(context.store, name);
    if state == State::Absent {
        outcome.status = Status::Removed;
        if context.options.mode.writes() {
            context.store.forget(name)?;
        }
    } else if !context.options.prune || absence == Absence::Unknown {
        let why = absence.words();
        let finding = Diagnostic::warning(
            STALE_SKILL,
            format!("the plugin of the skill `{name}` {why}"),
        );
        let help = match absence {
            Absence::Unknown => "the skill stays until the whole input can be read",
            _ => "--prune removes such skills",
        };
        outcome.findings.push(finding.with_help(help));
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
