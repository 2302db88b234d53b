//! Parts of a package that do not become skills.

use std::collections::BTreeSet;

use plugin_model::{Format, Kind, LeaveReason, Node, Sources, parse_json, parse_jsonc};
use skill_diagnostics::Diagnostic;

use crate::{
    codes::PARTS_LEFT,
    parts::{Part, is_readme},
};

/// The maximum number of parts that a finding names.
const MAX_NAMED: usize = 6;
/// The directories of parts.
const DIRECTORIES: [&str; 8] = [
    "skills", "skill", "commands", "command", "prompts", "agents", "agent", "rules",
];

/// Returns a finding about the parts that the reader does not read, if there are any. `known` are
/// the files that other findings name. Those that other packages read are theirs.
pub(crate) fn finding(
    format: Format,
    sources: &Sources<'_>,
    parts: &[Part],
    known: &[&str],
) -> Option<Diagnostic> {
    let directories: Vec<String> = parts.iter().filter_map(Part::directory).collect();
    let read: BTreeSet<&str> = parts.iter().map(|part| part.file.as_str()).collect();
    let is_read = |path: &str| {
        let mut directories = directories.iter();
        let is_inside = directories.any(|directory| {
            let rest = path.strip_prefix(directory.as_str());
            directory.is_empty() || rest.is_some_and(|rest| rest.starts_with('/'))
        });
        let is_known = read.contains(path) || known.contains(&path);
        is_inside || is_known || sources.is_read_by_others(path)
    };
    let files = sources.files.iter().map(|file| file.path.as_str());
    let paths: BTreeSet<&str> = files
        .chain(sources.texts.keys().map(String::as_str))
        .collect();
    let text = |path: &str| sources.texts.get(path).map_or("", String::as_str);
    let found = paths.into_iter().filter(|path| !is_read(path));
    let found = found.filter_map(|path| {
        let kind = kind(format, path, text(path))?;
        Some(format!("{kind} (`{}`)", path.escape_debug()))
    });
    // The reader does not see what is in a directory that is left out.
    let left = sources.left_out.iter().filter(|left| {
        let first = left.path.split('/').next().unwrap_or_default();
        left.reason == LeaveReason::UnportableName
            && left.path.ends_with('/')
            && DIRECTORIES.contains(&first)
    });
    let left = left.map(|left| {
        let (path, why) = (left.path.escape_debug(), left.reason.phrase());
        format!("a directory (`{path}`: {why})")
    });
    let found: Vec<String> = left.chain(found).collect();
    if found.is_empty() {
        return None;
    }
    let mut list = found[..found.len().min(MAX_NAMED)].join(", ");
    if found.len() > MAX_NAMED {
        list = format!("{list} and {} more", found.len() - MAX_NAMED);
    }
    let message = format!("parts of the package do not become skills: {list}");
    let finding = Diagnostic::warning(PARTS_LEFT, message);
    Some(finding.with_help(
        "set them up in your agent; --format reads those of another host in the same directory",
    ))
}

/// Returns the findings about skills inside of other skills, which their host does not offer.
pub(crate) fn inner_skills(sources: &Sources<'_>, parts: &[Part]) -> Vec<Diagnostic> {
    let read: BTreeSet<&str> = parts.iter().map(|part| part.file.as_str()).collect();
    let finding = |part: &Part| {
        let directory = part.directory().filter(|it| !it.is_empty())?;
        let files = sources.files.iter().map(|file| file.path.as_str());
        let inner = files.filter(|path| {
            let below = path.strip_prefix(directory.as_str());
            let is_inside = below.is_some_and(|below| below.starts_with('/'));
            is_inside && path.ends_with("/SKILL.md") && !read.contains(path)
        });
        let inner: Vec<String> = inner.map(|it| format!("`{}`", it.escape_debug())).collect();
        if inner.is_empty() {
            return None;
        }
        let mut list = inner[..inner.len().min(MAX_NAMED)].join(", ");
        if inner.len() > MAX_NAMED {
            list = format!("{list} and {} more", inner.len() - MAX_NAMED);
        }
        let message = format!("skills inside of this one are files of it, as in its host: {list}");
        let finding = Diagnostic::note(PARTS_LEFT, message).in_file(&*part.file);
        Some(finding.with_help("move what should be a skill of its own beside this one"))
    };
    parts.iter().filter_map(finding).collect()
}

/// Returns true for a file whose name only Copilot uses.
///
/// ```
/// assert!(plugin_readers::is_text_of_copilot("notes/tea.prompt.md"));
/// ```
pub fn is_text_of_copilot(path: &str) -> bool {
    const ENDINGS: [&str; 4] = [
        ".prompt.md",
        ".agent.md",
        ".chatmode.md",
        ".instructions.md",
    ];
    ENDINGS.iter().any(|end| path.ends_with(end))
}

/// Returns the kind of a part of any host, if the file is one.
fn kind(format: Format, path: &str, text: &str) -> Option<&'static str> {
    let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
    let first = path.split('/').next().unwrap_or_default();
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let is_readme = stem != "SKILL" && is_readme(stem);
    if let Some(kind) = settings(format, path, text) {
        return Some(kind);
    }
    match name {
        // At the top they are read beside the package.
        ".cursorrules" if path != name => return Some("a rule of Cursor"),
        "copilot-instructions.md" => return Some("instructions for every conversation"),
        "SKILL.md" if first == "skills" || first == "skill" => return Some("a skill"),
        _ => {}
    }
    if name.ends_with(".mdc") {
        return Some("a rule of Cursor");
    }
    if is_text_of_copilot(name) {
        return Some("a text for Copilot");
    }
    let is_plugin = matches!(first, "plugin" | "plugins") && format == Format::OpenCode;
    match first {
        _ if directory.is_empty() || is_readme => None,
        "output-styles" => Some("an output style"),
        "commands" if name.ends_with(".toml") => Some("a command of Gemini CLI"),
        "commands" | "command" | "prompts" if name.ends_with(".md") => Some("a prompt"),
        "agents" | "agent" if name.ends_with(".md") => Some("an agent"),
        _ if is_plugin && (name.ends_with(".ts") || name.ends_with(".js")) => {
            Some("a plugin of the host")
        }
        _ => None,
    }
}

/// Returns the kind of parts in a file with the settings of a host.
fn settings(format: Format, path: &str, text: &str) -> Option<&'static str> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let root = || parse_json(text).0;
    let has = |root: &Node, key: &str| match root.get(key).map(|node| &node.kind) {
        Some(Kind::Object(members)) => !members.is_empty(),
        Some(Kind::Array(items)) => !items.is_empty(),
        _ => false,
    };
    match name {
        "hooks.json" => root().filter(|it| has(it, "hooks")).map(|_| "hooks"),
        "settings.json" | "settings.local.json" => {
            let root = root()?;
            let rows = [("hooks", "hooks"), ("mcpServers", "MCP servers")];
            let found = rows.iter().find(|(key, _)| has(&root, key));
            found.map(|(_, kind)| *kind)
        }
        "config.toml" if text.contains("[mcp_servers") => Some("MCP servers"),
        "opencode.json" | "opencode.jsonc" if path != name => {
            let root = parse_jsonc(text).0.filter(|_| format != Format::OpenCode)?;
            let keys = ["command", "commands", "agent", "agents", "mcp", "plugin"];
            let has_any = keys.iter().any(|key| has(&root, key));
            has_any.then_some("commands, agents or servers in the settings")
        }
        _ => None,
    }
}
