//! Facts of code on arguments beside their values: the others with which they count, errors that name
//! them, objects that are taken apart.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};
use skill_model::Command;

use crate::also_read;
use crate::code::{ArgumentFacts, ArgumentMode, Facts, ListText, spelling as code_spelling};

/// Writes the argument with or without which a parameter counts; returns false if its text says when it does.
pub(crate) fn note_mode(
    property: &mut Value,
    mode: &ArgumentMode,
    is_required: bool,
    facts: &Facts,
) -> bool {
    let is_told = !property["x-required-when"].is_null();
    if is_told || !also_read::is_parameter(&mode.with) {
        return false;
    }
    let with = facts.arguments.get(&mode.with);
    let is_flag = with.is_some_and(|it| it.flag.is_some());
    property["x-mode"] =
        json!({ "with": mode.with, "is_given": mode.is_given, "is_flag": is_flag });
    if is_required {
        property["x-mode"]["is_required"] = json!(true);
    }
    true
}

/// Writes in the undeclared argument of a mode that another one counts with it, or without it.
pub(crate) fn other_modes(
    also: &mut Map<String, Value>,
    mode: &ArgumentMode,
    name: &str,
    declared: &BTreeSet<String>,
) {
    if !also_read::is_undeclared(&mode.with, declared) {
        return;
    }
    let key = if mode.is_given { "x-with" } else { "x-without" };
    let property = also.entry(mode.with.clone()).or_insert_with(|| json!({}));
    match &mut property[key] {
        Value::Array(list) => list.push(json!(name)),
        list => *list = json!([name]),
    }
}

/// Adds what is known of an undeclared argument.
pub(crate) fn add(also: &mut Map<String, Value>, name: &str, more: Value) {
    let property = also.entry(name.to_owned()).or_insert_with(|| json!({}));
    if let (Some(property), Value::Object(more)) = (property.as_object_mut(), more) {
        property.extend(more);
    }
}

/// Writes the type, the range and the choices that the code checks.
pub(crate) fn describe_values(property: &mut Value, facts: &ArgumentFacts) {
    if let Some((_, true)) = facts.flag
        && !facts.is_text
        && property["x-strict"].is_null()
        && (property["type"].is_null()
            || property["type"] == "boolean"
            || property["type"][0] == "boolean")
    {
        property["x-strict"] = json!("boolean");
    }
    if let Some((value, _)) = facts.flag
        && property["type"].is_null()
        && property["enum"].is_null()
    {
        property["type"] = json!("boolean");
        if property.get("default").is_none() {
            property["default"] = json!(value);
        }
    }
    if let Some(kind) = facts.number
        && facts.is_number(property.get("default"))
        && property["type"].is_null()
        && property["enum"].is_null()
    {
        property["type"] = json!([kind, "string"]);
    }
    let (least, most) = &facts.bounds;
    for (keyword, bound) in [("minimum", least), ("maximum", most)] {
        if let Some(bound) = bound
            && property[keyword].is_null()
        {
            property[keyword] = bound.clone();
        }
    }
    describe_length(property, facts);
    if !facts.choices.is_empty() && property["enum"].is_null() {
        property["enum"] = json!(facts.choices);
    }
}

/// Writes that a list may be text, unless a description says so.
pub(crate) fn note_list_texts(found: &[ListText], commands: &mut [Command]) {
    for (number, command) in commands.iter_mut().enumerate() {
        for it in found {
            let commands = it.commands.as_ref();
            let property = command.input_schema["properties"].get_mut(&it.argument);
            let Some(property) = property else {
                continue;
            };
            let text = property["description"].as_str().unwrap_or_default();
            let is_told = ["分隔", "分割", "逗号", "separated", "comma"]
                .iter()
                .any(|word| text.contains(word));
            let is_list = property["type"].is_null()
                || property["type"] == "array"
                || property["type"][0] == "array";
            let is_of = commands.is_none_or(|all| all.contains(&number));
            if property.is_object() && is_list && is_of && !is_told {
                property["x-list-text"] = json!(it.sign);
            }
        }
    }
}

