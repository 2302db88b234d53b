//! The manifests by which hosts recognize a package.
//!
//! - `plugin.json`, `mcp.json`: Agent Plugins 1.0
//!   (<https://github.com/agentplugins/agent-plugins-spec>, `spec/1.0.0.md`).
//! - `.claude-plugin/`: Claude Code (<https://code.claude.com/docs/en/plugins/marketplace-reference>).
//! - `.agents/plugins/marketplace.json`: Codex (<https://developers.openai.com/plugins/build/plugins>).
//! - `gemini-extension.json`: Gemini CLI (<https://geminicli.com/docs/extensions/reference>).

use serde_json::{Map, Value, json};

/// The schemas of Agent Plugins 1.0.
const PLUGIN_SCHEMA: &str = "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json";
const MCP_SCHEMA: &str = "https://agent-plugins.org/schemas/1.0.0/mcp.schema.json";

/// The number of skills that the description of a package names.
const N_NAMED: usize = 5;

/// The facts that the manifests state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct About<'a> {
    pub(crate) name: &'a str,
    pub(crate) version: &'a str,
    pub(crate) description: &'a str,
    pub(crate) author: Option<&'a str>,
    pub(crate) license: Option<&'a str>,
    /// True if hosts start `skills-serve` for the package.
    pub(crate) server: bool,
}

/// Returns the name of the marketplace that has the package. Claude Code reserves some short names.
pub(crate) fn marketplace(name: &str) -> String {
    format!("{name}-marketplace")
}

/// Returns a description that names the first skills.
pub(crate) fn described(names: &[&str]) -> String {
    let first = names[..names.len().min(N_NAMED)].join(", ");
    match (names.len(), names.len().saturating_sub(N_NAMED)) {
        (1, _) => format!("An Agent Skill: {first}"),
        (n, 0) => format!("{n} Agent Skills: {first}"),
        (n, n_more) => format!("{n} Agent Skills: {first} and {n_more} more"),
    }
}

/// Returns the path and the text of each manifest.
pub(crate) fn manifests(about: &About<'_>) -> Vec<(&'static str, String)> {
    let mut plugin = json!({"$schema": PLUGIN_SCHEMA});
    extend(&mut plugin, common(about));
    let mut claude = common(about);
    let mut gemini = json!({
        "name": about.name,
        "version": about.version,
        "description": about.description,
    });
    if about.server {
        claude.insert(
            "mcpServers".to_owned(),
            server(about.name, "${CLAUDE_PLUGIN_ROOT}", None),
        );
        gemini["mcpServers"] = server(about.name, "${extensionPath}", None);
    }
    let mut res = vec![
        ("plugin.json", text(&plugin)),
        (".claude-plugin/plugin.json", text(&Value::Object(claude))),
        (
            ".claude-plugin/marketplace.json",
            text(&claude_market(about)),
        ),
        (
            ".agents/plugins/marketplace.json",
            text(&codex_market(about)),
        ),
        ("gemini-extension.json", text(&gemini)),
    ];
    if about.server {
        let servers = server(about.name, "${PLUGIN_ROOT}", Some("stdio"));
        let mcp = json!({"$schema": MCP_SCHEMA, "mcpServers": servers});
        res.push(("mcp.json", text(&mcp)));
    }
    res
}

/// Returns the fields that the manifests of Agent Plugins and Claude Code share.
fn common(about: &About<'_>) -> Map<String, Value> {
    let mut res = Map::new();
    let mut add = |key: &str, value: Value| drop(res.insert(key.to_owned(), value));
    add("name", about.name.into());
    add("version", about.version.into());
    add("description", about.description.into());
    if let Some(author) = about.author {
        add("author", json!({"name": author}));
    }
    if let Some(license) = about.license {
        add("license", license.into());
    }
    res
}

fn claude_market(about: &About<'_>) -> Value {
    json!({
        "name": marketplace(about.name),
        "owner": {"name": about.author.unwrap_or(about.name)},
        "metadata": {"description": about.description, "version": about.version},
        "plugins": [{
            "name": about.name,
            "source": "./",
            "description": about.description,
            "version": about.version,
        }],
    })
}

fn codex_market(about: &About<'_>) -> Value {
    json!({
        "name": marketplace(about.name),
        "interface": {"displayName": about.name},
        "plugins": [{
            "name": about.name,
            "source": {"source": "local", "path": "./"},
            "policy": {"installation": "AVAILABLE", "authentication": "ON_INSTALL"},
            "category": "Productivity",
        }],
    })
}

/// Returns the map of servers with `skills-serve` for the skills below a root.
fn server(name: &str, root: &str, kind: Option<&str>) -> Value {
    let mut one = Map::new();
    if let Some(kind) = kind {
        one.insert("type".to_owned(), kind.into());
    }
    one.insert("command".to_owned(), "skills-serve".into());
    let args = json!([format!("{root}/skills"), "--stdio"]);
    one.insert("args".to_owned(), args);
    json!({name: one})
}

fn extend(value: &mut Value, fields: Map<String, Value>) {
    if let Value::Object(map) = value {
        map.extend(fields);
    }
}

fn text(value: &Value) -> String {
    format!("{value:#}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    const ABOUT: About<'_> = About {
        name: "tea",
        version: "1.2.3",
        description: "Tea.",
        author: None,
        license: Some("MIT"),
        server: true,
    };

    #[track_caller]
    fn check(about: &About<'_>, path: &str, expected: Option<&Value>) {
        let all = manifests(about);
        let found = all.iter().find(|(known, _)| *known == path);
        let found = found.map(|(_, text)| serde_json::from_str::<Value>(text).unwrap());
        assert_eq!(found.as_ref(), expected, "{path}");
    }

    #[test]
    fn agent_plugins() {
        let plugin = json!({
            "$schema": PLUGIN_SCHEMA,
            "name": "tea", "version": "1.2.3", "description": "Tea.", "license": "MIT",
        });
        check(&ABOUT, "plugin.json", Some(&plugin));
        let args = ["${PLUGIN_ROOT}/skills", "--stdio"];
        let server = json!({"type": "stdio", "command": "skills-serve", "args": args});
        let mcp = json!({"$schema": MCP_SCHEMA, "mcpServers": {"tea": server}});
        check(&ABOUT, "mcp.json", Some(&mcp));
        let without = About {
            server: false,
            ..ABOUT
        };
        check(&without, "mcp.json", None);
        let gemini = json!({"name": "tea", "version": "1.2.3", "description": "Tea."});
        check(&without, "gemini-extension.json", Some(&gemini));
    }
}
