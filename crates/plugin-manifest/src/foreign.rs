//! Decides which files named `plugin-manifest.json` are plugin manifests, and recognizes the
//! others.

use plugin_model::{Kind, Node, PluginType};
use skill_diagnostics::{Diagnostic, nearest};

use crate::{
    codes::{FOREIGN_MANIFEST, INCOMPLETE_MANIFEST, UNKNOWN_PLUGIN_TYPE},
    words::{self, TYPE_WORDS},
};

/// The values that the accept rule has checked.
pub(crate) struct ManifestIdentity {
    pub(crate) name: String,
    pub(crate) plugin_type: PluginType,
    pub(crate) plugin_type_word: String,
}

/// A node and the reason why it was refused.
pub(crate) type Refusal = Box<(Node, Diagnostic)>;

/// Returns a finding if the text is not JSON and resembles something else.
pub(crate) fn not_json(text: &str) -> Option<Diagnostic> {
    let start = text.trim_start();
    let looks_like = if start.is_empty() {
        "an empty file"
    } else if start.starts_with('<') {
        "an HTML or XML page"
    } else if start.starts_with("---") || start.starts_with("name:") {
        "a YAML file"
    } else if start.contains('\0') {
        "a binary file"
    } else {
        return None;
    };
    Some(foreign(looks_like))
}

fn foreign(looks_like: &str) -> Diagnostic {
    Diagnostic::error(
        FOREIGN_MANIFEST,
        format!("not a plugin manifest: it looks like {looks_like}"),
    )
    .with_help("expected an object with `name`, `pluginType` and `entryPoint`")
}

/// Applies the accept rule: an object with a string `name`, a known `pluginType` and an object
/// `entryPoint` (`_loadPluginsOnce` of the host, without the plugins that it loads but fails to
/// call).
pub(crate) fn accept(root: &Node) -> Result<ManifestIdentity, Refusal> {
    let looks_like = match &root.kind {
        Kind::Object(members) if members.is_empty() => "an empty object",
        Kind::Object(_) => return accept_object(root),
        Kind::Array(_) => "a list",
        _ => "a single value",
    };
    Err(Box::new((root.clone(), foreign(looks_like))))
}

fn accept_object(root: &Node) -> Result<ManifestIdentity, Refusal> {
    if root.get("pluginType").is_none()
        && let Some(looks_like) = other_system(root)
    {
        return Err(Box::new((root.clone(), foreign(looks_like))));
    }
    let name = required_string(root, "name")?;
    let plugin_type_word = required_string(root, "pluginType")?;
    let plugin_type = words::plugin_type(&plugin_type_word)
        .ok_or_else(|| unknown_type(root, &plugin_type_word))?;
    match root.get("entryPoint") {
        Some(Node {
            kind: Kind::Object(_),
            ..
        }) => {}
        other => return Err(incomplete(root, "entryPoint", "an object", other)),
    }
    Ok(ManifestIdentity {
        name,
        plugin_type,
        plugin_type_word,
    })
}

fn required_string(root: &Node, key: &str) -> Result<String, Refusal> {
    match root.get(key) {
        Some(Node {
            kind: Kind::String(value),
            ..
        }) if !value.trim().is_empty() => Ok(value.clone()),
        other => Err(incomplete(root, key, "a string that is not empty", other)),
    }
}

fn incomplete(root: &Node, key: &str, expected: &str, found: Option<&Node>) -> Refusal {
    let (node, message) = match found {
        Some(node) if node.as_str().is_some_and(|text| text.trim().is_empty()) => {
            (node, format!("`{key}` is empty, expected {expected}"))
        }
        Some(node) => (
            node,
            format!("`{key}` is {}, expected {expected}", node.type_word()),
        ),
        None => (
            root,
            format!("the manifest has no `{key}`, expected {expected}"),
        ),
    };
    let finding = Diagnostic::error(INCOMPLETE_MANIFEST, message)
        .at_pointer(if found.is_some() {
            format!("/{key}")
        } else {
            String::new()
        })
        .with_help("the old host does not run such a plugin either");
    Box::new((node.clone(), finding))
}

fn unknown_type(root: &Node, word: &str) -> Refusal {
    let node = root.get("pluginType").unwrap_or(root).clone();
    let known = TYPE_WORDS.iter().map(|(known, _)| *known);
    let help = match (word, nearest(word, known.clone())) {
        ("renderer" | "messagePostProcessor", _) => {
            "plugins of this type run in a client, not in a host; there is nothing to migrate"
                .to_owned()
        }
        (_, Some(known)) => format!("did you mean `{known}`?"),
        _ => format!("known are {}", known.collect::<Vec<_>>().join(", ")),
    };
    let finding = Diagnostic::error(
        UNKNOWN_PLUGIN_TYPE,
        format!("no host runs plugins of type `{word}`"),
    )
    .at_pointer("/pluginType")
    .with_help(help);
    Box::new((node, finding))
}

