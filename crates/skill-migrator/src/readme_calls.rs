//! Examples of commands whose manifest shows no call: those in the other texts of the plugin, with the
//! arguments that the code reads.

use std::collections::BTreeMap;

use plugin_prose::{Passage, passages};
use serde_json::{Map, Value};
use skill_model::Command;

use crate::{
    also_read,
    code::{self, Analysis},
    plugin::Plugin,
    program_facts,
};

/// Maximum number of calls that are looked at.
const MAX_CALLS: usize = 256;
/// Maximum number of examples of a command.
const MAX_EXAMPLES: usize = 3;
/// Maximum length of a text with calls, in bytes.
const MAX_TEXT: usize = 256 * 1024;

/// A call in a text.
struct Call {
    tool: Option<String>,
    arguments: Map<String, Value>,
}

/// Adds the examples to the commands without one.
pub(crate) fn apply(plugin: &Plugin<'_>, code: &Analysis<'_, '_>, commands: &mut [Command]) {
    let is_bare = |command: &Command| command.examples.is_empty() && command.dispatch.is_some();
    if !commands.iter().any(is_bare) || code.arguments().is_empty() {
        return;
    }
    let calls = calls(plugin.texts);
    if calls.is_empty() {
        return;
    }
    let values: Vec<Vec<String>> = commands.iter().map(program_facts::values).collect();
    let found = code::argument_facts(code, &values);
    for ((command, facts), values) in commands.iter_mut().zip(&found).zip(&values) {
        if !is_bare(command) || !facts.is_scoped {
            continue;
        }
        let own = calls.iter().filter(|call| call.selects(command, values));
        for call in own.collect::<Vec<_>>() {
            let read = call.arguments.iter().filter(|(name, _)| {
                facts.arguments.contains_key(*name) && also_read::is_parameter(name)
            });
            let read: Map<String, Value> =
                read.map(|(name, it)| (name.clone(), it.clone())).collect();
            let example = Value::Object(read);
            let is_new =
                example != Value::Object(Map::new()) && !command.examples.contains(&example);
            if is_new && command.examples.len() < MAX_EXAMPLES {
                command.examples.push(example);
            }
        }
    }
}

impl Call {
    /// Returns true if the call is of a command with these values.
    fn selects(&self, command: &Command, values: &[String]) -> bool {
        let key = command.dispatch.as_ref().map_or("", |it| &it.key);
        let given = self.arguments.get(key).and_then(Value::as_str);
        let given = given.or(self.tool.as_deref());
        given.is_some_and(|given| values.iter().any(|it| it == given))
    }
}

/// Returns the calls in the texts: those of the old host, and objects of JSON in blocks of code.
fn calls(texts: &BTreeMap<String, String>) -> Vec<Call> {
    let is_text = |path: &str, text: &str| {
        path.to_ascii_lowercase().ends_with(".md") && text.len() <= MAX_TEXT
    };
    let texts = texts.iter().filter(|(path, text)| is_text(path, text));
    let mut res = Vec::new();
    for (_, text) in texts {
        for passage in passages(text) {
            if let Passage::Call(call) = passage
                && !call.is_template
                && !call.is_batch
            {
                res.push(Call {
                    tool: call.tool,
                    arguments: call.arguments,
                });
            }
        }
        let blocks = blocks(text).into_iter();
        res.extend(
            blocks.filter_map(|block| match serde_json::from_str(&block) {
                Ok(Value::Object(arguments)) => Some(Call {
                    tool: None,
                    arguments,
                }),
                _ => None,
            }),
        );
        if res.len() >= MAX_CALLS {
            break;
        }
    }
    res.truncate(MAX_CALLS);
    res
}

/// Returns the blocks of JSON in a document of Markdown.
fn blocks(text: &str) -> Vec<String> {
    let mut res = Vec::new();
    let mut block: Option<String> = None;
    for line in text.lines() {
        match (&mut block, line.trim().strip_prefix("```")) {
            (None, Some("json")) => block = Some(String::new()),
            (Some(_), Some(_)) => res.extend(block.take()),
            (Some(open), None) => {
                open.push_str(line);
                open.push('\n');
            }
            (None, _) => {}
        }
    }
    res
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::testing::migrate_plugin;

    #[test]
    fn calls_of_the_readme_are_examples() {
        let check = |readme: &str, expected: &[serde_json::Value]| {
            let manifest = json!({
                "name": "Tea", "pluginType": "synchronous",
                "entryPoint": { "type": "nodejs", "command": "node tea.js" },
                "communication": { "protocol": "stdio" },
                "capabilities": { "invocationCommands": [
                    { "commandIdentifier": "Brew", "description": "Brews tea." },
                    { "commandIdentifier": "Wash", "description": "Washes the pot." },
                ] },
            });
            let code = "const args = JSON.parse(fs.readFileSync(0, 'utf8'));
                const kind = args.action;
                switch (kind) { case 'Brew': brew(args); break; case 'Wash': break; }
                function brew(given) { if (!given.leaf) { throw new Error('leaf is required'); } console.log(given.leaf, given.hot === true); }";
            let files = [("tea.js", code), ("README.md", readme)];
            let (migration, _) = migrate_plugin("Tea", &manifest, &files);
            let metadata = serde_json::to_value(&migration.metadata).expect("JSON");
            let brew = &metadata["commands"][0];
            assert_eq!(brew["dispatch"]["key"], "action", "{readme}");
            assert_eq!(
                brew["input_schema"]["required"],
                json!(["leaf"]),
                "{readme}"
            );
            let found = brew["examples"].as_array().cloned().unwrap_or_default();
            assert_eq!(found, expected, "{readme}");
        };
        let call = |fields: &str| {
            format!("Call:\n<<<[TOOL_REQUEST]>>>\n{fields}\n<<<[END_TOOL_REQUEST]>>>\n")
        };
        let green = json!({ "leaf": "green" });
        check(
            &call(
                "maid:「始」Tea「末」,\ntool_name:「始」Brew「末」,\nleaf:「始」green「末」,\ncup:「始」2「末」",
            ),
            std::slice::from_ref(&green),
        );
        check(
            "```json\n{\"action\": \"Brew\", \"leaf\": \"green\", \"hot\": true}\n```\n",
            &[json!({ "hot": true, "leaf": "green" })],
        );
        check(
            &call("tool_name:「始」Wash「末」,\nleaf:「始」green「末」"),
            &[],
        );
        check(&call("tool_name:「始」Brew「末」,\ncup:「始」2「末」"), &[]);
        check("```json\n{ not JSON }\n```\n", &[]);
    }
}
