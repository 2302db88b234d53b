//! Parameters that are objects or lists, with the members that the program takes.

use serde_json::{Map, Value, json};

use skill_model::Command;

use crate::code::{Facts, NestedMember, NestedNeed};

/// Number of members from which, or from whose facts on, each has a row of its own.
const MANY: usize = 4;

/// Writes the members of parameters whose members no text tells. `is_one` is true for the only command.
pub(crate) fn apply(
    properties: &mut Map<String, Value>,
    facts: &Facts,
    required: &mut Vec<Value>,
    is_one: bool,
) {
    if !facts.is_scoped && !is_one {
        return;
    }
    for (name, property) in properties.iter_mut() {
        let Some(member) = facts.nested.get(name) else {
            continue;
        };
        if member.members.is_empty() {
            plain(name, property, member, required);
            continue;
        }
        let mut member = member.clone();
        drop_own(&mut member);
        let schema = member.schema(1);
        let is_list = schema["type"] == "array";
        let found = if is_list { &schema["items"] } else { &schema };
        let Some(members) = found["properties"].as_object().filter(|it| !it.is_empty()) else {
            continue;
        };
        if !takes(property, is_list) || is_told(property, members) {
            continue;
        }
        let is_needed = is_needed(found);
        let is_rich = members.len() >= MANY
            || is_needed
            || members.values().any(|it| {
                ["enum", "properties", "x-required-when"]
                    .iter()
                    .any(|key| !it[*key].is_null())
            });
        for key in ["type", "properties", "items", "required", "x-change"] {
            if let Some(value) = schema.get(key) {
                property[key] = value.clone();
            }
        }
        if is_rich {
            property["x-nested"] = json!(true);
        }
        let is_listed = required.iter().any(|it| it == name);
        if is_needed && !is_list && !is_listed && is_open(property) {
            required.push(json!(name));
        }
    }
}

/// Names of what a program keeps about its own work.
const OF_PROGRAM: [&str; 5] = ["runtime", "meta", "metadata", "createdAt", "updatedAt"];

/// Marks parameters, and members, that have the same members as a parameter of another command, or of the same
/// one, and gives an example to commands that need members.
pub(crate) fn share(commands: &mut [Command]) {
    let mut known: Vec<(Value, [String; 2])> = Vec::new();
    for command in commands.iter() {
        let properties = command.input_schema["properties"].as_object();
        for (name, property) in properties.into_iter().flatten() {
            let members = names(&property["properties"]);
            let is_new = !known.iter().any(|(it, _)| *it == members);
            let is_change = property["x-change"] == true;
            if property["x-nested"] == true && members.is_object() && is_new && !is_change {
                known.push((members, [command.id.clone(), name.clone()]));
            }
        }
    }
    for command in commands.iter_mut() {
        let id = command.id.clone();
        let properties = command.input_schema["properties"].as_object_mut();
        for (name, property) in properties.into_iter().flatten() {
            refer(property, &known, &[id.clone(), name.clone()]);
        }
        if command.examples.is_empty() {
            command.examples.extend(example(&command.input_schema));
        }
    }
}

/// Returns the names, types and choices of members without what depends on the command.
fn names(members: &Value) -> Value {
    let Some(members) = members.as_object() else {
        return Value::Null;
    };
    let bare = members.iter().map(|(name, it)| {
        let mut res = json!({ "enum": it["enum"] });
        for key in ["/properties", "/items/properties"] {
            if let Some(inner) = it.pointer(key) {
                res["members"] = names(inner);
            }
        }
        (name.clone(), res)
    });
    Value::Object(bare.collect())
}

/// Returns a call with the needed members of parameters; none if no member is needed.
fn example(schema: &Value) -> Option<Value> {
    let required = schema["required"].as_array()?;
    let all = required.iter().filter_map(Value::as_str);
    let all = all.map(|name| (name, &schema["properties"][name]));
    let all: Vec<(&str, &Value)> = all.collect();
    let has_needed = |it: &Value| it["x-nested"] == true && is_needed(it);
    if !all.iter().any(|(_, it)| has_needed(it)) {
        return None;
    }
    let pairs = all
        .iter()
        .map(|(name, it)| ((*name).to_owned(), sample(it)));
    Some(Value::Object(pairs.collect()))
}

