//! The catalog as a prompt and as instructions.

use rmcp::ErrorData;
use rmcp::model::{
    GetPromptRequestParams, GetPromptResult, Prompt, PromptArgument, PromptMessage, Role,
};
use skill_disclosure::listing::{self, Item};
use skill_disclosure::{Facts, LocalBodies, Mode, ModeSettings, compose};
use skill_loader::catalog::{Catalog, CatalogSkill};
use skill_loader::load::Selection;

use crate::names::ToolKind;
use crate::server::Shared;
use crate::tools::Refusal;
use crate::wrapper::attribute;

/// The name of the prompt with the catalog.
const CATALOG: &str = "skills";
/// The name of the prompt with one skill.
const SKILL: &str = "skill";
/// The token budget of a catalog without bodies: 8,000 characters, like the default of common
/// clients.
const CATALOG_TOKENS: usize = 2_000;
/// The token budget of a catalog with bodies.
const BODIES_TOKENS: usize = 20_000;

/// Returns the instructions of the server, with the catalog.
pub(crate) fn instructions(shared: &Shared, skills: &Catalog) -> String {
    format!("{}\n\n{}", greeting(shared), catalog(shared, skills))
}

/// Returns the instructions without the catalog, so that it need not be read.
pub(crate) fn greeting(shared: &Shared) -> String {
    let read = shared.settings.names.name(ToolKind::ReadSkill);
    format!(
        "This server provides skills: instructions for tasks. Read one with {read} before you do what it describes."
    )
}

/// Returns all prompts; there are none without skills.
pub(crate) fn list(shared: &Shared) -> Vec<Prompt> {
    if shared.store.catalog().skills.is_empty() {
        return Vec::new();
    }
    let name = PromptArgument::new("skill_name")
        .with_description("Name of the skill")
        .with_required(true);
    vec![
        Prompt::new(CATALOG, Some("All skills with their descriptions"), None),
        Prompt::new(
            SKILL,
            Some("The instructions of one skill"),
            Some(vec![name]),
        ),
    ]
}

/// Returns the text of a prompt.
pub(crate) fn get(
    shared: &Shared,
    request: &GetPromptRequestParams,
) -> Result<GetPromptResult, ErrorData> {
    let text = match request.name.as_str() {
        CATALOG => catalog(shared, &shared.store.catalog()),
        SKILL => skill(shared, request)?,
        other => {
            let message = format!("no prompt is called `{}`", other.escape_debug());
            return Err(ErrorData::invalid_params(message, None));
        }
    };
    Ok(GetPromptResult::new(vec![PromptMessage::new_text(
        Role::User,
        text,
    )]))
}

fn skill(shared: &Shared, request: &GetPromptRequestParams) -> Result<String, ErrorData> {
    let arguments = request.arguments.as_ref();
    let name = arguments.and_then(|arguments| arguments.get("skill_name")?.as_str());
    let name = name.ok_or_else(|| ErrorData::invalid_params("`skill_name` is missing", None))?;
    match shared.store.body(name, &Selection::default()) {
        Ok((skill, body)) => Ok(format!(
            "# Skill: {}\n\n{}",
            attribute(&skill.name),
            body.loaded.text
        )),
        Err(error) => {
            let refusal = Refusal::from(error);
            let near = refusal.nearest.join(", ");
            let message = format!("{} {near}", refusal.message);
            Err(ErrorData::invalid_params(
                message.trim_end().to_owned(),
                None,
            ))
        }
    }
}

/// Returns the catalog within its budget, with the bodies that the mode includes.
fn catalog(shared: &Shared, catalog: &Catalog) -> String {
    let settings = &shared.settings;
    let item = |skill: &CatalogSkill| {
        let priority = skill
            .metadata
            .as_deref()
            .map_or(0.0, |m| m.triggers.priority);
        (Item::from_facts(&Facts::from_skill(skill)), priority)
    };
    let items: Vec<(Item, f64)> = catalog.skills.values().map(|skill| item(skill)).collect();
    let budget = match settings.mode {
        Mode::Progressive => CATALOG_TOKENS,
        Mode::Eager | Mode::Hybrid => BODIES_TOKENS,
    };
    let mode_settings = ModeSettings {
        mode: settings.mode,
        listing: listing::Settings {
            budget: Some(budget),
            read_tool: Some(settings.names.name(ToolKind::ReadSkill).to_owned()),
            ..listing::Settings::default()
        },
        ..ModeSettings::default()
    };
    let bodies = LocalBodies::new(&catalog.skills, settings.limits.clone());
    let composed = compose(&items, None, &mode_settings, &bodies, &shared.store.counter);
    for skill in &composed.report.omitted {
        tracing::debug!(skill, "left out of the catalog, whose budget is used up");
    }
    composed.text
}