/// Writes the least and greatest number of items of a list.
fn describe_length(property: &mut Value, facts: &ArgumentFacts) {
    let kind = &property["type"];
    let is_list = kind == "array" || kind[0] == "array";
    for (key, bound) in [("minItems", facts.lengths.0), ("maxItems", facts.lengths.1)] {
        if let Some(bound) = bound.filter(|_| is_list && property[key].is_null()) {
            property[key] = json!(bound);
        }
    }
}

/// Writes the value that a parameter has where the settings have none.
pub(crate) fn note_configured(property: &mut Value, facts: &ArgumentFacts, is_required: bool) {
    let is_open = property.get("default").is_none() && !is_required;
    if let Some(value) = facts.configured.as_ref().filter(|_| is_open) {
        property["x-configured"] = value.clone();
    }
}

/// Words of a switch, in lower case and without spaces and quotes.
const SAY_TRUE: [&str; 9] = [
    "设为true",
    "设置为true",
    "设true",
    "传true",
    "传入true",
    "settotrue",
    "iftrue",
    "true时",
    "true表示",
];

/// Gives a switch of which the text says `true`, and which the program only tests, its type.
pub(crate) fn describe_switch(property: &mut Value, facts: &ArgumentFacts) {
    let text = property["description"].as_str().unwrap_or_default();
    let lower = text.to_ascii_lowercase().replace([' ', '`', '"', '\''], "");
    // `deep=true` is a condition on another one.
    let lower = lower.replace("=true", "");
    let says_true = SAY_TRUE.iter().any(|words| lower.contains(words)) || text.starts_with("是否");
    let is_open = property["type"].is_null() && property["enum"].is_null();
    if says_true && is_open && facts.flag.is_none() && facts.takes_boolean() {
        property["type"] = json!("boolean");
        property["x-strict"] = json!("boolean");
    }
}

/// Writes the other arguments with which a needed one is not needed, and gives them a row of their own.
pub(crate) fn note_unless(
    properties: &mut Map<String, Value>,
    also: &mut Map<String, Value>,
    required: &[Value],
    facts: &Facts,
    declared: &BTreeSet<String>,
) {
    for (name, known) in &facts.arguments {
        let is_required = required.iter().any(|it| it == name);
        let Some(property) = properties.get_mut(name).filter(|_| is_required) else {
            continue;
        };
        let others = known.unless.iter();
        let others = others.filter(|it| also_read::is_parameter(it));
        let others: Vec<&String> = others.collect();
        if others.is_empty() {
            continue;
        }
        property["x-unless"] = json!(others);
        for other in others {
            if !also_read::is_undeclared(other, declared) {
                continue;
            }
            let property = also.entry(other.clone()).or_insert_with(|| json!({}));
            match &mut property["x-instead"] {
                Value::Array(list) => list.push(json!(name)),
                list => *list = json!([name]),
            }
        }
    }
}

/// Words before the name of a value that a switch draws.
const DRAWS: [&str; 4] = ["random", "randomize", "userandom", "randomise"];

/// Writes that a value counts only while another one does not draw it: `seed` without `random_seed`.
pub(crate) fn note_random(properties: &mut Value, also: &Map<String, Value>) {
    let Some(properties) = properties.as_object_mut() else {
        return;
    };

    let is_flag = |it: &Value| it["type"] == "boolean" || it["type"][0] == "boolean";
    let all = properties.iter().chain(also);
    let flags = all.filter(|(_, property)| is_flag(property));
    let flags: Vec<String> = flags.map(|(name, _)| name.clone()).collect();
    for (name, property) in properties.iter_mut() {
        let drawn = |other: &&String| {
            let other = code_spelling(other);
            let base = code_spelling(name);
            DRAWS
                .iter()
                .any(|word| other.strip_prefix(word) == Some(&*base))
        };
        if let Some(other) = flags.iter().find(drawn)
            && property["x-mode"].is_null()
        {
            property["x-mode"] = json!({ "with": other, "is_given": false, "is_flag": true });
        }
    }
}

