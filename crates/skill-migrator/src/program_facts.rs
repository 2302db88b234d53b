//! Parameters as the program takes them: its code corrects what a text says or leaves open.
//!
//! Source: the text is by hand and ages; the code decides. Only what is certain counts: one literal that
//! replaces a missing value at every place, an error without it, a name that is nowhere in the code.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};
use skill_model::Command;

use crate::{
    also_read,
    argument_notes::{
        be_object, describe_switch, describe_values, note_configured, note_families,
        note_list_texts, note_mode, note_random, note_said, note_unless, other_modes,
    },
    code::{self, Analysis, ArgumentFacts, Facts, Shape},
    nested, one_of, signatures,
    undeclared::{self, mark_idle},
};

/// Completes the schemas of all commands, and takes what only the old host read out of their examples.
pub(crate) fn apply(code: &Analysis<'_, '_>, commands: &mut [Command]) {
    let values: Vec<Vec<String>> = commands.iter().map(values).collect();
    let found = code::nested_facts(code, &values);
    let spelled = code::spelled(code);
    signatures::drop_unread(commands, &spelled);
    let read = code.arguments();
    if read.is_empty() {
        return;
    }
    let is_clear = is_clear(commands, &read);
    let owners = owners(commands);
    let n_commands = commands.len();
    let n_readers = |name: &String| {
        found
            .iter()
            .filter(|it| it.arguments.contains_key(name))
            .count()
    };
    for (command, facts) in commands.iter_mut().zip(&found) {
        let has_modes = has_modes(command);
        let declared: BTreeSet<String> = also_read::declared(command).into_iter().collect();
        let required = command.input_schema["required"].as_array().cloned();
        let had_required = required.is_some();
        let mut required = required.unwrap_or_default();
        let is_alone = command.dispatch.is_none() && n_commands == 1;
        let Some(properties) = command.input_schema["properties"].as_object_mut() else {
            continue;
        };
        if is_clear {
            mark_unread(properties, &spelled);
        }
        let mut also = Map::new();
        let is_open = |property: &Value| {
            property["x-required-when"].is_null()
                && property["x-mode"].is_null()
                && property.get("default").is_none()
        };
        for (name, property) in properties.iter_mut() {
            if is_nested(property) && says_json_text(property) {
                property["x-json-text"] = json!(true);
            }
            let Some(known) = facts.arguments.get(name) else {
                continue;
            };
            // Another command may treat the same name in another way.
            let is_certain = facts.is_scoped || known.is_normalised || owners.get(name) == Some(&1);
            let is_required = required.iter().any(|it| it == name);
            note_echo(property, known.is_echoed && facts.is_scoped && !is_required);
            let is_object = known.shape == Shape::Object
                || known.shape == Shape::JsonOrText && has_object(&command.examples, name);
            if is_object && is_certain {
                be_object(property, facts.members.get(name));
            }
            let mode = known.mode.as_ref();
            if let Some(mode) = mode.filter(|_| facts.is_scoped && !has_modes)
                && note_mode(property, mode, is_required, facts)
            {
                required.retain(|it| it != name);
                other_modes(&mut also, mode, name, &declared);
            }
            let is_required = required.iter().any(|it| it == name);
            if complete(property, known, is_certain, is_required) {
                required.retain(|it| it != name);
            } else if known.is_checked
                && facts.is_scoped
                && !has_modes
                && is_open(property)
                && !is_required
            {
                required.push(json!(name));
            }
        }
        add_aliases(properties, facts, &declared);
        if facts.is_scoped {
            note_families(properties, &mut also, facts, is_alone);
        }
        if facts.is_scoped {
            let examples = &command.examples;
            one_of::apply(
                properties,
                &mut also,
                &mut required,
                (facts, examples),
                !has_modes,
            );
        }
        if facts.is_scoped && !has_modes {
            note_unless(properties, &mut also, &required, facts, &declared);
        }
        note_said(properties, facts);
        if facts.is_scoped && !facts.is_passed_on && n_commands > 1 && !has_modes {
            mark_idle(properties, facts, &required, &|name| n_readers(name) > 0);
        }
        nested::apply(properties, facts, &mut required, n_commands == 1);
        add_others(command, facts, &found, also);
        if had_required || !required.is_empty() {
            command.input_schema["required"] = Value::Array(required);
        }
    }
    note_list_texts(&code::list_texts(code, &values), commands);
    nested::share(commands);
    signatures::drop_optional(commands);
}

/// Adds the arguments of a command that no text declares.
fn add_others(command: &mut Command, facts: &Facts, found: &[Facts], mut also: Map<String, Value>) {
    if facts.is_scoped {
        let others = undeclared::Others {
            facts,
            found,
            declared: also_read::declared(command).into_iter().collect(),
            named: names(command),
        };
        others.add(&mut also);
    }
    note_random(&mut command.input_schema["properties"], &also);
    if !also.is_empty() {
        command.input_schema["x-also"] = Value::Object(also);
    }
}

/// Returns the names of the parameters of a command.
fn names(command: &Command) -> BTreeSet<String> {
    let properties = command.input_schema["properties"].as_object();
    properties
        .into_iter()
        .flat_map(Map::keys)
        .cloned()
        .collect()
}

/// Marks a parameter that the program only gives back.
fn note_echo(property: &mut Value, is_echoed: bool) {
    if is_echoed {
        property["x-echoed"] = json!(true);
    }
}

/// Returns true if an example has the JSON of an object as the value of a parameter.
fn has_object(examples: &[Value], name: &str) -> bool {
    let texts = examples.iter().filter_map(|it| it[name].as_str());
    let mut values = texts.map(serde_json::from_str::<Value>);
    values.any(|it| it.is_ok_and(|it| it.is_object()))
}

