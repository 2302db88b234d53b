//! Groups of parameters of which the code of a program wants one.

use serde_json::{Map, Value, json};

use crate::also_read;
use crate::argument_notes::add;
use crate::code::{self, Facts};
use crate::undeclared::need_one_when;

/// Marks the groups of a command, of which its examples tell whether an error means every call.
pub(crate) fn apply(
    properties: &mut Map<String, Value>,
    also: &mut Map<String, Value>,
    required: &mut Vec<Value>,
    (facts, examples): (&Facts, &[Value]),
    is_one: bool,
) {
    for group in facts.one_of.iter().filter(|_| is_one) {
        need_one(properties, also, required, group);
    }
    for group in facts.one_of_said.iter().filter(|_| is_one) {
        let mut objects = examples.iter().filter_map(Value::as_object);
        let is_needed = |name: &String| required.iter().any(|it| it == name);
        if !group.iter().any(is_needed)
            && objects.all(|it| group.iter().any(|name| it.contains_key(name)))
        {
            need_one(properties, also, required, group);
        }
    }
    for group in &facts.one_of_some {
        need_one_when(properties, also, group);
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
}
