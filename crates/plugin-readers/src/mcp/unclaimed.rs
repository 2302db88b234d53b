//! Bundles and servers of the registry that cannot be read. Without a finding nobody would miss them.

use plugin_model::{Kind, Node};
use skill_diagnostics::Diagnostic;

use super::{bundle, registry};
use crate::codes::UNREADABLE_PART;
use crate::directory::Directory;
use crate::unread::{self, Content, json_of};

/// Returns the finding about a manifest that says it is that of a bundle and is none.
pub(super) fn of_bundle(directory: &dyn Directory) -> Vec<Diagnostic> {
    let flaw = |root: &Node| {
        let has_server = matches!(root.get("server").map(|it| &it.kind), Some(Kind::Object(_)));
        let found = word(root.get("server"));
        let message = format!(
            "the manifest of an MCP bundle names no server: found {found} as `server`, expected an object with `type` and `mcp_config`"
        );
        (!has_server && !bundle::is_one(root)).then_some((message, "/server"))
    };
    finding(directory, (bundle::FILE, Content::Bundle), is_bundle, flaw)
}

/// Returns the finding about a file that says it is a server of the registry and is none.
pub(super) fn of_registry(directory: &dyn Directory) -> Vec<Diagnostic> {
    let is_marked = |start: &str| {
        let is_list = |key: &str| start.contains(key);
        let has_name = start.contains("\"name\"");
        is_schema(start) || has_name && (is_list("\"packages\"") || is_list("\"remotes\""))
    };
    let flaw = |root: &Node| {
        let schema = root.get("$schema").and_then(Node::as_str);
        if registry::is_one(root) || !is_schema(schema.unwrap_or_default()) {
            return None;
        }
        let name = root.get("name");
        let is_named = name
            .and_then(Node::as_str)
            .is_some_and(|it| it.matches('/').count() == 1);
        Some(if is_named {
            let found = word(root.get("packages").or(root.get("remotes")));
            let message = format!(
                "the server of the MCP registry cannot be started: found {found}, expected a list `packages` or `remotes`"
            );
            (message, "")
        } else {
            let found = name.and_then(Node::as_str).map(|it| format!("`{it}`"));
            let found = found.unwrap_or_else(|| word(name).to_owned());
            let message = format!(
                "the server of the MCP registry has no name: found {found}, expected `NAMESPACE/NAME`"
            );
            (message, "/name")
        })
    };
    finding(
        directory,
        (registry::FILE, Content::Registered),
        is_marked,
        flaw,
    )
}

/// Returns true for the beginning of the manifest of a bundle. Extensions of browsers have a number as the
/// version.
fn is_bundle(start: &str) -> bool {
    let after = start
        .split_once("\"manifest_version\"")
        .map(|(_, after)| after);
    let value = after.map(|after| after.trim_start_matches([' ', '\t', '\r', '\n', ':']));
    start.contains("\"dxt_version\"")
        || value.is_some_and(|it| it.is_empty() || it.starts_with('"'))
}

fn is_schema(text: &str) -> bool {
    text.contains("modelcontextprotocol.io/schemas/") && text.contains("server.schema.json")
}

fn word(node: Option<&Node>) -> &'static str {
    node.map_or("nothing", Node::type_word)
}

/// Returns the finding about a file of this beginning that is not JSON, or has a flaw.
fn finding(
    directory: &dyn Directory,
    (file, content): (&str, Content),
    is_marked: impl Fn(&str) -> bool,
    flaw: impl Fn(&Node) -> Option<(String, &'static str)>,
) -> Vec<Diagnostic> {
    let start = directory.has(file).then(|| directory.start(file)).flatten();
    let mut start = start.unwrap_or_default();
    // UTF-16 has a zero beside each letter.
    start.retain(|byte| *byte != 0);
    if !is_marked(&String::from_utf8_lossy(&start)) {
        return Vec::new();
    }
    if let Some(finding) = unread::finding(directory, file, content) {
        return Vec::from([finding]);
    }
    let found = json_of(directory, file).and_then(|root| flaw(&root));
    let finding = found.map(|(message, pointer)| {
        let finding = Diagnostic::error(UNREADABLE_PART, message).in_file(file);
        finding.at_pointer(pointer)
    });
    finding.into_iter().collect()
}
