//! The tools of a server, and their comparison with those that were accepted.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use skill_model::{Annotations, Command, Digest, McpServer};

use super::secrets::without_secrets;

/// The maximum size of the schema of a tool, in bytes of JSON.
const MAX_SCHEMA: usize = 256 << 10;
/// The maximum number of levels of a schema. METADATA.yml may have 32 levels, and the schema is the
/// fourth one in it.
const MAX_LEVELS: usize = 28;
/// The maximum length of the name of a tool (<https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool-names>).
const MAX_NAME: usize = 128;
/// The maximum length of the description of a tool, in characters; the rest is left out.
const MAX_DESCRIPTION: usize = 4_000;
/// The maximum length of the title of a tool, in characters.
const MAX_TITLE: usize = 200;
/// Names that a message lists.
const SHOWN: usize = 10;

/// A tool of a server.
#[derive(Clone, PartialEq, Debug)]
pub struct Tool {
    /// The command that calls it: the identifier is its name.
    pub command: Command,
    /// The digest of everything that the server says about it.
    pub digest: String,
}

/// The tools of a server.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Introspection {
    /// The tools, by name.
    pub tools: BTreeMap<String, Tool>,
    /// The tools that cannot be used, as sentences.
    pub left_out: Vec<String>,
    /// The server's own name and version.
    pub server: String,
    /// The server's advice on its use; empty if there is none.
    pub instructions: String,
}

impl Introspection {
    /// Returns the tools of one page of `tools/list`.
    pub fn from_list(page: &Value) -> Self {
        let mut res = Self::default();
        res.add(page);
        res
    }

    /// Adds the tools of a page of `tools/list`.
    pub(super) fn add(&mut self, page: &Value) {
        for tool in page["tools"].as_array().into_iter().flatten() {
            match read(tool) {
                Ok((tool, without)) => {
                    self.left_out.extend(without);
                    let name = tool.command.id.clone();
                    if self.tools.insert(name.clone(), tool).is_some() {
                        let message = format!(
                            "the server has two tools `{}`; the second one is taken",
                            shown(&name)
                        );
                        self.left_out.push(message);
                    }
                }
                Err(message) => self.left_out.push(message),
            }
        }
    }

    /// Returns the tools without those that the skill of a server does not offer.
    pub(super) fn offered(&self, server: &McpServer) -> Cow<'_, Self> {
        if self.tools.keys().all(|name| server.offers(name)) {
            return Cow::Borrowed(self);
        }
        let mut res = self.clone();
        res.tools.retain(|name, _| server.offers(name));
        Cow::Owned(res)
    }

    /// Returns the digests of the tools, by name.
    pub fn digests(&self) -> BTreeMap<String, String> {
        let tools = self.tools.iter();
        tools
            .map(|(name, tool)| (name.clone(), tool.digest.clone()))
            .collect()
    }

    /// Returns what differs between the tools that were accepted, by their digests and commands, and
    /// these; `None` if nothing does.
    pub fn difference(
        &self,
        accepted: &BTreeMap<String, String>,
        commands: &[Command],
    ) -> Option<String> {
        let bare = |name| (name, String::new());
        let added = self.tools.keys().filter(|it| !accepted.contains_key(*it));
        let removed = accepted.keys().filter(|it| !self.tools.contains_key(*it));
        let changed = self.tools.iter().filter(|(name, tool)| {
            let digest = accepted.get(*name);
            digest.is_some_and(|digest| *digest != tool.digest)
        });
        let changed = changed.map(|(name, tool)| {
            let known = commands.iter().find(|it| it.id == *name);
            (name, parts(known, &tool.command))
        });
        let parts = [
            part("new", added.map(bare).collect()),
            part("removed", removed.map(bare).collect()),
            part("changed", changed.collect()),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        (!parts.is_empty()).then(|| parts.join("; "))
    }
}

