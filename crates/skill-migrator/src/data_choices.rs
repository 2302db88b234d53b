//! Choices of parameters that files and tables of the program decide.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use skill_model::Command;

use crate::code::{self, Analysis, DataValues};
use crate::plugin::Plugin;

/// The maximum number of choices that are named.
const MAX: usize = 12;
/// The labels of choices in old texts.
const LABELS: [&str; 3] = ["可选值", "可选：", "可选:"];

/// Gives parameters the values that the data of the program has, and takes others out of examples.
pub(crate) fn apply(plugin: &Plugin<'_>, code: &Analysis<'_, '_>, commands: &mut [Command]) {
    for choice in code::data_choices(code) {
        let Some((values, place)) = found(plugin, &choice.values) else {
            continue;
        };
        let has =
            |command: &Command| command.input_schema["properties"][&choice.argument].is_object();
        // Another command may have another meaning of the name.
        let mut owners = commands.iter_mut().filter(|command| has(command));
        let (Some(command), None) = (owners.next(), owners.next()) else {
            continue;
        };
        set(command, &choice.argument, &values, place.as_deref());
    }
}

/// Returns the values in the data of a program, with their place in the skill.
fn found(plugin: &Plugin<'_>, values: &DataValues) -> Option<(BTreeSet<String>, Option<String>)> {
    match values {
        DataValues::Files {
            directories,
            ending,
        } => {
            let dot = format!(".{ending}");
            let mut all = directories.iter().filter_map(|directory| {
                let start = format!("{directory}/");
                let names = plugin.files.iter().filter_map(|file| {
                    let name = file.path.strip_prefix(&start)?;
                    Some(name.strip_suffix(&dot)?.to_owned())
                });
                let names: BTreeSet<String> = names.collect();
                (!names.is_empty()).then(|| (names, Some(format!("scripts/{start}"))))
            });
            let first = all.next()?;
            all.next().is_none().then_some(first)
        }
        DataValues::KeysOf(text) => {
            let text = text.trim_start_matches("./");
            let mut paths = plugin
                .texts
                .keys()
                .filter(|path| text == path.as_str() || text.ends_with(&format!("/{path}")));
            let path = paths.next()?;
            let content: Value = serde_json::from_str(plugin.texts.get(path)?).ok()?;
            let keys = content.as_object()?.keys().cloned().collect();
            Some((keys, Some(format!("scripts/{path}"))))
        }
        DataValues::Keys(keys) => Some((keys.iter().cloned().collect(), None)),
    }
}

/// Writes the values of a parameter.
fn set(command: &mut Command, name: &str, values: &BTreeSet<String>, place: Option<&str>) {
    let required = command.input_schema["required"].as_array();
    let is_required = required.is_some_and(|all| all.iter().any(|it| it == name));
    let property = &mut command.input_schema["properties"][name];
    let is_known = |it: &Value| it.as_str().is_some_and(|text| values.contains(text));
    let told = property["enum"].as_array();
    if told.is_some_and(|all| all.iter().all(is_known)) && place.is_none() {
        return;
    }
    if let Some(map) = property.as_object_mut() {
        map.remove("enum");
    }
    let text = property["description"].as_str().unwrap_or_default();
    property["description"] = json!(without_list(text, values));
    property["x-values"] = json!({
        "values": values.iter().take(MAX).collect::<Vec<_>>(),
        "n": values.len(),
        "place": place,
    });
    for example in command.examples.iter_mut().filter_map(Value::as_object_mut) {
        if example.get(name).is_none_or(is_known) {
            continue;
        }
        match values.first().filter(|_| is_required) {
            Some(first) => {
                example.insert(name.to_owned(), json!(first));
            }
            None => {
                example.remove(name);
            }
        }
    }
}

/// Returns a text without its last clause if that lists values of which some are in no data.
fn without_list(text: &str, values: &BTreeSet<String>) -> String {
    let Some(at) = LABELS.iter().filter_map(|it| text.rfind(it)).max() else {
        return text.to_owned();
    };
    let is_sign = |c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '/'));
    let mut words = text[at..]
        .split(is_sign)
        .filter(|it| it.is_ascii() && it.len() > 2);
    let has_value = words.any(|it| values.contains(it));
    if has_value {
        let kept = text[..at].trim_end();
        kept.trim_end_matches(['(', '（', '，', ',']).to_owned()
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_data() {
        let schema = json!({
            "properties": { "pot": { "description": "茶壶名称。可选值：iron, gold 等", "enum": ["iron", "gold"] } },
            "required": ["pot"],
        });
        let mut command = Command {
            input_schema: schema,
            examples: vec![json!({ "pot": "gold" })],
            ..Command::new("brew")
        };
        let values = ["clay".to_owned(), "iron".to_owned()].into();
        set(&mut command, "pot", &values, Some("scripts/pots/"));
        assert_eq!(
            command.input_schema["properties"]["pot"],
            json!({
                "description": "茶壶名称。",
                "x-values": { "values": ["clay", "iron"], "n": 2, "place": "scripts/pots/" },
            })
        );
        assert_eq!(command.examples, [json!({ "pot": "clay" })]);
    }
}
