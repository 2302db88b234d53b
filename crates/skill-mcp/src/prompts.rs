//! The prompts: the catalog, and one skill.

use rmcp::ErrorData;
use rmcp::model::{
    GetPromptRequestParams, GetPromptResult, Prompt, PromptArgument, PromptMessage, Role,
};
use skill_loader::load::Selection;

use crate::instructions::catalog;
use crate::shared::Shared;
use crate::tools::Refusal;
use crate::wrapper::attribute;

/// The name of the prompt with the catalog.
const CATALOG: &str = "skills";
/// The name of the prompt with one skill.
const SKILL: &str = "skill";
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
        CATALOG => catalog(
            &shared.settings,
            &shared.store.catalog(),
            &shared.store.counter,
        ),
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
