//! The plan for one unit, by its kind.

use plugin_model::UnitKind;
use skill_diagnostics::Diagnostic;
use skill_model::SkillName;

use crate::{
    agent,
    api::{self, Service},
    hook, instructions, mcp,
    plan::{Migration, Options},
    plugin::{Plugin, Source},
    program, prompt,
    render::{TemplateError, Templates},
    text::TextUnit,
};

/// Plans the migration of one unit of a package.
///
/// `earlier` are findings of reading and naming, which also go into `METADATA.yml`.
///
/// # Errors
///
/// Fails if a template cannot be rendered.
pub fn migrate(
    source: &Source<'_>,
    name: &SkillName,
    earlier: Vec<Diagnostic>,
    templates: &Templates,
    options: Options,
) -> Result<Migration, TemplateError> {
    let text = |text| TextUnit::new(source, text, options);
    match &source.unit.kind {
        UnitKind::Program(program) => {
            let plugin = Plugin::new(source, program);
            program::plan(&plugin, name, earlier, templates, options)
        }
        UnitKind::Prompt(it) => Ok(prompt::plan(&text(it), name, earlier)),
        UnitKind::Instructions(it) => Ok(instructions::plan(&text(it), name, earlier)),
        UnitKind::Agent(it) => Ok(agent::plan(&text(it), name, earlier)),
        UnitKind::Hook(it) => Ok(hook::plan(source, it, name, options, earlier)),
        UnitKind::Server(it) => Ok(mcp::plan(source, it, name, options, earlier)),
        UnitKind::Api(it) => Ok(api::plan(&Service::new(source, it, options), name, earlier)),
    }
}
