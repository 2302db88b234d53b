//! The plan for a unit that is a `SKILL.md` of another host.

use skill_diagnostics::Diagnostic;
use skill_model::SkillName;

use crate::{
    plan::Migration,
    text::{self, Extent, TextUnit},
};

/// Plans the migration of a skill: its body is unchanged unless it has placeholders.
pub(crate) fn plan(unit: &TextUnit<'_>, name: &SkillName, earlier: Vec<Diagnostic>) -> Migration {
    text::plan(unit, name, earlier, Extent::IfUsed)
}
