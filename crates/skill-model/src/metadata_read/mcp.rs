//! Reading `entry.mcp` and what a server says about a tool.

use std::collections::BTreeMap;

use super::fields::Fields;
use crate::{Annotations, McpServer};

/// Reads the server of an entry; the first of a package, a command and an address that is missing is
/// reported if all are.
pub(super) fn server(mut f: Fields<'_>) -> McpServer {
    if !["package", "command", "url"].iter().any(|key| f.has(key)) {
        f.missing("command");
    }
    let package = f.text("package");
    if let Some(text) = &package
        && !["npm:", "pypi:"]
            .iter()
            .any(|start| text.starts_with(start))
    {
        let message = format!("`{text}` names no registry, expected `npm:NAME` or `pypi:NAME`");
        f.wrong("package", message);
    }
    let res = McpServer {
        package,
        command: f.text("command"),
        args: f.texts("args"),
        env: texts(&mut f, "env"),
        url: f.text("url"),
        headers: texts(&mut f, "headers"),
        protocol: f
            .word("protocol", &McpServer::PROTOCOLS, |word| word)
            .map(str::to_owned),
        only_tools: f.has("only_tools").then(|| f.texts("only_tools")),
        except_tools: f.texts("except_tools"),
        instructions: f.text("instructions"),
        tools: texts(&mut f, "tools"),
    };
    f.finish();
    res
}

/// Reads the hints about a tool.
pub(super) fn annotations(mut f: Fields<'_>) -> Annotations {
    let res = Annotations {
        title: f.text("title"),
        read_only: f.flag("read_only"),
        destructive: f.flag("destructive"),
        idempotent: f.flag("idempotent"),
        open_world: f.flag("open_world"),
    };
    f.finish();
    res
}

/// Reads a map of texts; numbers and booleans are taken as they are written.
fn texts(f: &mut Fields<'_>, key: &'static str) -> BTreeMap<String, String> {
    let map = f.map(key).unwrap_or_default();
    let mut res = BTreeMap::new();
    for (name, value) in map {
        match value {
            serde_json::Value::String(text) => {
                res.insert(name, text);
            }
            serde_json::Value::Bool(_) | serde_json::Value::Number(_) => {
                res.insert(name, value.to_string());
            }
            _ => f.wrong(key, format!("the value of `{name}` is not text")),
        }
    }
    res
}
