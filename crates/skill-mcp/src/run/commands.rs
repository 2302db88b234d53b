//! Tools for the commands of skills that may run.

use std::collections::BTreeMap;
use std::sync::Arc;

use rmcp::model::{Tool, ToolAnnotations};
use serde_json::{Value, json};
use skill_loader::Digest;
use skill_loader::catalog::Catalog;
use skill_model::Command;

use super::Runner;
use crate::schema::object;

/// The maximum length of a name; several hosts add a prefix and cut at 64.
const MAX_NAME: usize = 56;

/// A command that is offered as a tool.
#[derive(Clone, Debug)]
pub(crate) struct CommandTool {
    pub(crate) skill: String,
    pub(crate) command: String,
    pub(crate) tool: Tool,
}

/// Returns all command tools by name. A name that is taken gets digits of its digest.
pub(crate) fn all(
    runner: &Runner,
    catalog: &Catalog,
    taken: &[&str],
) -> BTreeMap<String, CommandTool> {
    let mut res = BTreeMap::new();
    for skill in catalog.skills.values().filter(|skill| runner.runs(skill)) {
        let commands = skill
            .metadata
            .iter()
            .flat_map(|metadata| &metadata.commands);
        for command in commands {
            let mut name = name(&skill.name, &command.id, false);
            if taken.contains(&&*name) || res.contains_key(&name) {
                name = self::name(&skill.name, &command.id, true);
            }
            let description = match command.description.as_str() {
                "" => &skill.description,
                own => own,
            };
            let mut schema = object(command.input_schema.clone());
            if schema.get("type") != Some(&Value::from("object")) {
                schema.insert("type".to_owned(), json!("object"));
            }
            let mut tool = Tool::new(name.clone(), description.to_owned(), Arc::new(schema));
            let own = command.annotations.as_ref();
            tool.title = own.and_then(|own| own.title.clone());
            // The protocol has no other type there, and a client may refuse the whole list for one.
            let schema = command.output_schema.clone();
            let schema = schema.filter(|schema| schema["type"] == "object");
            tool.output_schema = schema.map(|schema| Arc::new(object(schema)));
            tool.annotations = Some(annotations(&skill.name, command));
            res.entry(name).or_insert(CommandTool {
                skill: skill.name.clone(),
                command: command.id.clone(),
                tool,
            });
        }
    }
    res
}

/// Returns the hints about a command: those that the server behind it gave, or else what its request
/// says. A command that asks for an approval is never called harmless: hosts decide by these hints
/// whether they ask.
fn annotations(skill: &str, command: &Command) -> ToolAnnotations {
    let mut res = ToolAnnotations::with_title(format!("{skill}: {}", command.id));
    if let Some(own) = &command.annotations {
        res.read_only_hint = own.read_only;
        res.destructive_hint = own.destructive;
        res.idempotent_hint = own.idempotent;
        res.open_world_hint = own.open_world;
        if command.needs_approval() {
            res = res.read_only(false).destructive(true);
        }
        return res;
    }
    let method = command.http.as_ref().map(|http| http.method.as_str());
    let is_read_only = matches!(method, Some("GET" | "HEAD")) && !command.needs_approval();
    res = res.read_only(is_read_only).open_world(true);
    if is_read_only || command.needs_approval() {
        res = res.destructive(command.needs_approval());
    }
    if command.idempotent {
        res = res.idempotent(true);
    }
    res
}

/// Returns `skill__command` in the characters that all hosts accept.
fn name(skill: &str, command: &str, with_digits: bool) -> String {
    let plain = |text: &str| -> String {
        let is_fine = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        text.chars()
            .map(|c| if is_fine(c) { c } else { '_' })
            .collect()
    };
    let mut res = format!("{}__{}", plain(skill), plain(command));
    let is_same = res == format!("{skill}__{command}");
    if with_digits || !is_same || res.len() > MAX_NAME {
        let digest = Digest::from_content(format!("{skill}\0{command}").as_bytes()).hex();
        res.truncate(MAX_NAME - 9);
        res = format!("{res}_{}", &digest[..8]);
    }
    res
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares the hints of a command, which METADATA.yml describes: read-only, destructive, idempotent,
    /// and whether it reaches beyond the server.
    #[track_caller]
    fn check(command: &str, expected: [Option<bool>; 4]) {
        let text = format!(
            "schema: 1\nname: pets\nversion: '1'\ntype: service\ncommands: [{{id: x, {command}}}]\n"
        );
        let metadata = skill_model::read_metadata(&text).0.unwrap();
        let found = annotations("pets", &metadata.commands[0]);
        assert_eq!(found.title.as_deref(), Some("pets: x"));
        let hints = [
            found.read_only_hint,
            found.destructive_hint,
            found.idempotent_hint,
            found.open_world_hint,
        ];
        assert_eq!(hints, expected, "{command:?}");
    }

    #[test]
    fn hints_are_those_of_the_server_or_of_the_request() {
        let [yes, no] = [Some(true), Some(false)];
        check("description: X.", [no, None, None, yes]);
        check("annotations: {destructive: false}", [None, no, None, None]);
        let careful = "annotations: {read_only: true}, approval: required";
        check(careful, [no, yes, None, None]);
        let get = "http: {method: GET, path: /}";
        check(&format!("{get}, idempotent: true"), [yes, no, yes, yes]);
        check(&format!("{get}, approval: required"), [no, yes, None, yes]);
        let delete = "http: {method: DELETE, path: /}, approval: required";
        check(&format!("{delete}, idempotent: true"), [no, yes, yes, yes]);
        check("http: {method: POST, path: /}", [no, None, None, yes]);
    }

    #[test]
    fn names_fit_everywhere_and_differ() {
        assert_eq!(name("weather", "get-now", false), "weather__get-now");
        let [a, b] = ["查询", "删除"].map(|command| name("weather", command, false));
        assert_ne!(a, b);
        for name in [&a, &b, &name(&"x".repeat(64), "y", false)] {
            assert!(name.len() <= 56 && name.is_ascii(), "{name}");
        }
    }
}
