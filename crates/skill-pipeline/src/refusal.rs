//! The reasons why a plugin has no skill.

use skill_diagnostics::{Code, Diagnostic, Severity};
use skill_loader::store::StoreError;

use crate::{
    discover::Candidate,
    outcome::{Outcome, Status},
};

const STORE_FAILED: Code = Code("store-failed");
pub(crate) const INVALID_RESULT: Code = Code("invalid-result");

/// The status and the findings of a plugin that has no skill.
pub(crate) type Refusal = (Status, Vec<Diagnostic>);

/// Turns a refusal into the outcome. `manifest` is the text that its errors point into.
pub(crate) fn reject(
    mut outcome: Outcome,
    (status, findings): Refusal,
    manifest: Option<String>,
) -> Outcome {
    let errors = findings.iter();
    let errors = errors.filter(|finding| finding.severity == Severity::Error);
    outcome.errors = errors.cloned().collect();
    outcome.manifest = manifest;
    if matches!(status, Status::Rejected | Status::Nothing) {
        outcome.skill = None;
    }
    outcome.status = status;
    outcome.findings.extend(findings);
    outcome
}

/// Returns the refusal of a plugin that is not what it was when it was named.
pub(crate) fn changed_meanwhile(found: &Candidate) -> Refusal {
    let message = "the manifest changed while it was read";
    (
        Status::Failed,
        vec![Diagnostic::error(STORE_FAILED, message).in_file(found.manifest_path())],
    )
}

/// Returns the refusal for an error of the store.
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
