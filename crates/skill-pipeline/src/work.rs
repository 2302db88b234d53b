//! One plugin, from reading to writing.

use std::collections::BTreeSet;

use skill_diagnostics::{Code, Diagnostic, Severity};
use skill_loader::{
    fs::Root,
    store::{Store, StoreError},
};
use skill_migrator::{Migration, Templates, mask};
use skill_model::{LockedSkill, LockedSource, Metadata};

use crate::{
    MigrateOptions,
    collect::{Collected, survey},
    discover::Candidate,
    last_time::LastTime,
    origin,
    outcome::{Account, Outcome, Status},
    plan::plan,
    reconcile::{desired_files, reconcile},
    secrets::{guard_secrets, in_texts, judge, refuse_left, take_out_values},
    tokens::tokens,
};

/// Everything that all plugins have in common.
pub(crate) struct Context<'a> {
    pub(crate) options: &'a MigrateOptions,
    pub(crate) input: &'a Root,
    pub(crate) store: &'a Store,
    pub(crate) templates: &'a Templates,
}

const STORE_FAILED: Code = Code("store-failed");
pub(crate) const INVALID_RESULT: Code = Code("invalid-result");

/// Why there is no skill.
pub(crate) type Refusal = (Status, Vec<Diagnostic>);

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

/// Looks, reads, plans, writes; ends early when there is nothing to do. `text` gets the manifest's
/// text, for excerpts.
fn work_found(
    context: &Context<'_>,
    found: &Candidate,
    outcome: &mut Outcome,
    text: &mut Option<String>,
) -> Result<Status, Refusal> {
    let refuse = |finding: Box<Diagnostic>| (Status::Rejected, vec![*finding]);
    let survey = survey(context.input, &found.directory).map_err(refuse)?;
    let fingerprint = survey.fingerprint();
    let last = LastTime::of(context, found);
    if last.is_untouched(context, &fingerprint)? {
        last.recall(context, outcome);
        return Ok(Status::Unchanged);
    }
    let collected = survey
        .collect(found, context.options.choice())
        .map_err(refuse)?;
    if last.is_same(context, &collected)? {
        last.recall(context, outcome);
        last.remember(context, &fingerprint);
        return Ok(Status::Unchanged);
    }
    let manifest = collected
        .manifest
        .strip_prefix(b"\xEF\xBB\xBF")
        .unwrap_or(&collected.manifest);
    // Excerpts must not show a secret that stands beside what they are about.
    *text = Some(mask(&String::from_utf8_lossy(manifest)));
    let status = work_collected(context, found, collected, last.recipe.clone(), outcome)?;
    last.remember(context, &fingerprint);
    Ok(status)
}

/// Makes a refusal the outcome. `manifest` is the text that its errors point into.
pub(crate) fn reject(
    mut outcome: Outcome,
    (status, findings): Refusal,
    manifest: Option<String>,
) -> Outcome {
    let errors = findings.iter();
    let errors = errors.filter(|finding| finding.severity == Severity::Error);
    outcome.errors = errors.cloned().collect();
    outcome.manifest = manifest;
    if status == Status::Rejected {
        outcome.skill = None;
    }
    outcome.status = status;
    outcome.findings.extend(findings);
    outcome
}

fn work_collected(
    context: &Context<'_>,
    found: &Candidate,
    mut collected: Collected,
    recipe: String,
    outcome: &mut Outcome,
) -> Result<Status, Refusal> {
    let migration = plan_guarded(context, found, &mut collected)?;
    let naming = found
        .naming
        .as_ref()
        .ok_or_else(|| changed_meanwhile(found))?;
    outcome.runnable = Some(migration.metadata.runnable && runs_here(&migration.metadata));
    outcome.blocker = blocker(&migration);
    let entry = LockedSkill {
        source: LockedSource {
            directory: found.key.clone(),
            manifest: found.manifest_file.to_owned(),
            digest: collected.digest.to_string(),
        },
        recipe,
        files: desired_files(&migration),
        base: None,
        conflicts: Vec::new(),
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

/// The plan, without secrets in what it writes. A secret that only the plan shows is taken out of
/// the sources, and the plan made again, so that its records fit what is written.
fn plan_guarded(
    context: &Context<'_>,
    found: &Candidate,
    collected: &mut Collected,
) -> Result<Migration, Refusal> {
    const MAX_PLANS: usize = 3;
    let policy = context.options.secrets;
    let mut values = BTreeSet::new();
    let mut findings = guard_secrets(context, found, collected, &mut values)?;
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

/// Whether the operating system is one of those that the skill asks for, if it asks for any. Only
/// the report speaks of this machine; what is written is the same on all.
pub(crate) fn runs_here(metadata: &Metadata) -> bool {
    let os = &metadata.requires.os;
    os.is_empty() || os.iter().any(|os| os == std::env::consts::OS)
}

fn blocker(migration: &Migration) -> Option<String> {
    let first = migration
        .blockers
        .first()
        .map(|finding| finding.message.clone());
    let os = || format!("runs on {} only", migration.metadata.requires.os.join(", "));
    first.or_else(|| (!runs_here(&migration.metadata)).then(os))
}

/// Returns the refusal of a plugin that is not what it was when it was named.
pub(crate) fn changed_meanwhile(found: &Candidate) -> Refusal {
    let message = "the manifest changed while it was read";
    (
        Status::Failed,
        vec![Diagnostic::error(STORE_FAILED, message).in_file(found.manifest_path())],
    )
}

/// The store could not do something: the system refused.
pub(crate) fn failed(error: &StoreError) -> Refusal {
    let mut message = error.to_string();
    let mut cause: &dyn std::error::Error = error;
    while let Some(next) = cause.source() {
        if !message.contains(&next.to_string()) {
            message = format!("{message}: {next}");
        }
        cause = next;
    }
    (
        Status::Failed,
        vec![Diagnostic::error(STORE_FAILED, message)],
    )
}
