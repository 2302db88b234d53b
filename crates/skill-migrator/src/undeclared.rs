//! Arguments that the code reads and no text declares, and those that a text declares and a command does not
//! read.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use crate::{
    also_read,
    argument_notes::{add, describe_values, lacks, note_mode, other_modes},
    code::{self, ArgumentFacts, Facts, Shape},
    render::has_common_words,
};

/// The undeclared arguments of a command.
pub(crate) struct Others<'a> {
    /// The facts on the command.
    pub(crate) facts: &'a Facts,
    /// Those on all commands.
    pub(crate) found: &'a [Facts],
    /// The spellings of its parameters and their other names.
    pub(crate) declared: BTreeSet<String>,
    /// The names of its parameters.
    pub(crate) named: BTreeSet<String>,
}

impl Others<'_> {
    /// Adds those of which the code or their names say something.
    pub(crate) fn add(&self, also: &mut Map<String, Value>) {
        for (name, known) in &self.facts.arguments {
            let is_open = also_read::is_undeclared(name, &self.declared);
            if is_open && !self.is_other_name(name, also) {
                self.add_one(name, known, also);
            }
        }
    }

    /// Returns true for another name of an argument that is shown.
    fn is_other_name(&self, name: &String, also: &Map<String, Value>) -> bool {
        let is_like = |it: &String| it != name && code::spelling(it) == code::spelling(name);
        let is_shown = |it: &String| self.named.contains(it) || also.contains_key(it);
        let mut groups = self.facts.aliases.iter();
        also.keys().any(is_like)
            || groups.any(|group| {
                group.contains(name) && group.iter().any(|it| it != name && is_shown(it))
            })
    }

    fn add_one(&self, name: &str, known: &ArgumentFacts, also: &mut Map<String, Value>) {
        let n_commands = self.found.len();
        let n_readers = self.found.iter();
        let n_readers = n_readers
            .filter(|it| it.arguments.contains_key(name))
            .count();
        let is_common = has_common_words(name);
        // A name that the program reads for all commands belongs to none of them.
        let is_own = n_commands == 1 || n_readers < n_commands;
        let property = classified(known).or_else(|| is_common.then(|| json!({})));
        if let Some(property) = property.filter(|_| is_own) {
            add(also, name, property);
            if let Some(mode) = known.mode.as_ref().filter(|it| it.is_given)
                && note_mode(&mut also[name], mode, false, self.facts)
            {
                other_modes(also, mode, name, &self.declared);
            }
        }
        let n_said = self.found.iter();
        let n_said = n_said.filter(|it| it.said.contains_key(name)).count();
        let said = self.facts.said.get(name).filter(|text| !lacks(text));
        if let (Some(text), 1) = (said, n_said) {
            add(also, name, json!({ "x-said": text }));
        }
    }
}

/// Returns the schema of an argument that no text declares, if the code says enough of it.
fn classified(facts: &ArgumentFacts) -> Option<Value> {
    let mut property = json!({});
    if facts.shape == Shape::Object {
        property["type"] = json!("object");
    }
    if let Some(strict) = facts.strict {
        property["type"] = json!(strict);
        property["x-strict"] = json!(strict);
    }
    describe_values(&mut property, facts);
    let is_few = (1..=6).contains(&facts.compared.len());
    if is_few && property["enum"].is_null() && property["type"].is_null() {
        property["x-compared"] = json!(facts.compared);
    }
    if let (Some(_), [value]) = (&facts.settled, &facts.defaults[..]) {
        property["default"] = value.clone();
    }
    let is_said = property.as_object().is_some_and(|it| !it.is_empty());
    is_said.then_some(property)
}

/// Marks the parameters that other commands read and this one does not.
pub(crate) fn mark_idle(
    properties: &mut Map<String, Value>,
    facts: &Facts,
    required: &[Value],
    is_read: &dyn Fn(&String) -> bool,
) {
    let spellings: BTreeSet<String> = facts
        .arguments
        .keys()
        .map(|it| code::spelling(it))
        .collect();
    for (name, property) in properties.iter_mut() {
        let aliases = property["x-aliases"].as_array().into_iter().flatten();
        let names = aliases.filter_map(Value::as_str).chain([name.as_str()]);
        let names: BTreeSet<String> = names.map(code::spelling).collect();
        let is_own = !names.is_disjoint(&spellings);
        let is_required = required.iter().any(|it| it == name);
        if !is_own && !is_required && is_read(name) && also_read::is_parameter(name) {
            property["x-echoed"] = json!(true);
        }
    }
}

/// Marks parameters of which the code wants one in the calls that need one of them, as its text says.
pub(crate) fn need_one_when(
    properties: &mut Map<String, Value>,
    also: &mut Map<String, Value>,
    group: &[String],
) {
    let when = group
        .iter()
        .find_map(|name| properties.get(name)?["x-required-when"].as_str());
    let Some(when) = when.map(str::to_owned) else {
        return;
    };
    for name in group {
        let others: Vec<&String> = group.iter().filter(|it| *it != name).collect();
        let more = json!({ "x-required-when": when, "x-one-of": others });
        match properties.get_mut(name) {
            Some(property) if property["x-required-when"] == *when => {
                property["x-one-of"] = json!(others);
            }
            None if also_read::is_parameter(name) => add(also, name, more),
            _ => {}
        }
    }
}
