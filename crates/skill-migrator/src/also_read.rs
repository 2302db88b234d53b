//! The arguments that a program reads and its texts do not declare.

use std::collections::BTreeSet;

use skill_model::Command;

use crate::code::Analysis;

/// Arguments that belong to the old host or to the selection of a command.
const OF_HOST: [&str; 13] = [
    "action",
    "archery",
    "cmd",
    "command",
    "ink",
    "operation",
    "requireAdmin",
    "river",
    "river_context",
    "timely_contact",
    "tool_name",
    "valet",
    "vref",
];

/// Returns the names, sorted. Other spellings of declared names (`imageUrl` for `image_url`) and their
/// numbered forms are not among them.
pub(crate) fn names(code: &Analysis<'_, '_>, commands: &[Command]) -> Vec<String> {
    if commands.is_empty() {
        return Vec::new();
    }
    let declared: BTreeSet<String> = commands.iter().flat_map(declared).collect();
    let read = code.arguments().into_iter();
    read.filter(|name| is_undeclared(name, &declared)).collect()
}

/// Returns true for a name that may be an argument of a command.
pub(crate) fn is_parameter(name: &str) -> bool {
    !OF_HOST.contains(&name)
}

/// Returns true for an argument that is none of those with these spellings, and not one of the old host.
pub(crate) fn is_undeclared(name: &str, declared: &BTreeSet<String>) -> bool {
    is_parameter(name) && !declared.contains(&spelling(name))
}

/// Returns the spellings of all arguments of a command.
pub(crate) fn declared(command: &Command) -> Vec<String> {
    let mut res = Vec::new();
    let properties = command.input_schema["properties"].as_object();
    for (name, property) in properties.into_iter().flatten() {
        res.push(spelling(name));
        let aliases = property["x-aliases"].as_array().into_iter().flatten();
        res.extend(aliases.filter_map(|alias| alias.as_str()).map(spelling));
    }
    res.extend(command.dispatch.iter().map(|it| spelling(&it.key)));
    res
}

/// Returns a name in lower case without its number and the signs between its words.
fn spelling(name: &str) -> String {
    let base = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let letters = base.chars().filter(char::is_ascii_alphanumeric);
    letters.map(|c| c.to_ascii_lowercase()).collect()
}
