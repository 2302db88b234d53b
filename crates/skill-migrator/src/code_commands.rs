//! Commands of a program whose manifest lists none: those that its code tells apart, in the words of its
//! other texts.

use std::collections::{BTreeMap, BTreeSet};

use plugin_model::PluginType;
use serde_json::{Map, Value, json};
use skill_diagnostics::Diagnostic;
use skill_model::{Command, Dispatch, Transport};

use crate::{
    code::{self, Analysis},
    codes::NO_COMMANDS,
    metadata,
    plugin::Plugin,
};

/// The function of a module that the old host called as a tool.
const TOOL_CALL: &str = "processToolCall";
/// Maximum number of characters of a description.
const MAX_DESCRIPTION: usize = 160;

/// Returns the commands with a finding; none if an agent does not call the program.
pub(crate) fn commands(
    plugin: &Plugin<'_>,
    code: &Analysis<'_, '_>,
) -> (Vec<Command>, Option<Diagnostic>) {
    let none = (Vec::new(), None);
    let kind = plugin.program.plugin_type.value;
    let is_module = kind == PluginType::HybridService && code.facts.exports.contains(TOOL_CALL);
    let is_called = is_module || metadata::transport(kind) == Some(Transport::StdioJson);
    if !is_called || !plugin.program.commands.is_empty() {
        return none;
    }
    let Some(found) = code::dispatch(code) else {
        return none;
    };
    // A module tells apart more than its calls: the methods of requests, the events of others.
    if is_module && !code.arguments().contains(&found.key) {
        return none;
    }
    let values: Vec<Vec<String>> = found.values.iter().map(|it| vec![it.clone()]).collect();
    let arguments = code::argument_facts(code, &values);
    let all = found.values.iter().zip(&arguments);
    let commands = all.map(|(value, arguments)| Command {
        description: explanation(plugin.texts, value).unwrap_or_default(),
        dispatch: Some(Dispatch {
            key: found.key.clone(),
            value: value.clone(),
            source: "code".to_owned(),
        }),
        input_schema: schema(arguments, &found.key),
        ..Command::new(value)
    });
    let commands: Vec<Command> = commands.collect();
    let count = commands.len();
    let message = format!("the manifest lists no command; {count} are from the code");
    let finding =
        Diagnostic::note(NO_COMMANDS, message).at_pointer("/capabilities/invocationCommands");
    (commands, Some(finding))
}

/// Returns a schema with the arguments that only the code of the command reads; of several names of one,
/// the first.
pub(crate) fn schema(facts: &code::Facts, key: &str) -> Value {
    let is_other_name = |name: &String| {
        facts
            .aliases
            .iter()
            .any(|group| group[1..].contains(name) && facts.own.contains(&group[0]))
    };
    let names = facts.own.iter();
    let names = names.filter(|name| *name != key && !is_other_name(name));
    let properties = names.filter_map(|name| {
        let property = match facts.members.get(name) {
            Some(members) => object(members, &facts.own)?,
            None => json!({}),
        };
        Some((name.clone(), property))
    });
    let properties: Map<String, Value> = properties.collect();
    json!({
        "type": "object", "properties": properties, "required": [], "additionalProperties": true
    })
}

/// Returns the schema of an argument with members, of which some are not arguments too.
fn object(members: &BTreeMap<String, Option<Value>>, own: &BTreeSet<String>) -> Option<Value> {
    let members = members.iter().filter(|(name, _)| !own.contains(*name));
    let members = members.map(|(name, default)| {
        let property = match default {
            Some(default) => json!({ "default": default }),
            None => json!({}),
        };
        (name.clone(), property)
    });
    let members: Map<String, Value> = members.collect();
    (!members.is_empty()).then(|| json!({ "type": "object", "properties": members }))
}

/// Returns the explanation of a command in the texts of a plugin: the rest of an item of a list, or the
/// next cell of a row.
fn explanation(texts: &BTreeMap<String, String>, command: &str) -> Option<String> {
    let is_text = |path: &str| {
        let lower = path.to_lowercase();
        lower.ends_with(".md") || lower.ends_with(".txt")
    };
    let all = texts.iter().filter(|(path, _)| is_text(path));
    let mut lines = all.flat_map(|(_, text)| text.lines());
    let found = lines.find_map(|line| item(line, command).or_else(|| cell(line, command)))?;
    let text = found.trim().trim_end_matches(['。', '.']);
    let is_short = !text.is_empty() && text.chars().count() <= MAX_DESCRIPTION;
    is_short.then(|| text.to_owned())
}

