//! Static skills that feed others: their values for the skills that require them (`requires.skills`).
//!
//! The old host computed all values by their cron expressions, and its plugin manager gave them to
//! modules. Here the value of a required skill is computed before the call that uses it, if a moment of
//! its schedule has passed since.

use serde_json::json;

use super::cron::Schedule;
use super::known::{STORE, feeders, record};
use crate::answer::NO_NEW_VALUE;
use crate::call::Host;
use crate::clock;
use crate::envelope::{Envelope, ErrorCode, Warning};
use crate::json;
use crate::package::SkillPackage;
use crate::view;

/// Runs the static skills that a skill requires and whose values are too old, with `run`. A failure is a
/// warning: the last known value counts.
pub(crate) fn refresh(
    skill: &SkillPackage,
    host: &Host,
    run: &dyn Fn(&SkillPackage) -> Envelope,
) -> Vec<Warning> {
    let stale = feeders(skill, host).into_iter();
    let stale = stale.filter(|skill| is_stale(skill, host));
    stale
        .filter_map(|skill| note(&skill, host, &run(&skill)))
        .collect()
}

/// Returns true if a moment of its schedule has passed since the skill was run. A skill without a
/// schedule is run once.
fn is_stale(skill: &SkillPackage, host: &Host) -> bool {
    let moments = ["json", "tried"].map(|kind| record(skill, host, kind)?["at_ms"].as_i64());
    let Some(last) = moments.into_iter().flatten().max() else {
        return true;
    };
    let cron = skill.metadata.refresh.as_ref();
    let schedule = cron.and_then(|refresh| Schedule::read(&refresh.cron, &host.zone));
    let next = schedule.and_then(|schedule| schedule.next(last.div_euclid(1_000), &host.zone));
    next.is_some_and(|next| next * 1_000 <= clock::now_ms())
}

/// Returns the warning about a run without a new value, which is recorded.
fn note(skill: &SkillPackage, host: &Host, envelope: &Envelope) -> Option<Warning> {
    let has_no_value = |warning: &&Warning| warning.code == NO_NEW_VALUE;
    let why = match &envelope.outcome {
        Err(failure) => failure.message.clone(),
        Ok(_) => envelope.warnings.iter().find(has_no_value)?.message.clone(),
    };
    let is_denied = matches!(&envelope.outcome, Err(failure) if failure.code == ErrorCode::Denied);
    if let Some(key) = view::key(skill, &host.state).filter(|_| !is_denied) {
        let text = json::stringify(&json!({"at_ms": clock::now_ms()}));
        // Without the record, the next call tries it again.
        let _ = host.state.write(STORE, &format!("{key}.tried"), &text);
    }
    let name = &skill.metadata.name;
    let message = format!("`{name}`, which feeds this skill, has no new value: {why}");
    Some(Warning::new("feeder-failed", message))
}
