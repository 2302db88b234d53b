//! The tools as a client lists them.

use std::sync::Arc;

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Value, json};

use crate::names::{ToolKind, ToolNames};

/// Returns a tool. Its schema does not depend on the skills: their names would cost every agent more
/// than all descriptions of tools.
pub(crate) fn tool(kind: ToolKind, names: &ToolNames) -> Tool {
    let mut tool = Tool::new(
        names.name(kind).to_owned(),
        description(kind, names),
        Arc::new(object(input(kind))),
    );
    let only_reads = kind != ToolKind::RunSkill;
    tool.annotations = Some(
        ToolAnnotations::with_title(title(kind))
            .read_only(only_reads)
            .destructive(!only_reads)
            .idempotent(only_reads)
            .open_world(!only_reads),
    );
    tool
}

pub(crate) fn object(value: Value) -> JsonObject {
    match value {
        Value::Object(fields) => fields,
        _ => JsonObject::new(),
    }
}

fn title(kind: ToolKind) -> &'static str {
    match kind {
        ToolKind::ListSkills => "List skills",
        ToolKind::SearchSkills => "Search skills",
        ToolKind::DescribeSkill => "Describe a skill",
        ToolKind::ReadSkill => "Read a skill",
        ToolKind::ReadSkillResource => "Read a file of a skill",
        ToolKind::UnloadSkill => "Unload a skill",
        ToolKind::RunSkill => "Run a skill",
    }
}

fn description(kind: ToolKind, names: &ToolNames) -> String {
    let read = names.name(ToolKind::ReadSkill);
    let resource = names.name(ToolKind::ReadSkillResource);
    match kind {
        ToolKind::ListSkills => format!(
            "Lists all skills with their descriptions, and the ones that are active. Read one with {read} before you do what it describes."
        ),
        ToolKind::SearchSkills => format!(
            "Finds the skills that match a request, best first, each with a confidence. Read the right one with {read}."
        ),
        ToolKind::DescribeSkill => {
            "Describes one skill in more or less detail without loading it.".to_owned()
        }
        ToolKind::ReadSkill => format!(
            "Loads the instructions of a skill. Follow them. Files that they mention are read with {resource}."
        ),
        ToolKind::ReadSkillResource => {
            "Reads a file of a skill, or a section of it. Long files come in parts; pass next_cursor to continue.".to_owned()
        }
        ToolKind::UnloadSkill => {
            "Marks a skill as no longer needed. Reading it again returns its full text.".to_owned()
        }
        ToolKind::RunSkill => {
            "Runs a skill with arguments, if it may be run.".to_owned()
        }
    }
}

fn input(kind: ToolKind) -> Value {
    let name = json!({"type": "string", "description": "name of the skill"});
    let cursor = json!({"type": "string", "description": "next_cursor of an earlier answer"});
    let section = json!({"type": "string", "description": "heading of the part to read, such as `## Usage` or `Usage/Options`"});
    let (properties, required) = match kind {
        ToolKind::ListSkills => (json!({"cursor": cursor}), json!([])),
        ToolKind::SearchSkills => (
            json!({
                "query": {"type": "string", "description": "the task, in the user's words"},
                "limit": {"type": "integer", "minimum": 1, "maximum": 50},
            }),
            json!(["query"]),
        ),
        ToolKind::DescribeSkill => (
            json!({
                "skill_name": name,
                "confidence": {"type": "number", "minimum": 0, "maximum": 1, "description": "confidence that the skill matches"},
            }),
            json!(["skill_name"]),
        ),
        ToolKind::ReadSkill => (
            json!({
                "skill_name": name,
                "section": section,
                "cursor": cursor,
                "with_required": {"type": "boolean", "description": "also return the skills that it builds on"},
                "force": {"type": "boolean", "description": "return the text even if the skill is already active"},
            }),
            json!(["skill_name"]),
        ),
        ToolKind::ReadSkillResource => (
            json!({
                "skill_name": name,
                "path": {"type": "string", "description": "file of the skill, such as references/guide.md"},
                "section": section,
                "cursor": cursor,
            }),
            json!(["skill_name", "path"]),
        ),
        ToolKind::UnloadSkill => (json!({"skill_name": name}), json!(["skill_name"])),
        ToolKind::RunSkill => (
            json!({
                "skill_name": name,
                "command": {"type": "string", "description": "command of the skill, if it has several"},
                "arguments": {"type": "object", "description": "arguments of the skill"},
            }),
            json!(["skill_name"]),
        ),
    };
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}
