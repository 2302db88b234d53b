//! The command of a call to a service or an MCP server, which nothing but its name selects. It is checked
//! before an approval: nobody is asked about a command that the call does not name.

use serde_json::Value;
use skill_model::Transport;

use crate::arguments;
use crate::call::Call;
use crate::envelope::{ErrorCode, Failure};
use crate::names;
use crate::package::SkillPackage;

/// The most commands that a failure names.
const SHOWN: usize = 400;

/// Refuses a call that selects none of several requests or tools, and one whose tools are not known.
pub(crate) fn check(call: &Call<'_>) -> Result<(), Failure> {
    check_selection(call.skill, call.command, call.input)
}

/// Checks that a call with this command and this input selects a request or a tool, for skills that have
/// such; for others, that the command exists.
///
/// # Errors
///
/// The skill has no such command, several of which none is selected, or tools that are not known yet.
pub fn check_selection(
    skill: &SkillPackage,
    command: Option<&str>,
    input: &Value,
) -> Result<(), Failure> {
    let metadata = &skill.metadata;
    let name = &metadata.name;
    check_tools(skill)?;
    let command = match command {
        Some(id) => Some(names::command(metadata, id)?),
        None => None,
    };
    let is_mcp = metadata.transport == Some(Transport::Mcp);
    let has_requests = metadata.commands.iter().any(|it| it.http.is_some());
    let is_selected = arguments::command(metadata, command, input).is_some();
    if metadata.commands.is_empty() || is_selected || !(is_mcp || has_requests) {
        return Ok(());
    }
    let (code, message) = if is_mcp {
        let message = format!("skill `{name}` has several tools; name one with --command");
        (ErrorCode::InvalidInput, message)
    } else {
        let message = format!("skill `{name}` has several requests; name one with --command");
        (ErrorCode::NotRunnable, message)
    };
    let ids = metadata.commands.iter().map(|it| it.id.as_str());
    let ids: Vec<&str> = ids.take(SHOWN).collect();
    Err(Failure::new(code, message).with("commands", ids))
}

/// Refuses a call of a skill whose tools are not known yet.
pub(crate) fn check_tools(skill: &SkillPackage) -> Result<(), Failure> {
    let metadata = &skill.metadata;
    let is_mcp = metadata.transport == Some(Transport::Mcp);
    let server = metadata.entry.as_ref().and_then(|it| it.mcp.as_ref());
    if !is_mcp || server.is_none_or(|server| !server.tools.is_empty()) {
        return Ok(());
    }
    let command = introspection(skill);
    let message = format!(
        "the tools of skill `{}` are not known yet: its MCP server names them; `{command}` asks it once",
        metadata.name
    );
    Err(Failure::new(ErrorCode::NotRunnable, message).with("command", command))
}

/// Returns the command that asks the server of a skill for its tools.
pub(crate) fn introspection(skill: &SkillPackage) -> String {
    format!("skills-migrate introspect {}", skill.dir.display())
}
