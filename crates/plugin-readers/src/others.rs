//! Packages that no reader claims: what they look like.

use plugin_model::{Kind, Node, parse_json};

/// The size limit of a file that is recognized by its content, in bytes.
pub const MAX_OTHER: u64 = 1 << 20;

/// Returns true for the names of files that [`looks_like`] recognizes.
pub fn may_be_other(name: &str) -> bool {
    is_bundle(name) || ROWS.iter().any(|row| row.0 == name)
}

/// Returns what a file looks like, if it is the main file of a package that cannot be migrated.
///
/// ```
/// let text = r#"{"manifest_version": "0.3", "server": {"type": "node"}}"#;
/// let what = plugin_readers::looks_like("manifest.json", text);
/// assert_eq!(what, Some("the manifest of an MCP bundle"));
/// ```
pub fn looks_like(name: &str, text: &str) -> Option<&'static str> {
    if is_bundle(name) {
        return Some("a packed MCP bundle");
    }
    let root = parse_json(text.trim_start_matches('\u{feff}')).0?;
    let mut rows = ROWS.iter().filter(|row| row.0 == name);
    rows.find_map(|(_, what, is_one)| is_one(&root).then_some(*what))
}

fn is_bundle(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    [".mcpb", ".dxt"].iter().any(|end| lower.ends_with(end))
}

/// The names of main files, what they are, and the test of their content.
type Row = (&'static str, &'static str, fn(&Node) -> bool);

const ROWS: [Row; 3] = [
    ("manifest.json", "the manifest of an MCP bundle", |root| {
        let has_version = ["manifest_version", "dxt_version"].map(|key| root.get(key).is_some());
        has_version.contains(&true) && is_object(root.get("server"))
    }),
    ("server.json", "the description of an MCP server", |root| {
        let name = root.get("name").and_then(Node::as_str);
        let is_name = name.is_some_and(|name| name.matches('/').count() == 1);
        is_name && (root.get("packages").is_some() || root.get("remotes").is_some())
    }),
    (".mcp.json", "a list of MCP servers", |root| {
        let servers = root.get("mcpServers").unwrap_or(root);
        let mut servers = servers.members().iter();
        let is_server = |server: &Node| server.get("command").or(server.get("url")).is_some();
        servers.any(|server| is_server(&server.value))
    }),
];

fn is_object(node: Option<&Node>) -> bool {
    matches!(node.map(|node| &node.kind), Some(Kind::Object(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, text: &str, expected: Option<&str>) {
        assert_eq!(looks_like(name, text), expected, "{name} {text}");
    }

    #[test]
    fn recognizes_servers_and_not_their_namesakes() {
        let bundle = Some("the manifest of an MCP bundle");
        check(
            "manifest.json",
            r#"{"dxt_version":"0.1","server":{}}"#,
            bundle,
        );
        check(
            "manifest.json",
            r#"{"manifest_version":3,"name":"x"}"#,
            None,
        );
        check("x.MCPB", "PK", Some("a packed MCP bundle"));
        let server = Some("the description of an MCP server");
        check("server.json", r#"{"name":"io.x/y","packages":[]}"#, server);
        check("server.json", r#"{"posts":[{"id":1}]}"#, None);
        let list = Some("a list of MCP servers");
        check(".mcp.json", r#"{"mcpServers":{"a":{"command":"x"}}}"#, list);
        check(".mcp.json", r#"{"a":{"url":"https://x"}}"#, list);
        check(".mcp.json", "{}", None);
        check("package.json", "{}", None);
        check("server.json", "[", None);
    }
}
