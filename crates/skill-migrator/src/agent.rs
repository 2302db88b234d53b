//! The plan for a unit that is an agent.

use plugin_model::Format;
use skill_diagnostics::Diagnostic;
use skill_model::SkillName;

use crate::{
    plan::Migration,
    text::{self, Extent, TextUnit},
};

/// Plans the migration of an agent: its body says what it does. The tools that its host let it use
/// are a sentence: they restrict, and `allowed-tools` permits.
pub(crate) fn plan(unit: &TextUnit<'_>, name: &SkillName, earlier: Vec<Diagnostic>) -> Migration {
    // Copilot asks for the inputs of an agent as for those of a prompt.
    let extent = if unit.package.format == Format::Copilot {
        Extent::IfUsed
    } else {
        Extent::Values
    };
    text::plan(unit, name, earlier, extent)
}