/// Returns a value with the needed members.
fn sample(property: &Value) -> Value {
    if let Some(default) = property.get("default") {
        return default.clone();
    }
    if let Some(first) = property["enum"].as_array().and_then(|all| all.first()) {
        return first.clone();
    }
    match property["type"].as_str() {
        Some("object") => {
            let required = property["required"].as_array().into_iter().flatten();
            let required = required.filter_map(Value::as_str);
            let pairs =
                required.map(|name| (name.to_owned(), sample(&property["properties"][name])));
            Value::Object(pairs.collect())
        }
        Some("array") if property["items"].is_object() => json!([sample(&property["items"])]),
        Some("array") => json!(["…"]),
        Some("boolean") => json!(true),
        Some("integer" | "number") => property.get("minimum").cloned().unwrap_or(json!(1)),
        _ => json!("…"),
    }
}

/// Takes out what a program keeps about its own work.
fn drop_own(member: &mut NestedMember) {
    member
        .members
        .retain(|(name, _)| !OF_PROGRAM.contains(&name.as_str()));
    for (_, member) in &mut member.members {
        drop_own(member);
    }
}

/// Marks a parameter and its members that have the members of a known one and at most a few more.
fn refer(property: &mut Value, known: &[(Value, [String; 2])], own: &[String; 2]) {
    let is_list = property["properties"].is_null();
    let of = if is_list {
        &property["items"]["properties"]
    } else {
        &property["properties"]
    };
    let members = names(of);
    let is_like = |known: &Value| {
        let all = known.as_object().filter(|it| it.len() >= MANY);
        let n_more = |all: &Map<String, Value>| {
            members
                .as_object()
                .map_or(0, Map::len)
                .saturating_sub(all.len())
        };
        all.is_some_and(|all| {
            n_more(all) < MANY && all.iter().all(|(name, it)| members[name] == *it)
        })
    };
    let found = known.iter().find(|(it, _)| is_like(it));
    if let Some((it, place)) = found.filter(|(_, place)| place != own) {
        let more = members.as_object().into_iter().flatten();
        let more = more.filter(|(name, _)| it[*name].is_null());
        let more: Vec<&String> = more.map(|(name, _)| name).collect();
        property["x-like"] = json!(place);
        if !more.is_empty() {
            property["x-more"] = json!(more);
        }
        return;
    }
    let members = if is_list {
        property.pointer_mut("/items/properties")
    } else {
        property.pointer_mut("/properties")
    };
    let members = members.and_then(Value::as_object_mut);
    for (_, member) in members.into_iter().flatten() {
        refer(member, known, own);
    }
}

/// Returns true for a parameter of which nothing says when it is needed.
fn is_open(property: &Value) -> bool {
    let keys = [
        "x-one-of",
        "x-mode",
        "x-required-when",
        "x-made",
        "default",
        "x-default",
    ];
    keys.iter().all(|key| property.get(*key).is_none())
}

/// Writes what functions that get a plain argument say of it.
fn plain(name: &str, property: &mut Value, member: &NestedMember, required: &mut Vec<Value>) {
    let is_listed = required.iter().any(|it| it == name);
    if is_listed || !is_open(property) {
        return;
    }
    if member.need == Some(NestedNeed::Always) && member.default.is_none() {
        required.push(json!(name));
    }
}

/// Returns true for a parameter that is an object or a list, or of which nothing is known.
fn takes(property: &Value, is_list: bool) -> bool {
    let kind = if is_list { "array" } else { "object" };
    let is_open = property["type"].is_null();
    (is_open || property["type"] == kind || property["type"][0] == kind)
        && property["x-json-text"] != true
}

/// Returns true if the description of a parameter names most of its members.
fn is_told(property: &Value, members: &Map<String, Value>) -> bool {
    let text = property["description"].as_str().unwrap_or_default();
    let n_told = members
        .keys()
        .filter(|name| text.contains(&***name))
        .count();
    n_told * 2 >= members.len() && n_told > 0
}

/// Returns true if a member is needed in every call.
fn is_needed(schema: &Value) -> bool {
    schema["required"]
        .as_array()
        .is_some_and(|all| !all.is_empty())
}
