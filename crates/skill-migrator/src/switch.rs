//! Units that their host had switched off.

use skill_diagnostics::Diagnostic;
use skill_model::{ExecutorKind, Metadata};

use crate::codes::SWITCHED_OFF;

/// Returns the finding about a skill that is off as its unit was.
pub(crate) fn finding(record: &Metadata) -> Option<Diagnostic> {
    if record.enabled {
        return None;
    }
    let is_text = record.executor == ExecutorKind::Prompt;
    let message = if is_text {
        "the old host had it switched off (`enabled: false` of METADATA.yml)".to_owned()
    } else {
        let name = &record.name;
        format!(
            "the old host had it switched off; `skills-run configure {name} --enable` switches it on"
        )
    };
    let finding = Diagnostic::warning(SWITCHED_OFF, message);
    Some(if is_text {
        finding.with_help("an agent reads the skill all the same; --exclude leaves it out")
    } else {
        finding
    })
}