/// Reads a tool, and what is left out of it; the error says why it cannot be used.
fn read(tool: &Value) -> Result<(Tool, Option<String>), String> {
    let tool = &without_secrets(tool);
    let name = tool["name"].as_str().unwrap_or_default();
    let is_usable = !name.is_empty()
        && name.len() <= MAX_NAME
        && !name.chars().any(|c| c.is_control() || c.is_whitespace());
    if !is_usable {
        let name = shown(name);
        return Err(format!(
            "the tool `{name}` is left out: its name has {} bytes, expected 1 to {MAX_NAME} without spaces",
            tool["name"].as_str().map_or(0, str::len)
        ));
    }
    let schema = match &tool["inputSchema"] {
        schema @ Value::Object(_) => schema.clone(),
        _ => json!({"type": "object"}),
    };
    if let Some(flaw) = flaw(&schema) {
        return Err(format!(
            "the tool `{name}` is left out: the schema of its arguments has {flaw}"
        ));
    }
    let description = tool["description"].as_str().or(tool["title"].as_str());
    let description = description.unwrap_or_default().trim();
    let annotations = annotations(tool);
    // Of hints that contradict each other, the one that asks for more care counts.
    let is_destructive = annotations.destructive == Some(true);
    let is_read_only = annotations.read_only == Some(true) && !is_destructive;
    let (output_schema, without) = output_schema(name, tool);
    let command = Command {
        description: description.chars().take(MAX_DESCRIPTION).collect(),
        idempotent: is_read_only || annotations.idempotent == Some(true),
        approval: is_destructive.then(|| "required".to_owned()),
        annotations: (annotations != Annotations::default()).then_some(annotations),
        input_schema: schema,
        output_schema,
        ..Command::new(name)
    };
    let digest = digest(tool);
    Ok((Tool { command, digest }, without))
}

/// Returns what a server says about the effects of a tool.
fn annotations(tool: &Value) -> Annotations {
    let given = &tool["annotations"];
    let says = |key: &str| given[key].as_bool();
    let title = tool["title"].as_str().or(given["title"].as_str());
    let title: String = title
        .unwrap_or_default()
        .chars()
        .filter(|c| !c.is_control())
        .take(MAX_TITLE)
        .collect();
    Annotations {
        title: Some(title).filter(|title| !title.trim().is_empty()),
        read_only: says("readOnlyHint"),
        destructive: says("destructiveHint"),
        idempotent: says("idempotentHint"),
        open_world: says("openWorldHint"),
    }
}

/// Returns the schema of a tool's structured content; one that is too large is left out, as a sentence
/// says.
fn output_schema(name: &str, tool: &Value) -> (Option<Value>, Option<String>) {
    let schema = &tool["outputSchema"];
    if !schema.is_object() {
        return (None, None);
    }
    let Some(flaw) = flaw(schema) else {
        return (Some(schema.clone()), None);
    };
    let message =
        format!("the schema of the answers of the tool `{name}` is left out: it has {flaw}");
    (None, Some(message))
}

/// Returns what makes a schema too large to be kept.
fn flaw(schema: &Value) -> Option<String> {
    let size = schema.to_string().len();
    if size > MAX_SCHEMA {
        return Some(format!("{size} bytes, expected at most {MAX_SCHEMA}"));
    }
    let levels = levels(schema);
    (levels > MAX_LEVELS).then(|| format!("{levels} levels, expected at most {MAX_LEVELS}"))
}

/// Returns the number of levels of a value. JSON that was parsed has at most 128.
fn levels(value: &Value) -> usize {
    let inner = match value {
        Value::Array(items) => items.iter().map(levels).max(),
        Value::Object(map) => map.values().map(levels).max(),
        _ => return 0,
    };
    inner.unwrap_or_default() + 1
}

/// Returns the digest of a tool: of its JSON with sorted keys, without `_meta` and icons, which do not
/// change what it does.
fn digest(tool: &Value) -> String {
    let mut tool = tool.clone();
    if let Value::Object(map) = &mut tool {
        map.retain(|key, _| !matches!(key.as_str(), "_meta" | "icons"));
    }
    Digest::from_content(sorted(tool).to_string().as_bytes()).to_string()
}

