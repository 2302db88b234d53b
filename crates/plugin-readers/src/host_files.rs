//! The files of a host in a project besides its parts: settings, and instructions for every conversation.

use plugin_model::{Kind, Node};
use skill_diagnostics::Diagnostic;

use crate::codes::{INSTRUCTIONS_LEFT, SETTINGS_LEFT};

/// The files of a host besides its parts.
#[derive(Debug)]
pub(crate) struct HostFiles {
    /// Files with settings in the directory of the host in a project.
    pub(crate) settings: &'static [&'static str],
    /// The file with servers among them, and its table; empty if there is none.
    pub(crate) servers: (&'static str, &'static str),
    /// Files that the host loads into every conversation.
    pub(crate) instructions: &'static [&'static str],
}

/// The files of a host of which none are known.
pub(crate) static NONE: HostFiles = HostFiles {
    settings: &[],
    servers: ("", ""),
    instructions: &[],
};

/// The most keys that a finding names.
const MAX_NAMED: usize = 8;
/// Keys that say nothing.
const IDLE: [&str; 2] = ["$schema", "version"];
/// Keys that restrict what an agent does.
const RESTRICTING: [&str; 8] = [
    "permissions",
    "sandbox",
    "sandbox_mode",
    "approval_policy",
    "tools",
    "coreTools",
    "excludeTools",
    "security",
];

/// Returns the finding about settings that are not parts of a plugin. `read` are the keys that others read or
/// name.
pub(crate) fn settings_left(file: &str, root: &Node, read: &[&str]) -> Option<Diagnostic> {
    let is_empty = |node: &Node| match &node.kind {
        Kind::Object(members) => members.is_empty(),
        Kind::Array(items) => items.is_empty(),
        Kind::Null => true,
        _ => false,
    };
    let members = root.members().iter().filter(|it| !is_empty(&it.value));
    let keys = members.map(|it| it.key.as_str());
    let keys: Vec<&str> = keys
        .filter(|key| !read.contains(key) && !IDLE.contains(key))
        .collect();
    if keys.is_empty() {
        return None;
    }
    let named = keys.iter().take(MAX_NAMED);
    let named: Vec<String> = named
        .map(|key| format!("`{}`", key.escape_debug()))
        .collect();
    let mut list = named.join(", ");
    if keys.len() > MAX_NAMED {
        list = format!("{list} and {} more", keys.len() - MAX_NAMED);
    }
    let message = format!("settings of the host are not parts of a plugin: {list}");
    let finding = if keys.iter().any(|key| RESTRICTING.contains(key)) {
        Diagnostic::warning(SETTINGS_LEFT, message)
            .with_help("they are not carried, and some restrict the agent; set them up in yours")
    } else {
        Diagnostic::note(SETTINGS_LEFT, message)
            .with_help("they are not carried; set up in your agent what you need")
    };
    Some(finding.in_file(file))
}

/// Returns the finding about a file that a host loads into every conversation.
pub(crate) fn instructions_left(file: &str) -> Diagnostic {
    let message = "the host loads these instructions into every conversation; they are not a skill";
    let finding = Diagnostic::note(INSTRUCTIONS_LEFT, message).in_file(file);
    finding.with_help("put what you need of them into the instructions of your agent")
}

#[cfg(test)]
mod tests {
    use plugin_model::parse_jsonc;

    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
        let root = parse_jsonc(text).0.expect("JSON");
        let found = settings_left("settings.json", &root, &["hooks"]);
        let shown = found.map(|it| {
            let (_, keys) = it.message.split_once(": ").unwrap_or_default();
            format!("{} {keys}", it.severity.word())
        });
        assert_eq!(shown.as_deref(), expected, "{text}");
    }

    #[test]
    fn settings_are_named() {
        check(
            r#"{"hooks": {"a": []}, "$schema": "x", "env": {}, "mcp": []}"#,
            None,
        );
        check(
            r#"{"model": "m", "theme": "t"}"#,
            Some("note `model`, `theme`"),
        );
        check(
            r#"{"permissions": {"deny": ["Bash"]}}"#,
            Some("warning `permissions`"),
        );
    }
}