/// Marks of other systems with a file of this name: sets of keys that must all be present.
const OTHER_SYSTEMS: [(&[&str], &str); 16] = [
    (&["modules", "service"], "a Zoho widget manifest"),
    (&["modules", "locale"], "a Zoho widget manifest"),
    (&["service", "cspDomains"], "a Zoho widget manifest"),
    (&["id", "configSchema"], "an OpenClaw plugin manifest"),
    (&["id", "channels"], "an OpenClaw plugin manifest"),
    (&["id", "providers"], "an OpenClaw plugin manifest"),
    (
        &["manifest_version", "background"],
        "a browser extension manifest",
    ),
    (
        &["manifest_version", "permissions"],
        "a browser extension manifest",
    ),
    (
        &["manifest_version", "action"],
        "a browser extension manifest",
    ),
    (&["id", "minAppVersion"], "an Obsidian plugin manifest"),
    (&["api", "editorType"], "a Figma plugin manifest"),
    (
        &["schema_version", "name_for_human"],
        "an OpenAI plugin manifest",
    ),
    (&["id", "info", "type"], "a Grafana plugin manifest"),
    (&["openapi"], "an OpenAPI description"),
    (&["$schema", "type", "properties"], "a JSON Schema"),
    (&["mcpServers"], "an MCP client configuration"),
];

fn other_system(root: &Node) -> Option<&'static str> {
    let marked = OTHER_SYSTEMS
        .iter()
        .find(|(keys, _)| keys.iter().all(|key| root.get(key).is_some()));
    let package = [
        "scripts",
        "main",
        "devDependencies",
        "dependencies",
        "exports",
    ];
    if let Some((_, name)) = marked {
        Some(name)
    } else if root.get("entryPoint").is_some() {
        None
    } else if root.get("version").is_some() && package.iter().any(|key| root.get(key).is_some()) {
        Some("a package.json of npm")
    } else if ["skills", "commands", "agents", "hooks"]
        .iter()
        .any(|key| root.get(key).is_some())
    {
        Some("a plugin manifest of a coding agent")
    } else if root.get("name").is_none() {
        Some("a manifest of another system")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    #[track_caller]
    fn check(text: &str, code: &str, part: &str) {
        let (manifest, findings) = crate::read(text);
        assert!(manifest.is_none(), "{text}");
        let [finding] = &findings[..] else {
            panic!("{findings:?}")
        };
        assert_eq!(finding.code.0, code);
        assert!(finding.message.contains(part), "{}", finding.message);
    }

    #[test]
    fn says_what_a_foreign_file_looks_like() {
        check("", "foreign-manifest", "an empty file");
        check("<!doctype html><html></html>", "foreign-manifest", "HTML");
        check("name: x\n", "foreign-manifest", "YAML");
        check("[1]", "foreign-manifest", "a list");
        check("null", "foreign-manifest", "a single value");
        check("{}", "foreign-manifest", "an empty object");
        check(
            r#"{"service":"CRM","modules":{"widgets":[]}}"#,
            "foreign-manifest",
            "Zoho",
        );
        check(
            r#"{"id":"x","configSchema":{"type":"object"}}"#,
            "foreign-manifest",
            "OpenClaw",
        );
        check(
            r#"{"manifest_version":3,"name":"x","permissions":[]}"#,
            "foreign-manifest",
            "browser extension",
        );
        check(
            r#"{"name":"x","version":"1","main":"i.js"}"#,
            "foreign-manifest",
            "npm",
        );
        check(
            r#"{"name":"x","commands":"./c"}"#,
            "foreign-manifest",
            "coding agent",
        );
        check(r#"{"title":"x"}"#, "foreign-manifest", "another system");
    }

    #[test]
    fn says_what_an_own_manifest_lacks() {
        check(
            r#"{"name":7,"pluginType":"static","entryPoint":{}}"#,
            "incomplete-manifest",
            "`name` is a number",
        );
        check(
            r#"{"name":" ","pluginType":"static","entryPoint":{}}"#,
            "incomplete-manifest",
            "`name` is empty",
        );
        check(
            r#"{"name":"n","pluginType":"static"}"#,
            "incomplete-manifest",
            "no `entryPoint`",
        );
        check(
            r#"{"name":"n","pluginType":"static","entryPoint":"x"}"#,
            "incomplete-manifest",
            "a string",
        );
        check(
            r#"{"name":"n","entryPoint":{}}"#,
            "incomplete-manifest",
            "no `pluginType`",
        );
        check(
            r#"{"name":"n","pluginType":"renderer","entryPoint":{}}"#,
            "unknown-plugin-type",
            "renderer",
        );
        check(
            r#"{"name":"n","pluginType":"Static","entryPoint":{}}"#,
            "unknown-plugin-type",
            "Static",
        );
        check("{\"name\":\"n\",}", "malformed-json", "trailing comma");
    }
}
