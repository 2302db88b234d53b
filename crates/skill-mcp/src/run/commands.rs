//! Tools for the commands of skills that may run.

use std::collections::BTreeMap;
use std::sync::Arc;

use rmcp::model::{Tool, ToolAnnotations};
use serde_json::{Value, json};
use skill_loader::Digest;
use skill_loader::catalog::Catalog;

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
            let title = format!("{}: {}", skill.name, command.id);
            tool.annotations = Some(
                ToolAnnotations::with_title(title)
                    .read_only(false)
                    .open_world(true),
            );
            res.entry(name).or_insert(CommandTool {
                skill: skill.name.clone(),
                command: command.id.clone(),
                tool,
            });
        }
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
    use super::name;

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
