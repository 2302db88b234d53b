//! The prompts: the catalog, one skill, and the skills that were prompts of another host.

use std::collections::BTreeMap;

use rmcp::ErrorData;
use rmcp::model::{
    GetPromptRequestParams, GetPromptResult, Prompt, PromptArgument, PromptMessage, Role,
};
use serde_json::Value;
use skill_loader::catalog::CatalogSkill;
use skill_loader::load::{LoadError, Selection, prompt_of};
use skill_model::{Metadata, Prompt as Template};

use crate::instructions::catalog;
use crate::shared::Shared;
use crate::tools::Refusal;
use crate::wrapper::attribute;

/// The name of the prompt with the catalog.
const CATALOG: &str = "skills";
/// The name of the prompt with one skill.
const SKILL: &str = "skill";
/// The argument of that prompt with what a user typed.
const TYPED: &str = "arguments";
/// The end of the name of a prompt whose skill has one of the names above.
const OWN: &str = "-prompt";

/// Returns all prompts; there are none without skills.
pub(crate) fn list(shared: &Shared) -> Vec<Prompt> {
    let skills = &shared.store.catalog().skills;
    if skills.is_empty() {
        return Vec::new();
    }
    let name = PromptArgument::new("skill_name")
        .with_description("Name of the skill")
        .with_required(true);
    let typed = PromptArgument::new(TYPED)
        .with_description("What a user typed behind the name of a skill that takes arguments")
        .with_required(false);
    let mut res = vec![
        Prompt::new(
            CATALOG,
            Some("All skills, with as many descriptions as fit into 2,000 tokens"),
            None,
        ),
        Prompt::new(
            SKILL,
            Some("The instructions of one skill"),
            Some(vec![name, typed]),
        ),
    ];
    res.extend(skills.values().filter_map(|skill| listed(skill)));
    res
}

/// Returns the prompt that a skill is for a client. A skill of a host without placeholders is none, although
/// METADATA.yml names its original text: the agent chooses it, and the prompt `skill` takes its arguments.
fn offered(metadata: Option<&Metadata>) -> Option<&Template> {
    let legacy = metadata.and_then(|metadata| metadata.legacy.as_ref());
    let is_skill = legacy.is_some_and(|legacy| legacy.plugin_type == "skill");
    prompt_of(metadata).filter(|prompt| !(is_skill && prompt.arguments.is_empty()))
}

/// Returns the entry of a skill that is a prompt.
fn listed(skill: &CatalogSkill) -> Option<Prompt> {
    let prompt = offered(skill.metadata.as_deref())?;
    let arguments = prompt.arguments.iter().map(|argument| {
        let mut description = argument.description.clone();
        if !argument.choices.is_empty() {
            let gap = if description.is_empty() { "" } else { "; " };
            let choices = argument.choices.join(", ");
            description = format!("{description}{gap}one of {choices}");
        }
        let res = PromptArgument::new(&argument.name).with_required(argument.required);
        if description.is_empty() {
            res
        } else {
            res.with_description(description)
        }
    });
    let name = if is_own(&skill.name) {
        format!("{}{OWN}", skill.name)
    } else {
        skill.name.clone()
    };
    Some(Prompt::new(
        name,
        Some(skill.description.as_str()),
        Some(arguments.collect()),
    ))
}

/// Returns whether a name is that of a prompt of this server.
fn is_own(name: &str) -> bool {
    name == CATALOG || name == SKILL
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
        name => prompt(shared, name, request)?,
    };
    Ok(GetPromptResult::new(vec![PromptMessage::new_text(
        Role::User,
        text,
    )]))
}

fn skill(shared: &Shared, request: &GetPromptRequestParams) -> Result<String, ErrorData> {
    let arguments = request.arguments.as_ref();
    let name = arguments.and_then(|arguments| arguments.get("skill_name")?.as_str());
    let name = name.ok_or_else(|| invalid("`skill_name` is missing"))?;
    let typed = arguments.and_then(|arguments| arguments.get(TYPED)?.as_str());
    if let Some(typed) = typed.filter(|typed| !typed.trim().is_empty()) {
        let skill = shared.store.skill(name).map_err(refused)?;
        let prompt = shared.store.prompt(&skill).map_err(refused)?;
        let sent = prompt.sent(typed).map_err(refused)?.text;
        return Ok(format!("# Skill: {}\n\n{sent}", attribute(&skill.name)));
    }
    match shared.store.body(name, &Selection::default()) {
        Ok((skill, body)) => Ok(format!(
            "# Skill: {}\n\n{}",
            attribute(&skill.name),
            body.loaded.text
        )),
        Err(error) => Err(refused(error)),
    }
}

/// Returns what the host of a prompt would send for these arguments.
fn prompt(
    shared: &Shared,
    name: &str,
    request: &GetPromptRequestParams,
) -> Result<String, ErrorData> {
    let unknown = || invalid(format!("no prompt is called `{}`", name.escape_debug()));
    let skill = match name.strip_suffix(OWN).filter(|name| is_own(name)) {
        Some(own) => shared.store.skill(own),
        None => shared.store.skill(name),
    };
    let skill = skill.map_err(|_| unknown())?;
    if offered(skill.metadata.as_deref()).is_none() {
        return Err(unknown());
    }
    let prompt = shared.store.prompt(&skill).map_err(refused)?;
    let mut values = BTreeMap::new();
    for (key, value) in request.arguments.iter().flatten() {
        let is_known = prompt.arguments().iter().any(|known| known.name == *key);
        if !is_known && key != "arguments" {
            let names = prompt.arguments().iter().map(|known| known.name.as_str());
            let names: Vec<&str> = names.collect();
            return Err(invalid(format!(
                "`{}` is not an argument of `{name}`; it takes {}",
                key.escape_debug(),
                names.join(", ")
            )));
        }
        let text = value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned);
        values.insert(key.clone(), text);
    }
    let mut missing = prompt.arguments().iter();
    if let Some(missing) = missing.find(|known| known.required && !values.contains_key(&known.name))
        && !values.contains_key("arguments")
    {
        return Err(invalid(format!("`{}` is missing", missing.name)));
    }
    Ok(prompt.sent_for(&values).map_err(refused)?.text)
}

fn refused(error: LoadError) -> ErrorData {
    let refusal = Refusal::from(error);
    let near = refusal.nearest.join(", ");
    invalid(format!("{} {near}", refusal.message).trim_end().to_owned())
}

fn invalid(message: impl Into<String>) -> ErrorData {
    ErrorData::invalid_params(message.into(), None::<Value>)
}