/// Returns the values that select a command.
pub(crate) fn values(command: &Command) -> Vec<String> {
    let dispatch = command.dispatch.iter().map(|it| it.value.clone());
    dispatch.chain([command.id.clone()]).collect()
}

/// Returns true if it is clear where the code reads at least half of all parameters.
fn is_clear(commands: &[Command], read: &BTreeSet<String>) -> bool {
    let all = commands
        .iter()
        .filter_map(|command| command.input_schema["properties"].as_object());
    let all: BTreeSet<&String> = all.flat_map(Map::keys).collect();
    let n_read = all.iter().filter(|name| read.contains(**name)).count();
    n_read * 2 >= all.len()
}

/// Marks parameters whose names are nowhere in the code.
fn mark_unread(properties: &mut Map<String, Value>, spelled: &BTreeSet<String>) {
    let is_known = |name: &str| names_of(name).iter().any(|name| spelled.contains(name));
    for (name, property) in properties.iter_mut() {
        let aliases = property["x-aliases"].as_array().into_iter().flatten();
        let has_alias = aliases.filter_map(Value::as_str).any(is_known);
        if !has_alias && !is_known(name) {
            property["x-unread"] = json!(true);
        }
    }
}

/// Writes what the code says of a parameter; returns true if it replaces a missing one.
fn complete(
    property: &mut Value,
    facts: &ArgumentFacts,
    is_certain: bool,
    is_required: bool,
) -> bool {
    let mut is_replaced = false;
    match (&facts.settled, &facts.defaults[..]) {
        // A value that another function would take does not matter behind an error.
        (Some(_), [_]) if is_certain && is_required && facts.is_checked => {}
        (Some(value), [_]) if is_certain && fits(property, value) => {
            settle(property, value);
            is_replaced = true;
        }
        // An empty value in place of a missing one, before an error, is none.
        (_, [value]) if facts.is_checked && is_empty(value) => {}
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
    if facts.is_made && !facts.is_checked && is_certain && is_required && !is_replaced {
        property["x-made"] = json!(true);
    }
    if let Some(strict) = facts.strict {
        property["x-strict"] = json!(strict);
    }
    if is_certain && facts.strict.is_none() {
        describe_switch(property, facts);
    }
    let is_of = |kind: &str| property["type"] == kind || property["type"][0] == kind;
    if is_certain && facts.strict.is_none() && property["x-strict"].is_null() {
        let is_text = facts.takes_text()
            && ["boolean", "number", "integer", "array"]
                .iter()
                .any(|it| is_of(it));
        let is_boolean = facts.takes_boolean() && is_of("boolean");
        if is_text || is_boolean {
            property["x-strict"] = json!(if is_text { "text" } else { "boolean" });
        }
    }
    if facts.shape == Shape::JsonText && is_certain && is_nested(property) {
        property["x-json-text"] = json!(true);
    }
    if is_certain {
        let had_default = property.get("default").is_some();
        describe_values(property, facts);
        note_configured(property, facts, is_required);
        // A call cannot do without it.
        if is_required
            && !had_default
            && let Some(map) = property.as_object_mut()
        {
            map.remove("default");
        }
    }
    is_replaced
}

/// Returns true for a list or an object.
fn is_nested(property: &Value) -> bool {
    ["array", "object"]
        .iter()
        .any(|kind| property["type"] == *kind || property["type"][0] == *kind)
}

/// Returns true for a list or an object that its description calls text: `包含茶名的JSON数组字符串`.
fn says_json_text(property: &Value) -> bool {
    let text = property["description"].as_str().unwrap_or_default();
    let mut parts = text.match_indices("JSON").map(|(at, _)| &text[at..]);
    parts.any(|part| {
        let near: String = part.chars().take(14).collect();
        ["字符串", "string", "文本"]
            .iter()
            .any(|word| near.contains(word))
    })
}

/// Adds the undeclared names of groups that are read for one parameter.
fn add_aliases(properties: &mut Map<String, Value>, facts: &Facts, declared: &BTreeSet<String>) {
    for group in &facts.aliases {
        let Some(first) = group.iter().find(|name| properties.contains_key(*name)) else {
            continue;
        };
        if !also_read::is_parameter(first) {
            continue;
        }
        for other in group
            .iter()
            .filter(|name| also_read::is_undeclared(name, declared))
        {
            let property = &mut properties[first];
            let mut aliases = property["x-aliases"]
                .as_array()
                .cloned()
                .unwrap_or_default();
            let is_same = |it: &Value| {
                it.as_str()
                    .is_some_and(|it| code::spelling(it) == code::spelling(other))
            };
            if !aliases.iter().any(is_same) {
                if aliases.is_empty() {
                    property["x-aliases-read"] = Value::from(true);
                }
                aliases.push(json!(other));
                property["x-aliases"] = Value::Array(aliases);
            }
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
pub(crate) fn settle(property: &mut Value, value: &Value) {
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

/// Returns true for 0, false and an empty text.
fn is_empty(value: &Value) -> bool {
    value == &json!(false) || value == "" || value.as_f64() == Some(0.0)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_that_are_text() {
        let check = |text: &str, expected: bool| {
            assert_eq!(
                says_json_text(&json!({ "description": text })),
                expected,
                "{text}"
            );
        };
        check("一个包含茶名的JSON数组字符串。例如 [\"绿茶\"]", true);
        check("格式为 JSON 字符串", true);
        check("A JSON string of names", true);
        check("JSON 数组，每项是茶名。名字是字符串", false);
        check("茶名的列表", false);
    }
}