/// Returns true for an error that something is missing, which does not describe it.
pub(crate) fn lacks(text: &str) -> bool {
    ["缺少", "未提供", "未指定", "Missing", "missing", "参数错误"]
        .iter()
        .any(|word| text.starts_with(word))
        || text.ends_with("required")
        || text.ends_with("不能为空")
}

/// Writes the families of arguments with numbers. Where an argument selects the command, all others have its
/// number, which is said once; `is_alone` is true where none does.
pub(crate) fn note_families(
    properties: &mut Map<String, Value>,
    also: &mut Map<String, Value>,
    facts: &Facts,
    is_alone: bool,
) {
    for family in &facts.families {
        let first = format!("{}{}", family.base, family.first);
        let stem = family.base.trim_end_matches('_');
        if let Some(property) = properties.get_mut(&first) {
            if let Some(last) = family.last {
                property["x-last"] = json!(last);
                property["x-numbered"] = json!(true);
            }
        } else if properties.contains_key(stem) && (is_alone || family.base.ends_with('_')) {
            let mut property = json!({ "x-numbered": true, "x-as": stem });
            if let Some(last) = family.last {
                property["x-last"] = json!(last);
            }
            add(also, &first, property);
        }
    }
}

/// Gives parameters without a description the error that names them.
pub(crate) fn note_said(properties: &mut Map<String, Value>, facts: &Facts) {
    let said = facts.said.iter().filter(|(_, text)| !lacks(text));
    for (name, text) in said.filter(|_| facts.is_scoped) {
        let property = properties.get_mut(name);
        let is_bare = |it: &Value| it["description"].as_str().is_none_or(str::is_empty);
        if let Some(it) = property.filter(|it| is_bare(it) && it["x-one-of"].is_null()) {
            it["x-said"] = json!(text);
        }
    }
}

/// Writes that a parameter is an object whose members the program takes; text would have none.
pub(crate) fn be_object(property: &mut Value, members: Option<&BTreeMap<String, Option<Value>>>) {
    let is_object = property["type"] == "object" || property["type"][0] == "object";
    let is_open = property["type"].is_null() || property["type"] == "string";
    if !is_object && !is_open || property["x-json-text"] == true && is_object {
        return;
    }
    property["type"] = json!("object");
    property["x-object"] = json!(true);
    let text = property["description"]
        .as_str()
        .unwrap_or_default()
        .to_owned();
    let text = text.replace("JSON对象字符串", "JSON对象");
    let text = text.replace("JSON字符串", "JSON对象");
    let text = text.replace("JSON 对象字符串", "JSON 对象");
    let text = text.replace("JSON 字符串", "JSON 对象");
    let named = members.into_iter().flatten();
    let untold = named.filter(|(name, _)| !text.contains(name.as_str()));
    let untold: Map<String, Value> = untold
        .map(|(name, default)| {
            let default = default.as_ref().map(|it| json!({ "default": it }));
            (name.clone(), default.unwrap_or_else(|| json!({})))
        })
        .collect();
    if !untold.is_empty() && property["properties"].is_null() {
        property["properties"] = Value::Object(untold);
    }
    property["description"] = json!(text);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_describes_what_it_says_more_of_than_that_it_is_missing() {
        let check = |text: &str, expected: bool| {
            let facts = Facts {
                is_scoped: true,
                said: BTreeMap::from([("cup".to_owned(), text.to_owned())]),
                ..Facts::default()
            };
            let mut properties = Map::from_iter([("cup".to_owned(), json!({}))]);
            note_said(&mut properties, &facts);
            assert_eq!(!properties["cup"]["x-said"].is_null(), expected, "{text}");
        };
        check("茶杯必须是 small 或 large", true);
        check("缺少必需的 'cup' 或 'pot' 参数。", false);
        check("Missing cup", false);
        check("cup or pot is required", false);
    }
}
