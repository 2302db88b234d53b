//! Migrates the units of one package, from reading to writing.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use plugin_model::UnitKey;
use rayon::prelude::*;
use skill_diagnostics::Diagnostic;
use skill_loader::fs::Fingerprint;
use skill_migrator::{Migration, host_part};
use skill_model::{HOST_SKILL_FILE, LockedSkill, LockedSource, skill_file};

use crate::{
    context::Context,
    discover::Candidate,
    last_time::{LastTime, runs_here},
    options::HostedPolicy,
    origin,
    outcome::{Account, Outcome, Status},
    plan::plan,
    plugin_files::PluginFiles,
    reading::Reading,
    reconcile::reconcile,
    refusal::{Refusal, changed_meanwhile, reject},
    secrets::{
        find_secrets, has_address_secrets, in_texts, judge, policy, refuse_left, take_out_values,
    },
    server_entries::Planned,
    shared_files::SharedFiles,
    staging::desired_files,
    tokens::tokens,
};

#[cfg(test)]
mod tests;

/// The number of units of one package that a thread takes at a time.
const UNITS_A_TASK: usize = 16;

/// Receives each outcome as soon as it is known, from several threads.
pub(crate) type Done<'d> = dyn Fn(&Outcome) + Sync + 'd;

/// Migrates units of one package, which is read once.
pub(crate) fn work(context: &Context<'_>, units: &[Candidate], done: &Done<'_>) -> Vec<Outcome> {
    let shared = SharedFiles::default();
    let reading = OnceLock::new();
    let one = |found: &Candidate, turn: Turn| {
        let outcome = work_unit(context, found, (&shared, &reading), turn)?;
        done(&outcome);
        Some(outcome)
    };
    let turn = if units.len() > 1 {
        Turn::Any
    } else {
        Turn::Last
    };
    let all = units.par_iter().with_min_len(UNITS_A_TASK);
    let outcomes: Vec<Option<Outcome>> = all.map(|found| one(found, turn)).collect();
    let outcomes = outcomes.into_iter().zip(units);
    outcomes
        .filter_map(|(outcome, found)| outcome.or_else(|| one(found, Turn::Last)))
        .collect()
}

/// The turn of a unit. The report of the first unit of a package has what is true of all, so that unit is
/// the last one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    Any,
    Last,
}

fn work_unit<'s>(
    context: &Context<'_>,
    found: &Candidate,
    (shared, reading): (&'s SharedFiles, &OnceLock<Reading<'s>>),
    turn: Turn,
) -> Option<Outcome> {
    let mut outcome = Outcome::new(&found.key, Status::Unchanged);
    outcome.plugin.clone_from(&found.name);
    if found.is_skipped {
        outcome.status = Status::Disabled;
        return Some(outcome);
    }
    outcome.skill = found.skill_name().map(str::to_owned);
    match work_found(context, found, (shared, reading), turn, &mut outcome) {
        Ok(status) => {
            outcome.status = status?;
            Some(outcome)
        }
        Err(refusal) => Some(reject(outcome, refusal, shared.manifest_text())),
    }
}

/// Lists, reads, plans and writes a unit, and stops early if nothing changed. Returns `None` if it is not
/// the turn of the unit.
fn work_found<'s>(
    context: &Context<'_>,
    found: &Candidate,
    (shared, reading): (&'s SharedFiles, &OnceLock<Reading<'s>>),
    turn: Turn,
    outcome: &mut Outcome,
) -> Result<Option<Status>, Refusal> {
    let refuse = |finding: Box<Diagnostic>| (Status::Rejected, vec![*finding]);
    let survey = shared.survey(context, found).map_err(refuse)?;
    let plugin = survey.fingerprint();
    let last = LastTime::new(context, found);
    if last.is_untouched(context, plugin)? {
        last.recall(context, outcome);
        return Ok(Some(Status::Unchanged));
    }
    let collected = shared.collect(context, found, survey).map_err(refuse)?;
    let fingerprint = with_host(context, plugin, collected);
    if last.is_same(context, collected)? {
        last.recall(context, outcome);
        last.remember(context, &fingerprint);
        return Ok(Some(Status::Unchanged));
    }
    let reading = reading.get_or_init(|| Reading::new(found, collected));
    if turn == Turn::Any && reading.is_first(found) {
        return Ok(None);
    }
    let status = work_collected(
        context,
        found,
        (collected, reading),
        last.recipe.clone(),
        outcome,
    )?;
    last.remember(context, &fingerprint);
    Ok(Some(status))
}

/// Returns the fingerprint of the plugin and of what it gets of the host.
fn with_host(context: &Context<'_>, plugin: Fingerprint, collected: &PluginFiles) -> Fingerprint {
    let paths = collected.host.files.iter().map(|file| file.path.as_str());
    let host = context.host.filter(|_| !collected.host.files.is_empty());
    host.map_or(plugin, |host| host.fingerprint(plugin, paths))
}

