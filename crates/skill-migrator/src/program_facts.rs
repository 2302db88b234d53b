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
        add, be_object, describe_values, note_families, note_mode, note_said, other_modes,
    },
    code::{self, Analysis, ArgumentFacts, Facts, Shape},
    nested,
    undeclared::{self, mark_idle, need_one_when},
};

/// Names of the caller, which the old host wanted in every call.
pub(crate) const SIGNATURES: [&str; 2] = ["maid", "valet"];

/// Completes the schemas of all commands, and takes what only the old host read out of their examples.
pub(crate) fn apply(code: &Analysis<'_, '_>, commands: &mut [Command]) {
    let values: Vec<Vec<String>> = commands.iter().map(values).collect();
    let found = code::nested_facts(code, &values);
    let spelled = code::spelled(code);
    drop_all_signatures(commands, &spelled);
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
            if known.shape == Shape::Object && is_certain {
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
            note_families(properties, &mut also, facts);
        }
        let groups = facts.one_of.iter().filter(|_| facts.is_scoped);
        for group in groups.filter(|_| !has_modes) {
            need_one(properties, &mut also, &mut required, group);
        }
        for group in facts.one_of_some.iter().filter(|_| facts.is_scoped) {
            need_one_when(properties, &mut also, group);
        }
        note_said(properties, facts);
        if facts.is_scoped && !facts.is_passed_on && n_commands > 1 && !has_modes {
            mark_idle(properties, facts, &required, &|name| n_readers(name) > 0);
        }
        nested::apply(properties, facts, &mut required, n_commands == 1);
        if facts.is_scoped {
            let others = undeclared::Others {
                facts,
                found: &found,
                declared: also_read::declared(command).into_iter().collect(),
                named: names(command),
            };
            others.add(&mut also);
        }
        if !also.is_empty() {
            command.input_schema["x-also"] = Value::Object(also);
        }
        if had_required || !required.is_empty() {
            command.input_schema["required"] = Value::Array(required);
        }
    }
    nested::share(commands);
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

fn drop_all_signatures(commands: &mut [Command], spelled: &BTreeSet<String>) {
    for command in commands.iter_mut().filter(|_| !spelled.is_empty()) {
        if let Some(properties) = command.input_schema["properties"].as_object() {
            drop_signatures(&mut command.examples, properties, spelled);
        }
    }
}

/// Takes names of the caller out of examples that only the old host read.
fn drop_signatures(
    examples: &mut [Value],
    properties: &Map<String, Value>,
    spelled: &BTreeSet<String>,
) {
    for example in examples.iter_mut().filter_map(Value::as_object_mut) {
        example.retain(|key, _| {
            let is_signature = SIGNATURES.contains(&key.as_str());
            !is_signature || properties.contains_key(key) || spelled.contains(key)
        });
    }
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
        describe_values(property, facts);
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

/// Marks parameters of which the code wants one, also undeclared ones; a single one is required.
fn need_one(
    properties: &mut Map<String, Value>,
    also: &mut Map<String, Value>,
    required: &mut Vec<Value>,
    group: &[String],
) {
    let is_like = |name: &str, other: &str| code::spelling(name) == code::spelling(other);
    let is_of = |name: &String, property: &Value| {
        let aliases = property["x-aliases"].as_array().into_iter().flatten();
        group.contains(name)
            || aliases
                .filter_map(Value::as_str)
                .any(|alias| group.iter().any(|it| it == alias))
    };
    let all = properties
        .iter()
        .filter(|(name, property)| is_of(name, property));
    let names: Vec<String> = all.map(|(name, _)| name.clone()).collect();
    // The other names of the declared ones.
    let aliases = names.iter().flat_map(|name| {
        let aliases = properties[name]["x-aliases"].as_array().into_iter();
        aliases.flatten().filter_map(Value::as_str)
    });
    let known: Vec<&str> = aliases.chain(names.iter().map(String::as_str)).collect();
    let mut others: Vec<String> = Vec::new();
    for name in group.iter().filter(|it| also_read::is_parameter(it)) {
        let is_known = known.iter().any(|it| is_like(it, name));
        if !is_known && !others.iter().any(|it| is_like(it, name)) {
            others.push(name.clone());
        }
    }
    if names.is_empty() {
        return;
    }
    let is_open = names.iter().all(|name| {
        properties[name].get("default").is_none() && properties[name]["x-required-when"].is_null()
    });
    if !is_open {
        return;
    }
    let all: Vec<&String> = names.iter().chain(&others).collect();
    if let [name] = &all[..] {
        if !required.iter().any(|it| it == *name) {
            required.push(json!(name));
        }
        return;
    }
    required.retain(|it| !names.iter().any(|name| it == name));
    let beside = |name: &String| json!(all.iter().filter(|it| **it != name).collect::<Vec<_>>());
    for name in &names {
        properties[name]["x-one-of"] = beside(name);
    }
    for name in &others {
        add(also, name, json!({ "x-one-of": beside(name) }));
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
    fn one_of_several_is_needed() {
        let check = |group: &[&str], required: &[&str], one_of: &Value, also: &[&str]| {
            let mut properties = Map::new();
            properties.insert("leafId".to_owned(), json!({}));
            let (mut undeclared, mut found) = (Map::new(), vec![json!("leafId")]);
            let group: Vec<String> = group.iter().map(|it| (*it).to_owned()).collect();
            need_one(&mut properties, &mut undeclared, &mut found, &group);
            assert_eq!(json!(found), json!(required), "{group:?}");
            assert_eq!(properties["leafId"]["x-one-of"], *one_of, "{group:?}");
            assert_eq!(undeclared.keys().collect::<Vec<_>>(), also, "{group:?}");
        };
        check(&["leafId", "leaf_id"], &["leafId"], &Value::Null, &[]);
        let group = ["leafId", "leaf_id", "bag", "Bag"];
        check(&group, &[], &json!(["bag"]), &["bag"]);
        check(&["bag", "pot"], &["leafId"], &Value::Null, &[]);
    }

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
