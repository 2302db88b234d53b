//! Lists of servers: their files and their entries.

use std::sync::Arc;

use plugin_model::{Key, Kind, Node, Role, Server, key};

use super::{entry, inputs};

/// The word for servers.
pub(super) const SERVER: &str = "server";
/// The files with lists of servers.
pub(super) const LISTS: [&str; 2] = [".mcp.json", "mcp.json"];
/// The directories of hosts that have nothing but a list here.
pub(super) const HOMES: &[&str] = &[".vscode"];

/// The keys of a list.
pub(super) const LIST_KEYS: &[Key] = &[
    key(
        "mcpServers",
        Role::Becomes("a skill for each server: `entry.mcp`, settings, `requires`"),
    ),
    key(
        "servers",
        Role::Becomes("a skill for each server: `entry.mcp`, settings, `requires`"),
    ),
    key(
        "inputs",
        Role::Becomes("`config.schema` and `config.secret` of the servers that use them"),
    ),
];

/// Returns the servers of a list, and whether the list says that it is one.
pub(super) fn entries(root: &Node) -> Option<(&'static str, bool)> {
    let has_one = |node: &Node| {
        let mut members = node.members().iter();
        members.any(|member| is_server(&member.value))
    };
    for wrapper in ["mcpServers", "servers"] {
        // Nothing but a list of servers has the first word.
        let is_named = |it: &Node| wrapper == "mcpServers" && !it.members().is_empty();
        if root
            .get(wrapper)
            .is_some_and(|it| has_one(it) || is_named(it))
        {
            return Some((wrapper, true));
        }
    }
    has_one(root).then_some(("", false))
}

/// Returns the place of the entries of a list.
pub(super) fn wrapped_at(wrapper: &str) -> String {
    if wrapper.is_empty() {
        String::new()
    } else {
        format!("/{wrapper}")
    }
}

/// Returns true for an entry with a command or an address.
pub(super) fn is_server(node: &Node) -> bool {
    let marks = ["command", "url", "httpUrl", "serverUrl"];
    let text = |key: &&str| node.get(key).and_then(Node::as_str);
    marks
        .iter()
        .any(|key| text(key).is_some_and(|it| !it.is_empty()))
}

/// Returns the servers of a list.
pub(super) fn servers(file: &Arc<str>, root: &Node) -> Vec<Server> {
    let Some((wrapper, _)) = entries(root) else {
        return Vec::new();
    };
    let at = wrapped_at(wrapper);
    let list = root.get(wrapper).unwrap_or(root).members().iter();
    let list = list.filter(|member| matches!(member.value.kind, Kind::Object(_)));
    let list = list.filter_map(|member| entry::server(file, &at, &member.key, &member.value));
    let mut list: Vec<Server> = list.collect();
    for it in &mut list {
        inputs::complete(it, root);
    }
    list
}