fn work_collected(
    context: &Context<'_>,
    found: &Candidate,
    (shared, reading): (&PluginFiles, &Reading<'_>),
    recipe: String,
    outcome: &mut Outcome,
) -> Result<Status, Refusal> {
    let (mut migration, redacted) = plan_guarded(context, found, shared, reading)?;
    let collected = redacted.as_ref().unwrap_or(shared);
    let naming = found
        .naming
        .as_ref()
        .ok_or_else(|| changed_meanwhile(found))?;
    outcome.executor = Some(migration.metadata.executor);
    outcome.runnable = Some(migration.metadata.runnable && runs_here(&migration.metadata));
    outcome.blocker = blocker(&migration);
    let is_part = host_part(&migration.metadata).is_some();
    outcome.is_hosted = is_part && context.options.hosted == HostedPolicy::Separate;
    if is_part && context.options.hosted == HostedPolicy::Skip {
        outcome.findings.extend(migration.findings);
        return Ok(Status::HostPart);
    }
    let measures = context.options.details.comparison;
    let measured = measures.then(|| tokens(&migration)).flatten();
    if outcome.is_hosted {
        rename_instructions(&mut migration);
    }
    let entry = LockedSkill {
        source: LockedSource {
            directory: found.key.clone(),
            manifest: found.manifest_file.clone(),
            digest: collected.digest.to_string(),
        },
        recipe,
        files: desired_files(&migration),
        base: None,
        conflicts: Vec::new(),
        hosted: outcome.is_hosted,
    };
    outcome
        .findings
        .extend(origin::compare(context, &migration, &entry)?);
    let status = reconcile(context, naming, collected, &migration, entry, outcome);
    let (tokens, description) = measured.unzip();
    outcome.findings.extend(migration.findings);
    if context.options.details.account {
        outcome.account = Some(Account {
            fates: migration.fates,
            left_out: collected.left_out.clone(),
            tokens,
            description,
        });
    }
    status
}

/// Gives the instructions of a part of a host the name that no agent looks for.
fn rename_instructions(migration: &mut Migration) {
    if migration.copies.iter().any(|it| it.to == HOST_SKILL_FILE) {
        return;
    }
    for file in &mut migration.generated {
        if file.path == skill_file(false) {
            HOST_SKILL_FILE.clone_into(&mut file.path);
        }
    }
}

/// Plans without secrets in the output. A secret that only the plan shows is redacted in a copy of
/// the sources, which is returned too, and the plan is made again, so that its records fit the
/// output.
pub(crate) fn plan_guarded(
    context: &Context<'_>,
    found: &Candidate,
    shared: &PluginFiles,
    reading: &Reading<'_>,
) -> Result<(Migration, Option<PluginFiles>), Refusal> {
    const MAX_PLANS: usize = 3;
    // Nothing of such a package is written, so its files may have what they like.
    if reading.has_nothing() {
        return plan(context, found, shared, reading, Vec::new()).map(|it| (it, None));
    }
    let secrets = policy(context, found);
    let mut values = BTreeSet::new();
    // A package that is one unit needs all of its files.
    let is_part = found.unit != UnitKey::ONLY;
    let first = is_part.then(|| plan(context, found, shared, reading, Vec::new()));
    let first = first.transpose()?;
    let needed = first.as_ref().map(needed);
    let planned = Planned {
        unit: reading.unit(found),
        units: reading.units(),
    };
    let files = (shared, &reading.scans);
    let mut findings = find_secrets(
        context,
        found,
        files,
        &mut values,
        (needed.as_ref(), planned),
    )?;
    findings.extend(shared.remarks.iter().cloned());
    let mut redacted: Option<PluginFiles> = None;
    if !values.is_empty() || has_address_secrets(found, shared, &reading.scans) {
        redacted = Some(take_out_values(
            found,
            shared.clone(),
            &values,
            &reading.scans,
        )?);
    }
    let mut first = first.filter(|_| findings.is_empty() && redacted.is_none());
    let plan_again = |redacted: Option<&PluginFiles>, findings| match redacted {
        Some(files) => plan(
            context,
            found,
            files,
            &reading.again(found, files),
            findings,
        ),
        None => plan(context, found, shared, reading, findings),
    };
    for _ in 1..MAX_PLANS {
        let migration = match first.take() {
            Some(migration) => migration,
            None => plan_again(redacted.as_ref(), findings.clone())?,
        };
        let files = redacted.as_ref().unwrap_or(shared);
        let in_texts = in_texts(found, files, &migration, &mut values);
        if in_texts.is_empty() {
            return Ok((migration, redacted));
        }
        findings.extend(judge(in_texts, secrets)?);
        let files = redacted.unwrap_or_else(|| shared.clone());
        redacted = Some(take_out_values(found, files, &values, &reading.scans)?);
    }
    let migration = plan_again(redacted.as_ref(), findings)?;
    let files = redacted.as_ref().unwrap_or(shared);
    let left = in_texts(found, files, &migration, &mut values);
    refuse_left(left)?;
    Ok((migration, redacted))
}

/// Returns the files of the package that a planned unit needs.
fn needed(migration: &Migration) -> BTreeSet<String> {
    let copied = migration.copies.iter().map(|copy| copy.from.clone());
    let legacy = migration.metadata.legacy.as_ref();
    let own = legacy.and_then(|legacy| legacy.file.clone());
    copied.chain(own).collect()
}

fn blocker(migration: &Migration) -> Option<String> {
    let first = migration
        .blockers
        .first()
        .map(|finding| finding.message.clone());
    let os = || format!("runs on {} only", migration.metadata.requires.os.join(", "));
    first.or_else(|| (!runs_here(&migration.metadata)).then(os))
}
