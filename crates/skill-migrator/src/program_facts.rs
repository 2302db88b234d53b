//! Parameters as the program takes them: its code corrects what a text says or leaves open.
//!
//! Source: the text is by hand and ages; the code decides. Only what is certain counts: one literal that
//! replaces a missing value at every place, an error without it, a name that is nowhere in the code.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use skill_model::Command;

use crate::{code, code::CodeFacts, plugin::Plugin};

/// Names of the caller, which the old host wanted in every call.
pub(crate) const SIGNATURES: [&str; 2] = ["maid", "valet"];

/// Completes the schemas of all commands, and takes what only the old host read out of their examples.
pub(crate) fn apply(plugin: &Plugin<'_>, facts: &CodeFacts, commands: &mut [Command]) {
    let found = code::argument_facts(&facts.files, plugin.texts);
    if found.is_empty() {
        return;
    }
    let spelled = code::spelled(&facts.files, plugin.texts);
    let is_single = commands.len() == 1;
    let owners = owners(commands);
    for command in commands {
        let has_modes = has_modes(command);
        let required = command.input_schema["required"].as_array().cloned();
        let had_required = required.is_some();
        let mut required = required.unwrap_or_default();
        let Some(properties) = command.input_schema["properties"].as_object_mut() else {
            continue;
        };
        for example in command.examples.iter_mut().filter_map(Value::as_object_mut) {
            example.retain(|key, _| {
                let is_signature = SIGNATURES.contains(&key.as_str());
                !is_signature || properties.contains_key(key) || spelled.contains(key)
            });
        }
        let is_known = |name: &str| names_of(name).iter().any(|name| spelled.contains(name));
        let n_read = properties
            .keys()
            .filter(|name| found.contains_key(*name))
            .count();
        let is_understood = n_read * 2 >= properties.len();
        for (name, property) in properties.iter_mut() {
            let aliases = property["x-aliases"].as_array().into_iter().flatten();
            let has_alias = aliases.filter_map(Value::as_str).any(is_known);
            if is_understood && !has_alias && !is_known(name) {
                property["x-unread"] = json!(true);
            }
            let Some(facts) = found.get(name) else {
                continue;
            };
            let is_required = required.iter().any(|it| it == name);
            // Another command may treat the same name in another way.
            let is_certain = facts.is_normalised || owners.get(name) == Some(&1);
            match (&facts.settled, &facts.defaults[..]) {
                (Some(value), [_]) if is_certain && fits(property, value) => {
                    settle(property, value);
                    required.retain(|it| it != name);
                }
                (_, [value])
                    if is_certain
                        && fits(property, value)
                        && !is_required
                        && property.get("default").is_none() =>
                {
                    property["default"] = value.clone();
                }
                _ => {}
            }
            if let Some(kind) = facts.strict {
                property["x-strict"] = json!(kind);
            }
            let is_open =
                property["x-required-when"].is_null() && property.get("default").is_none();
            if facts.is_checked && is_single && !has_modes && is_open && !is_required {
                required.push(json!(name));
            }
        }
        if had_required || !required.is_empty() {
            command.input_schema["required"] = Value::Array(required);
        }
    }
}

/// Returns the number of commands that have each parameter.
fn owners(commands: &[Command]) -> BTreeMap<String, usize> {
    let mut res = BTreeMap::new();
    for command in commands {
        let properties = command.input_schema["properties"].as_object();
        for (name, _) in properties.into_iter().flatten() {
            *res.entry(name.clone()).or_default() += 1;
        }
    }
    res
}

/// Writes the value that the program takes in place of a missing one, also in place of another one that
/// the text names.
fn settle(property: &mut Value, value: &Value) {
    let Some(before) = property.get("default").map(text) else {
        property["default"] = value.clone();
        return;
    };
    if before.eq_ignore_ascii_case(&text(value)) {
        return;
    }
    let description = property["description"].as_str().unwrap_or_default();
    let words = [
        "默认值为",
        "默认值",
        "默认为",
        "默认",
        "defaults to",
        "default",
    ];
    let description = words.iter().fold(description.to_owned(), |text, word| {
        ["", " ", "：", ": ", " \"", "\""]
            .iter()
            .fold(text, |text, sign| {
                text.replace(
                    &format!("{word}{sign}{before}"),
                    &format!("{word} {}", self::text(value)),
                )
            })
    });
    property["description"] = json!(description);
    property["default"] = value.clone();
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        value => value.to_string(),
    }
}

/// Returns the spellings under which code may name an argument.
fn names_of(name: &str) -> BTreeSet<String> {
    let base = name.trim_end_matches(|c: char| c.is_ascii_digit());
    [name, base].map(code::spelling).into()
}

/// Returns true if one command of the manifest is several of the program.
fn has_modes(command: &Command) -> bool {
    const SELECTORS: [&str; 4] = ["command", "action", "operation", "cmd"];
    let properties = &command.input_schema["properties"];
    SELECTORS.iter().any(|name| !properties[name].is_null())
}

/// Returns true if a value is one that the schema of a parameter allows.
fn fits(property: &Value, value: &Value) -> bool {
    let choices = property["enum"].as_array();
    choices.is_none_or(|choices| {
        choices
            .iter()
            .any(|it| text(it).eq_ignore_ascii_case(&text(value)))
    })
}
