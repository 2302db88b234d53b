//! The plan for a unit that is an agent.

use skill_diagnostics::Diagnostic;
use skill_model::SkillName;

use crate::{
    plan::Migration,
    text::{self, Extent, TextUnit},
};

/// Plans the migration of an agent: its body says what it does. The tools that its host let it use
/// are a sentence: they restrict, and `allowed-tools` permits.
pub(crate) fn plan(unit: &TextUnit<'_>, name: &SkillName, earlier: Vec<Diagnostic>) -> Migration {
    text::plan(unit, name, earlier, Extent::Values)
}
