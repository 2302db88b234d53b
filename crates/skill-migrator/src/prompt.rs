//! The plan for a unit that is a prompt, which a user starts with arguments.

use skill_diagnostics::Diagnostic;
use skill_model::SkillName;

use crate::{
    plan::Migration,
    text::{self, Extent, TextUnit},
};

/// Plans the migration of a prompt: its body has a section on the input, and the template stays in
/// `references/template.md`.
pub(crate) fn plan(unit: &TextUnit<'_>, name: &SkillName, earlier: Vec<Diagnostic>) -> Migration {
    text::plan(unit, name, earlier, Extent::Whole)
}
