//! The Agent Plugins specification: a `plugin.json` at the top, skills and MCP servers.
//!
//! Source: <https://agent-plugins.org/>, version 1.0.0.

use plugin_model::{Format, Key, Kind, Role, key, parse_json};

use crate::{
    claude,
    directory::{Claim, Directory},
    files::is_text_file,
    hooks,
    host::{Host, PartPlace},
    host_files,
    reader::{OTHER_TEXT_KEYS, Part, Reader},
};

const FILE: &str = "plugin.json";

const MANIFEST: &[Key] = &[
    key("$schema", Role::Layout),
    key("name", Role::Name),
    key("version", Role::Version),
    key("description", Role::Kept),
    key("author", Role::Author),
    key("license", Role::License),
    key("keywords", Role::Tags),
    key("homepage", Role::Kept),
    key("repository", Role::Kept),
    key("extensions", Role::Kept),
];

static HOST: Host = Host {
    format: Format::AgentPlugins,
    manifest: FILE,
    manifest_keys: MANIFEST,
    homes: &[".agents"],
    places: &[PartPlace::new("skills", "", &claude::SKILL)],
    is_qualified: true,
    hooks: &hooks::NONE,
    servers: "mcp.json",
    context: "",
    files: &host_files::NONE,
};

/// The reader of the format.
pub(crate) const READER: Reader = Reader {
    name: "agent-plugins",
    title: "packages of the Agent Plugins specification, and `.agents` directories",
    marks: "`plugin.json` with the `$schema` of the specification, or with `skills` or `mcp.json` beside it; the directory `.agents`",
    homes: &[".agents"],
    claims,
    heads: |directory, claim| HOST.heads(directory, claim),
    is_enabled: |_| true,
    is_manifest: |path| path == FILE,
    wants_text: is_text_file,
    read: |sources| HOST.read(sources),
    remarks: |_| Vec::new(),
    parts: &[
        Part {
            title: "The manifest `plugin.json`",
            keys: MANIFEST,
            others: "kept",
        },
        Part {
            title: "Skills `skills/*/SKILL.md`",
            keys: claude::TEXT_KEYS,
            others: OTHER_TEXT_KEYS,
        },
    ],
};

/// Claims a directory whose `plugin.json` is one of this specification: many programs have files of
/// that name.
fn claims(directory: &dyn Directory) -> Option<Claim> {
    let claim = HOST.claim(directory)?;
    if claim.manifest_file.is_empty() {
        return Some(claim);
    }
    let bytes = directory.read(FILE)?;
    let text = std::str::from_utf8(&bytes).ok()?;
    let root = parse_json(text.trim_start_matches('\u{feff}')).0?;
    let schema = root.get("$schema").and_then(plugin_model::Node::as_str);
    let is_named = schema.is_some_and(|schema| schema.contains("agent-plugins"));
    let has_name = matches!(
        root.get("name").map(|name| &name.kind),
        Some(Kind::String(_))
    );
    // A `$schema` that is not known can be that of a later version, if the parts are there.
    let has_parts = match schema {
        Some(_) => HOST.has_parts(directory),
        None => directory.has("skills") || directory.has("mcp.json"),
    };
    let is_other = root.get("pluginType").is_some();
    (is_named || has_name && has_parts && !is_other).then_some(claim)
}