/// Reads the explanation of a name in an item of a list: `` - `brew`: makes tea ``, `- cups (number): n`.
pub(crate) fn item<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let marks = ['`', '*', ' '];
    let rest = line.trim().strip_prefix(['-', '*', '•'])?;
    let rest = rest.trim_start_matches(marks).strip_prefix(name)?;
    let rest = rest.trim_start_matches(marks);
    let rest = match rest.strip_prefix(['(', '（']) {
        Some(inner) => inner.split_once([')', '）'])?.1.trim_start_matches(marks),
        None => rest,
    };
    let signs = ['：', ':', '—', '–', '-'];
    let text = rest.strip_prefix(signs)?.trim_start_matches(signs).trim();
    Some(text).filter(|text| !text.is_empty())
}

/// Reads `` | `brew` | makes tea | ``, and `` | `brew` / `wash` | tea, pots | `` if each has a part.
fn cell<'a>(line: &'a str, command: &str) -> Option<&'a str> {
    let cells: Vec<&str> = line.trim().strip_prefix('|')?.split('|').collect();
    let is_sign = |c: char| matches!(c, '/' | ',' | '、');
    let is_it = |name: &str| name.trim().trim_matches(['`', '*']) == command;
    let at = cells
        .iter()
        .position(|cell| cell.split(is_sign).any(is_it))?;
    let names: Vec<&str> = cells[at].split(is_sign).collect();
    let mut after = cells[at + 1..].iter();
    let next = after.find(|cell| !cell.trim().is_empty())?;
    let parts: Vec<&str> = match names.len() {
        1 => vec![next],
        _ => next.split([',', '，', '、']).collect(),
    };
    let own = names.iter().position(|name| is_it(name))?;
    (parts.len() == names.len()).then(|| parts[own])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::migrate_plugin;

    #[test]
    fn commands_of_modules() {
        let check = |kind: &str, code: &str, expected: &[&str]| {
            let manifest = json!({
                "name": "Tea", "pluginType": kind, "entryPoint": { "script": "tea.js" },
                "communication": { "protocol": "direct" }, "capabilities": {},
            });
            let (migration, _) = migrate_plugin("Tea", &manifest, &[("tea.js", code)]);
            let metadata = serde_json::to_value(&migration.metadata).expect("JSON");
            let commands = metadata["commands"].as_array().into_iter().flatten();
            let ids: Vec<&str> = commands.filter_map(|it| it["id"].as_str()).collect();
            assert_eq!(ids, expected, "{kind}: {code}");
        };
        let tool = "async function processToolCall(args) { const command = args.command;
            switch (command) { case 'getPots': return 1; case 'brew': return args.pot; default: return 0; } }
            module.exports = { processToolCall };";
        check("hybridservice", tool, &["getPots", "brew"]);
        check(
            "service",
            &tool.replace("{ processToolCall }", "{ run }"),
            &[],
        );
        let routes = "async function processToolCall(args) { return args.pot; }
            function answer(req) { switch (req.method) { case 'GET': return 1; case 'POST': return 2; } }
            module.exports = { processToolCall, answer };";
        check("hybridservice", routes, &[]);
    }

    #[test]
    fn explanations() {
        let text = "# Tea\n- `brew`：泡茶。\n* **wash**: clean the pot\n| command | use |\n| `rinse` | | with water |\n| `pour` / `fill` | out, in |\n| `a1` / `b1` | both |\n- `brewing`: no\n- *sip* (text)： slowly\n";
        let texts = BTreeMap::from([("README.md".to_owned(), text.to_owned())]);
        for (command, expected) in [
            ("brew", Some("泡茶")),
            ("wash", Some("clean the pot")),
            ("rinse", Some("with water")),
            ("fill", Some("in")),
            ("sip", Some("slowly")),
            ("b1", None),
            ("bre", None),
        ] {
            assert_eq!(
                explanation(&texts, command).as_deref(),
                expected,
                "{command}"
            );
        }
    }
}
