//! Migrates one plugin, from reading to writing.

use std::collections::BTreeSet;

use plugin_model::UnitKey;
use skill_diagnostics::Diagnostic;
use skill_loader::fs::Fingerprint;
use skill_migrator::{Migration, host_part, mask};
use skill_model::{LockedSkill, LockedSource};

use crate::{
    collect::survey,
    context::Context,
    discover::Candidate,
    last_time::{LastTime, runs_here},
    options::HostedPolicy,
    origin,
    outcome::{Account, Outcome, Status},
    plan::plan,
    plugin_files::PluginFiles,
    reconcile::reconcile,
    refusal::{Refusal, changed_meanwhile, reject},
    secrets::{guard_secrets, in_texts, judge, refuse_left, take_out_values},
    staging::desired_files,
    tokens::tokens,
};

/// Migrates one plugin.
pub(crate) fn work(context: &Context<'_>, found: &Candidate) -> Outcome {
    let mut outcome = Outcome::new(&found.key, Status::Unchanged);
    outcome.plugin.clone_from(&found.name);
    if found.is_skipped {
        outcome.status = Status::Disabled;
        return outcome;
    }
    outcome.skill = found.skill_name().map(str::to_owned);
    let mut text = None;
    match work_found(context, found, &mut outcome, &mut text) {
        Ok(status) => {
            outcome.status = status;
            outcome
        }
        Err(refusal) => reject(outcome, refusal, text),
    }
}

/// Lists, reads, plans and writes a plugin, and stops early if nothing changed. `text` gets the
/// text of the manifest, for excerpts.
fn work_found(
    context: &Context<'_>,
    found: &Candidate,
    outcome: &mut Outcome,
    text: &mut Option<String>,
) -> Result<Status, Refusal> {
    let refuse = |finding: Box<Diagnostic>| (Status::Rejected, vec![*finding]);
    let survey = survey(context.input, &found.directory).map_err(refuse)?;
    let plugin = survey.fingerprint();
    let last = LastTime::new(context, found);
    if last.is_untouched(context, plugin)? {
        last.recall(context, outcome);
        return Ok(Status::Unchanged);
    }
    let collected = survey
        .collect(found, context.options.choice(), context.host)
        .map_err(refuse)?;
    let fingerprint = with_host(context, plugin, &collected);
    if last.is_same(context, &collected)? {
        last.recall(context, outcome);
        last.remember(context, &fingerprint);
        return Ok(Status::Unchanged);
    }
    let manifest = collected
        .manifest
        .strip_prefix(b"\xEF\xBB\xBF")
        .unwrap_or(&collected.manifest);
    // Excerpts must not show a secret that is next to the reported place.
    *text = Some(mask(&String::from_utf8_lossy(manifest)));
    let status = work_collected(context, found, collected, last.recipe.clone(), outcome)?;
    last.remember(context, &fingerprint);
    Ok(status)
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
    mut collected: PluginFiles,
    recipe: String,
    outcome: &mut Outcome,
) -> Result<Status, Refusal> {
    let migration = plan_guarded(context, found, &mut collected)?;
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
    let status = reconcile(context, naming, &collected, &migration, entry, outcome);
    let measures = context.options.details.comparison;
    let tokens = measures.then(|| tokens(&migration)).flatten();
    outcome.findings.extend(migration.findings);
    if context.options.details.account {
        outcome.account = Some(Account {
            fates: migration.fates,
            left_out: collected.left_out,
            tokens,
        });
    }
    status
}

/// Plans without secrets in the output. A secret that only the plan shows is redacted in the
/// sources, and the plan is made again, so that its records fit the output.
fn plan_guarded(
    context: &Context<'_>,
    found: &Candidate,
    collected: &mut PluginFiles,
) -> Result<Migration, Refusal> {
    const MAX_PLANS: usize = 3;
    let policy = context.options.secrets;
    let mut values = BTreeSet::new();
    let needed = needed(context, found, collected)?;
    let mut findings = guard_secrets(context, found, collected, &mut values, needed.as_ref())?;
    findings.append(&mut collected.remarks);
    for _ in 1..MAX_PLANS {
        let migration = plan(context, found, collected, findings.clone())?;
        let in_texts = in_texts(found, collected, &migration, &mut values);
        if in_texts.is_empty() {
            return Ok(migration);
        }
        findings.extend(judge(in_texts, policy)?);
        take_out_values(found, collected, &values)?;
    }
    let migration = plan(context, found, collected, findings)?;
    let left = in_texts(found, collected, &migration, &mut values);
    refuse_left(left)?;
    Ok(migration)
}

/// Returns the files of the package that a unit of several needs; `None` for a package that is one
/// unit, which gets all of them.
fn needed(
    context: &Context<'_>,
    found: &Candidate,
    collected: &PluginFiles,
) -> Result<Option<BTreeSet<String>>, Refusal> {
    if found.unit == UnitKey::ONLY {
        return Ok(None);
    }
    let migration = plan(context, found, collected, Vec::new())?;
    let copied = migration.copies.into_iter().map(|copy| copy.from);
    let own = migration.metadata.legacy.and_then(|legacy| legacy.file);
    Ok(Some(copied.chain(own).collect()))
}

fn blocker(migration: &Migration) -> Option<String> {
    let first = migration
        .blockers
        .first()
        .map(|finding| finding.message.clone());
    let os = || format!("runs on {} only", migration.metadata.requires.os.join(", "));
    first.or_else(|| (!runs_here(&migration.metadata)).then(os))
}
