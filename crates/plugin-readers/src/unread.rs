//! Files of a host with hooks, servers or settings that cannot be read. Without a finding nobody would miss
//! what is in them.

use plugin_manifest::decode;
use plugin_model::{Node, parse_jsonc};
use skill_diagnostics::{Diagnostic, Severity};

use crate::{codes::UNREADABLE_PART, directory::Directory, toml_file};

/// The content of a file, for a finding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Content {
    Hooks,
    Servers,
    Settings,
    Bundle,
    Registered,
    Plugin,
}

/// Returns true for the settings of a host in a project, of which only servers and hooks are carried.
pub fn has_settings(path: &str) -> bool {
    matches!(path, "settings.json" | "config.toml")
}

/// Reads settings or a list: TOML by the end of the name, otherwise JSON that may have comments.
///
/// ```
/// let root = plugin_readers::settings_root("config.toml", "[a]\nb = 1").unwrap();
/// assert_eq!(root.to_value().to_string(), r#"{"a":{"b":1}}"#);
/// ```
pub fn root_of(path: &str, text: &str) -> Option<Node> {
    if path.ends_with(".toml") {
        toml_file::settings(text).ok()
    } else {
        parse_jsonc(text).0
    }
}

/// Reads a file of JSON that may have comments.
pub(crate) fn json_of(directory: &dyn Directory, file: &str) -> Option<Node> {
    if !directory.has(file) {
        return None;
    }
    parse_jsonc(decode(&directory.read(file)?).0?).0
}

/// Returns the finding about a file that is not what its host expects. An empty one says nothing.
pub(crate) fn finding(
    directory: &dyn Directory,
    file: &str,
    content: Content,
) -> Option<Diagnostic> {
    if !directory.has(file) {
        return None;
    }
    let bytes = directory.read(file)?;
    let (text, findings) = decode(&bytes);
    let flaw = match text {
        None => findings.into_iter().next()?,
        Some(text) if text.trim().is_empty() => return None,
        Some(text) if file.ends_with(".toml") => *toml_file::settings(text).err()?,
        Some(text) => {
            let (root, findings) = parse_jsonc(text);
            findings.into_iter().find(|_| root.is_none())?
        }
    };
    let why = &flaw.message;
    let message = match content {
        Content::Hooks => format!("the hooks cannot be read: {why}"),
        Content::Servers => format!("the list of MCP servers cannot be read: {why}"),
        Content::Settings => format!("the settings of the host cannot be read: {why}"),
        Content::Bundle => format!("the manifest of an MCP bundle cannot be read: {why}"),
        Content::Registered => format!("the server of the MCP registry cannot be read: {why}"),
        Content::Plugin => format!("the manifest of a ChatGPT plugin cannot be read: {why}"),
    };
    let flaw = Diagnostic {
        severity: Severity::Error,
        message,
        code: UNREADABLE_PART,
        ..flaw
    };
    Some(flaw.in_file(file))
}
