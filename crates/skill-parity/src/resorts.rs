//! Inputs for a plugin that does nothing with the others: fewer arguments, and words that are sure to be found.

use serde_json::{Map, Value};
use skill_executor::package::SkillPackage;
use skill_model::Command;

use crate::cases::{Case, dispatched};
use crate::samples;

/// The most cases that are tried.
const MAX_CASES: usize = 12;
/// The ends of the names of arguments with words that are looked for.
const SEARCHED: [&str; 13] = [
    "query",
    "keyword",
    "keywords",
    "search",
    "pattern",
    "term",
    "text",
    "word",
    "words",
    "tool",
    "toolname",
    "plugin",
    "pluginname",
];

/// Returns the cases of the commands of a skill.
pub(crate) fn cases(skill: &SkillPackage) -> Vec<Case> {
    let word = skill.legacy_name();
    let all = skill.metadata.commands.iter();
    let mut res: Vec<Case> = all.flat_map(|command| of_command(command, word)).collect();
    res.truncate(MAX_CASES);
    res
}

fn of_command(command: &Command, word: &str) -> Vec<Case> {
    let mut examples = command.examples.iter().filter_map(Value::as_object);
    let base = examples.next().cloned();
    let base = base.or_else(|| samples::arguments(&command.input_schema).pop());
    let base = base.unwrap_or_default();
    let fewer = required(&command.input_schema, &base);
    let with_word = searching(&fewer, word);
    let mut res = Vec::new();
    for (what, arguments) in [("fewer arguments", &fewer), ("its own name", &with_word)] {
        let input = dispatched(command, arguments);
        let is_new = *arguments != base && res.iter().all(|case: &Case| case.input != input);
        if is_new {
            res.push(Case::example(format!("{}, {what}", command.id), input));
        }
    }
    res
}

/// Returns the arguments that are required.
fn required(schema: &Value, arguments: &Map<String, Value>) -> Map<String, Value> {
    let names = schema["required"].as_array().into_iter().flatten();
    let names: Vec<&str> = names.filter_map(Value::as_str).collect();
    let own = arguments.iter();
    let own = own.filter(|(name, _)| names.contains(&name.as_str()));
    own.map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

/// Returns the arguments with `word` in those that are looked for.
fn searching(arguments: &Map<String, Value>, word: &str) -> Map<String, Value> {
    let is_searched = |name: &str| {
        let name = name.to_ascii_lowercase().replace('_', "");
        SEARCHED.iter().any(|end| name.ends_with(end))
    };
    let changed = arguments.iter().map(|(name, value)| {
        let value = if value.is_string() && is_searched(name) {
            word.into()
        } else {
            value.clone()
        };
        (name.clone(), value)
    });
    changed.collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_searched_is_there() {
        let schema = json!({"required": ["query", "path"]});
        let given = json!({"query": "x", "path": "y", "limit": "3"});
        let fewer = required(&schema, given.as_object().unwrap());
        assert_eq!(
            Value::Object(fewer.clone()),
            json!({"query": "x", "path": "y"})
        );
        let found = searching(&fewer, "Finder");
        assert_eq!(
            Value::Object(found),
            json!({"query": "Finder", "path": "y"})
        );
    }
}
