//! Cursor: plugins with commands, agents, skills and rules, and `.cursor` directories.
//!
//! Source: <https://cursor.com/docs/plugins>, <https://cursor.com/docs/context/rules> and
//! <https://cursor.com/docs/context/commands>, as of August 2026.

use plugin_model::{Format, Key, Kind, Node, Role, UnitKind, key};

use crate::{
    claude,
    files::is_text_file,
    hooks,
    host::{Host, PartPlace},
    host_files, host_remarks,
    parts::PartKind,
    reader::{self, OTHER_TEXT_KEYS, Part, Reader},
};

const MANIFEST: &[Key] = &[
    key("name", Role::Name),
    key("displayName", Role::Kept),
    key("version", Role::Version),
    key("description", Role::Kept),
    key("author", Role::Author),
    key("license", Role::License),
    key("keywords", Role::Tags),
    key("tags", Role::Kept),
    key("category", Role::Domain),
    key("homepage", Role::Kept),
    key("repository", Role::Kept),
    key("publisher", Role::Kept),
    key("logo", Role::Kept),
    key("minClientVersions", Role::Kept),
    key("variables", Role::Settings),
    key("skills", Role::Layout),
    key("commands", Role::Layout),
    key("agents", Role::Layout),
    key("rules", Role::Layout),
    key("mcpServers", Role::Servers),
    key("hooks", hooks::IN_MANIFEST),
];

const COMMAND_KEYS: &[Key] = &[
    key("name", Role::Name),
    key("description", Role::Description),
];

const AGENT_KEYS: &[Key] = &[
    key("name", Role::Name),
    key("description", Role::Description),
    key("model", Role::Kept),
    key("is_background", Role::Kept),
    key(
        "readonly",
        Role::StatedBy(
            &[("true", "Change nothing: the old host let it only read.")],
            "",
        ),
    ),
];

const RULE_KEYS: &[Key] = &[
    key("description", Role::Description),
    key(
        "globs",
        Role::Stated("The old host applied it to files that match {}."),
    ),
    key(
        "alwaysApply",
        Role::StatedBy(&[("true", "The old host always applied it.")], ""),
    ),
];

static COMMAND: PartKind = PartKind {
    word: "command",
    unit: UnitKind::Prompt,
    keys: COMMAND_KEYS,
};
static AGENT: PartKind = PartKind {
    word: reader::AGENT,
    unit: UnitKind::Agent,
    keys: AGENT_KEYS,
};
static GUIDE: PartKind = PartKind {
    word: "guide",
    unit: UnitKind::Instructions,
    keys: RULE_KEYS,
};
static RULE: PartKind = PartKind {
    word: reader::RULE,
    unit: UnitKind::Instructions,
    keys: RULE_KEYS,
};

/// Returns the kind of a rule: one that the agent chooses by its description is a skill.
fn kind_of_rule(root: &Node) -> &'static PartKind {
    let is_set = |key: &str| match root.get(key).map(|node| &node.kind) {
        None | Some(Kind::Null | Kind::Bool(false)) => false,
        Some(Kind::String(text)) => !matches!(text.trim(), "" | "false"),
        Some(Kind::Array(items)) => !items.is_empty(),
        Some(_) => true,
    };
    if is_set("description") && !is_set("globs") && !is_set("alwaysApply") {
        &GUIDE
    } else {
        &RULE
    }
}

static HOST: Host = Host {
    format: Format::Cursor,
    manifest: ".cursor-plugin/plugin.json",
    manifest_keys: MANIFEST,
    homes: &[".cursor"],
    places: &[
        PartPlace::new("skills", "", &claude::SKILL),
        PartPlace::new("commands", ".md", &COMMAND),
        PartPlace::new("agents", ".md", &AGENT),
        PartPlace {
            kind_of: Some(kind_of_rule),
            ..PartPlace::new("rules", ".mdc", &RULE)
        },
    ],
    is_qualified: false,
    hooks: &hooks::CURSOR,
    servers: "mcp.json",
    context: "",
    files: &host_files::NONE,
};

/// The reader of the format.
pub(crate) const READER: Reader = Reader {
    name: "cursor",
    title: "plugins and `.cursor` directories of Cursor",
    marks: "`.cursor-plugin/plugin.json`, or the directory `.cursor`",
    homes: &[".cursor"],
    claims: |directory| HOST.claim(directory),
    heads: |directory, claim| HOST.heads(directory, claim),
    is_enabled: |_| true,
    is_manifest: |path| path.starts_with(".cursor-plugin/"),
    wants_text: is_text_file,
    read: |sources| HOST.read(sources),
    remarks: |directory| host_remarks::of(&HOST, directory, directory.has(HOST.manifest)),
    parts: &[
        Part {
            title: "The manifest `.cursor-plugin/plugin.json`",
            keys: MANIFEST,
            others: "kept",
        },
        Part {
            title: "Commands `commands/*.md`",
            keys: COMMAND_KEYS,
            others: OTHER_TEXT_KEYS,
        },
        Part {
            title: "Agents `agents/*.md`",
            keys: AGENT_KEYS,
            others: OTHER_TEXT_KEYS,
        },
        Part {
            title: "Rules `rules/**/*.mdc`: a skill if the agent chooses it by its description, else only with `--rules`",
            keys: RULE_KEYS,
            others: OTHER_TEXT_KEYS,
        },
        hooks::CURSOR_PART,
        Part {
            title: "Skills `skills/*/SKILL.md`",
            keys: claude::TEXT_KEYS,
            others: OTHER_TEXT_KEYS,
        },
    ],
};
