//! Findings and parity of a skill, for the page of `skills-serve`.

use skill_diagnostics::{Code, Diagnostic};
use skill_loader::load::SkillPlace;

use parity_record::recorded_of;

/// The source of findings, which are computed on request, and of parity, which `skills-migrate verify`
/// recorded.
#[derive(Debug)]
pub(super) struct About;

impl skill_mcp::About for About {
    fn findings(&self, place: &SkillPlace) -> Vec<Diagnostic> {
        let Some(directory) = &place.dir else {
            return Vec::new();
        };
        let path = place.root.path().join(directory);
        skills_validate::findings_of(&path).unwrap_or_else(|error| {
            tracing::warn!(skill = %directory, "not validated: {error:#}");
            let message = "the skill could not be validated; the log of the server says why";
            vec![Diagnostic::error(Code("not-inspected"), message)]
        })
    }

    fn parity(&self, place: &SkillPlace) -> Option<String> {
        let recorded = recorded_of(place.root.path(), place.dir.as_deref()?)?;
        Some(recorded.current_verdict()?.word().to_owned())
    }
}
