//! `describe_skill`: describes one skill in more or less detail.

use std::sync::Arc;

use serde_json::json;
use skill_disclosure::{Description, FullError, Phase, Situation};
use skill_loader::catalog::CatalogSkill;

use super::answer::{Answer, Refusal, ToolOutput};
use super::call::Call;

pub(super) fn answer(call: &Call) -> Answer {
    let name = call.arguments.needed("skill_name")?;
    let confidence = call.arguments.share("confidence")?;
    let skill = call.shared.store.skill(name)?;
    let situation = Situation {
        confidence,
        // A caller that names one skill wants more than its line in the list.
        explicit: confidence.is_none().then_some(Phase::Brief),
        ..Situation::default()
    };
    let phase = call
        .shared
        .settings
        .disclosure
        .phase(&skill.name, &situation);
    let description = describe(call, &skill, phase)?;
    call.shared.count_tokens(description.tokens);
    Ok(ToolOutput {
        data: json!({
            "skill_name": skill.name,
            "confidence": confidence,
            "phase": phase.word(),
            "tokens": description.tokens,
            "truncated": description.left_out != skill_disclosure::Omissions::default(),
        }),
        text: description.text,
    })
}

/// Returns the description of a skill at a phase.
pub(super) fn describe(
    call: &Call,
    skill: &Arc<CatalogSkill>,
    phase: Phase,
) -> Result<Description, Refusal> {
    let described = call.shared.describe(skill, phase);
    described.map_err(|error| match error {
        FullError::Load(error) => error.into(),
        other => Refusal::new("skill-not-found", other.to_string()),
    })
}
