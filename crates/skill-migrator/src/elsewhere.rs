//! The description of a parameter in another command of the same program.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use skill_model::Command;

use crate::render::has_common_words;

/// Maximum length of a description that says what a value is, in characters.
const MAX: usize = 16;
/// Names that mean something else in each command.
const GENERAL: [&str; 16] = [
    "name", "value", "content", "text", "data", "id", "type", "key", "params", "options", "mode",
    "format", "title", "command", "action", "total",
];

/// Writes the words of another command where a text says nothing of a parameter.
pub(crate) fn apply(commands: &mut [Command]) {
    let mut known: BTreeMap<String, String> = BTreeMap::new();
    for command in commands.iter() {
        for (name, property) in properties(command) {
            let text = property["description"].as_str().unwrap_or_default();
            let text = bare(text);
            if says_what(text) && !GENERAL.contains(&name.as_str()) {
                known
                    .entry(name.clone())
                    .or_insert_with(|| text.trim_end_matches(['。', '.']).to_owned());
            }
        }
    }
    for command in commands {
        let all = command.input_schema["properties"].as_object_mut();
        for (name, property) in all.into_iter().flatten() {
            let is_bare = property["description"].as_str().is_none_or(str::is_empty)
                && property["enum"].is_null()
                && property["x-as"].is_null()
                && !has_common_words(name);
            if let Some(text) = known.get(name).filter(|_| is_bare) {
                property["x-elsewhere"] = json!(text);
            }
        }
    }
}

fn properties(command: &Command) -> impl Iterator<Item = (&String, &Value)> {
    let all = command.input_schema["properties"].as_object();
    all.into_iter().flat_map(Map::iter)
}

/// Returns a text without a bracket at its end, which says when it is needed.
fn bare(text: &str) -> &str {
    let end = text.find([' ', '（', '(']);
    let is_bracket = |at: &usize| text[*at..].trim_start().starts_with(['（', '(']);
    end.filter(is_bracket)
        .map_or(text, |at| text[..at].trim_end())
}

/// Returns true for a few words on a value, without a condition of the command or an example.
fn says_what(text: &str) -> bool {
    const CONDITIONS: [&str; 22] = [
        "省略", "若", "如果", "仅", "例如", "如 ", "默认", "同", "时", "要", "用于", "自动",
        "指定", "限定", "读取", "最多", "至少", "if ", "when ", "default", " least", "to ",
    ];
    let lower = text.to_lowercase();
    !text.is_empty()
        && text.chars().count() <= MAX
        && !CONDITIONS.iter().any(|word| lower.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_another_command() {
        let command = |text: &str| Command {
            input_schema: json!({ "properties": { "leaf": { "description": text }, "name": { "description": text } } }),
            ..Command::new("brew")
        };
        let mut all = [command("茶叶名。"), command(""), command("省略则用绿茶")];
        apply(&mut all);
        let found =
            |at: usize, name: &str| all[at].input_schema["properties"][name]["x-elsewhere"].clone();
        assert_eq!(found(1, "leaf"), json!("茶叶名"));
        assert_eq!(found(1, "name"), Value::Null);
        assert_eq!(found(2, "leaf"), Value::Null);
    }
}