fn sorted(value: Value) -> Value {
    match value {
        Value::Object(map) => {
            let entries: BTreeMap<String, Value> = map.into_iter().collect();
            let entries = entries.into_iter().map(|(key, value)| (key, sorted(value)));
            Value::Object(entries.collect::<Map<_, _>>())
        }
        Value::Array(items) => items.into_iter().map(sorted).collect(),
        value => value,
    }
}

/// Returns the parts of a tool that are not those of the accepted one, in parentheses; empty if they are not
/// among those that METADATA.yml has.
fn parts(accepted: Option<&Command>, found: &Command) -> String {
    let Some(accepted) = accepted else {
        return String::new();
    };
    let parts = [
        ("description", accepted.description != found.description),
        ("arguments", accepted.input_schema != found.input_schema),
        ("answers", accepted.output_schema != found.output_schema),
        ("hints", accepted.annotations != found.annotations),
    ];
    let parts = parts.iter().filter(|(_, differs)| *differs);
    let parts: Vec<&str> = parts.map(|(word, _)| *word).collect();
    if parts.is_empty() {
        return String::new();
    }
    format!(" ({})", parts.join(", "))
}

/// Formats some names, each with a text after it.
fn part(word: &str, names: Vec<(&String, String)>) -> Option<String> {
    let n_more = names.len().saturating_sub(SHOWN);
    let more = if n_more > 0 {
        format!(" and {n_more} more")
    } else {
        String::new()
    };
    let names: Vec<String> = names
        .into_iter()
        .take(SHOWN)
        .map(|(name, more)| format!("`{}`{more}", shown(name)))
        .collect();
    (!names.is_empty()).then(|| format!("{word}: {}{more}", names.join(", ")))
}

/// Returns a name for a message: a server chose it.
fn shown(name: &str) -> String {
    name.chars()
        .take(MAX_NAME)
        .flat_map(char::escape_debug)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares what the hints of a tool make of its command: whether it may be repeated, and whether it
    /// asks before each call.
    #[track_caller]
    fn check(hints: &Value, expected: (bool, bool)) {
        let tool = json!({"name": "x", "annotations": hints});
        let command = read(&tool).unwrap().0.command;
        let found = (command.idempotent, command.needs_approval());
        assert_eq!(found, expected, "{hints}");
    }

    #[test]
    fn a_skill_offers_the_tools_that_it_names() {
        let tool = |name| json!({"name": name, "inputSchema": {}});
        let page = json!({"tools": [tool("a"), tool("b"), tool("c")]});
        let all = Introspection::from_list(&page);
        let text = |more: &str| {
            let text = format!(
                "schema: 1\nname: x\nversion: '1'\ntype: distributed\nentry: {{mcp: {{url: 'https://a.example'{more}}}}}\n"
            );
            let record = skill_model::read_metadata(&text).0.unwrap();
            let server = record.entry.unwrap().mcp.unwrap();
            all.offered(&server)
                .tools
                .keys()
                .cloned()
                .collect::<String>()
        };
        assert_eq!(text(""), "abc");
        assert_eq!(text(", only_tools: [a, b], except_tools: [b]"), "a");
        assert_eq!(text(", except_tools: [b]"), "ac");
        assert_eq!(text(", only_tools: []"), "");
    }

    #[test]
    fn of_hints_that_contradict_each_other_the_careful_one_counts() {
        check(&json!({}), (false, false));
        check(&json!({"readOnlyHint": true}), (true, false));
        check(&json!({"destructiveHint": true}), (false, true));
        let both = json!({"readOnlyHint": true, "destructiveHint": true});
        check(&both, (false, true));
        let repeatable = json!({"destructiveHint": true, "idempotentHint": true});
        check(&repeatable, (true, true));
    }
}
