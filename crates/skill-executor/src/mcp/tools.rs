//! The tools of a server, and their comparison with those that were accepted.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use skill_model::{Command, Digest};

/// The maximum size of the schema of a tool, in bytes of JSON.
const MAX_SCHEMA: usize = 256 << 10;
/// The maximum length of the name of a tool (<https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool-names>).
const MAX_NAME: usize = 128;
/// The maximum length of the description of a tool, in characters; the rest is left out.
const MAX_DESCRIPTION: usize = 4_000;
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
                Ok(tool) => {
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

    /// Returns the digests of the tools, by name.
    pub fn digests(&self) -> BTreeMap<String, String> {
        let tools = self.tools.iter();
        tools
            .map(|(name, tool)| (name.clone(), tool.digest.clone()))
            .collect()
    }
}

/// Reads a tool; the error says why it cannot be used.
fn read(tool: &Value) -> Result<Tool, String> {
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
    let size = schema.to_string().len();
    if size > MAX_SCHEMA {
        return Err(format!(
            "the tool `{name}` is left out: the schema of its arguments has {size} bytes, expected at most {MAX_SCHEMA}"
        ));
    }
    let description = tool["description"].as_str().or(tool["title"].as_str());
    let description = description.unwrap_or_default().trim();
    let annotations = &tool["annotations"];
    let says = |key: &str| annotations[key].as_bool();
    let is_read_only = says("readOnlyHint") == Some(true);
    let is_destructive = !is_read_only && says("destructiveHint") == Some(true);
    let command = Command {
        description: description.chars().take(MAX_DESCRIPTION).collect(),
        idempotent: is_read_only || says("idempotentHint") == Some(true),
        approval: is_destructive.then(|| "required".to_owned()),
        input_schema: schema,
        ..Command::new(name)
    };
    Ok(Tool {
        command,
        digest: digest(tool),
    })
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

/// Returns what differs between the tools that were accepted and those of the server; `None` if
/// nothing does.
pub fn difference(
    accepted: &BTreeMap<String, String>,
    found: &BTreeMap<String, String>,
) -> Option<String> {
    let added = found.keys().filter(|name| !accepted.contains_key(*name));
    let removed = accepted.keys().filter(|name| !found.contains_key(*name));
    let changed = accepted
        .iter()
        .filter(|(name, digest)| found.get(*name).is_some_and(|other| other != *digest));
    let parts = [
        part("new", added.collect()),
        part("removed", removed.collect()),
        part("changed", changed.map(|(name, _)| name).collect()),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

fn part(word: &str, names: Vec<&String>) -> Option<String> {
    let n_more = names.len().saturating_sub(SHOWN);
    let more = if n_more > 0 {
        format!(" and {n_more} more")
    } else {
        String::new()
    };
    let names: Vec<String> = names
        .into_iter()
        .take(SHOWN)
        .map(|name| format!("`{}`", shown(name)))
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
