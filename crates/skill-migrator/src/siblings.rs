//! Parameters that only one of several commands describes.

use std::collections::BTreeMap;

use serde_json::Value;
use skill_model::Command;

use crate::window_commands;

/// Names that are something else in each command.
const GENERIC: [&str; 14] = [
    "name", "value", "text", "type", "data", "key", "id", "input", "content", "path", "file",
    "mode", "query", "options",
];

/// Describes parameters without a description as another command does: one that has a parameter of the same
/// name. If the others describe it in different words, it may be something else.
pub(crate) fn share_descriptions(commands: &mut [Command]) {
    let mut told: BTreeMap<String, Option<String>> = BTreeMap::new();
    let for_windows = window_commands::for_windows(commands);
    let plain = commands.iter().filter(|it| !for_windows.contains(&it.id));
    let plain = plain.flat_map(properties);
    for (name, property) in plain.filter(|(name, _)| !GENERIC.contains(&name.as_str())) {
        let Some(text) = property["description"].as_str().filter(|it| is_whole(it)) else {
            continue;
        };
        let known = told
            .entry(name.clone())
            .or_insert_with(|| Some(text.to_owned()));
        if known.as_deref() != Some(text) {
            *known = None;
        }
    }
    for command in commands {
        let all = command.input_schema["properties"].as_object_mut();
        for (name, property) in all.into_iter().flatten() {
            let text = told.get(name).cloned().flatten();
            let is_silent = property["description"].as_str().is_none_or(str::is_empty);
            if let (Some(text), Some(property)) = (text, property.as_object_mut())
                && is_silent
            {
                property.insert("description".to_owned(), Value::from(text));
            }
        }
    }
}

/// Returns true for a description that refers to nothing around it.
fn is_whole(text: &str) -> bool {
    const AROUND: [&str; 6] = ["同上", "上述", "上面", "同前", "see above", "as above"];
    !text.is_empty() && !AROUND.iter().any(|word| text.contains(word))
}

fn properties(command: &Command) -> impl Iterator<Item = (&String, &Value)> {
    command.input_schema["properties"]
        .as_object()
        .into_iter()
        .flatten()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn silent_parameters_are_described_as_elsewhere() {
        let check = |texts: &[Value], expected: &[Value]| {
            let named = texts.iter().enumerate().map(|(at, property)| Command {
                input_schema: json!({ "properties": { "pot": property } }),
                ..Command::new(&format!("c{at}"))
            });
            let mut commands: Vec<Command> = named.collect();
            share_descriptions(&mut commands);
            let found = commands
                .iter()
                .map(|it| &it.input_schema["properties"]["pot"]);
            assert!(found.eq(expected), "{commands:?}");
        };
        let (round, square) = (
            json!({ "description": "圆壶" }),
            json!({ "description": "方壶" }),
        );
        let silent = json!({ "x-aliases": ["p"] });
        let told = json!({ "x-aliases": ["p"], "description": "圆壶" });
        check(&[round.clone(), silent.clone()], &[round.clone(), told]);
        let above = json!({ "description": "同上" });
        check(&[above.clone(), silent.clone()], &[above, silent.clone()]);
        let differ = [round, square, silent];
        check(&differ, &differ);
    }
}
