//! Codex: plugins with skills, and `.codex` directories with prompts and skills.
//!
//! Source: <https://developers.openai.com/codex/plugins> and
//! <https://developers.openai.com/codex/custom-prompts>, as of August 2026.

use plugin_model::{Format, Key, Role, UnitKind, key};

use crate::{
    claude,
    files::is_text_file,
    hooks,
    host::{Host, PartPlace},
    host_files::HostFiles,
    host_remarks,
    parts::PartKind,
    reader::{OTHER_TEXT_KEYS, Part, Reader},
};

const MANIFEST: &[Key] = &[
    key("name", Role::Name),
    key("version", Role::Version),
    key("description", Role::Kept),
    key("author", Role::Author),
    key("license", Role::License),
    key("keywords", Role::Tags),
    key("homepage", Role::Kept),
    key("repository", Role::Kept),
    key("skills", Role::Layout),
    key("mcpServers", Role::Servers),
    key("hooks", hooks::IN_MANIFEST),
    key("apps", Role::Kept),
    key("interface", Role::Kept),
];

const PROMPT_KEYS: &[Key] = &[
    key("description", Role::Description),
    key("argument-hint", Role::ArgumentHint),
];

static PROMPT: PartKind = PartKind {
    word: "prompt",
    unit: UnitKind::Prompt,
    keys: PROMPT_KEYS,
};

static FILES: HostFiles = HostFiles {
    settings: &["config.toml"],
    servers: ("config.toml", "mcp_servers"),
    instructions: &["AGENTS.md"],
};

static HOST: Host = Host {
    format: Format::Codex,
    manifest: ".codex-plugin/plugin.json",
    manifest_keys: MANIFEST,
    homes: &[".codex"],
    places: &[
        PartPlace {
            adds: true,
            ..PartPlace::new("skills", "", &claude::SKILL)
        },
        PartPlace {
            key: "",
            ..PartPlace::new("prompts", ".md", &PROMPT)
        },
    ],
    is_qualified: true,
    hooks: &hooks::CODEX,
    servers: ".mcp.json",
    context: "",
    files: &FILES,
};

/// The reader of the format.
pub(crate) const READER: Reader = Reader {
    name: "codex",
    title: "plugins, prompts and `.codex` directories of Codex",
    marks: "`.codex-plugin/plugin.json`, the directory `.codex`, or, if nothing else is found, `prompts/*.md`",
    homes: &[".codex"],
    claims: |directory| HOST.claim(directory).or_else(|| HOST.claim_last(directory)),
    heads: |directory, claim| HOST.heads(directory, claim),
    is_enabled: |_| true,
    is_manifest: |path| path.starts_with(".codex-plugin/"),
    wants_text: is_text_file,
    read: |sources| HOST.read(sources),
    remarks: |directory| host_remarks::of(&HOST, directory, directory.has(HOST.manifest)),
    parts: &[
        Part {
            title: "The manifest `.codex-plugin/plugin.json`",
            keys: MANIFEST,
            others: "kept",
        },
        Part {
            title: "Prompts `prompts/*.md`",
            keys: PROMPT_KEYS,
            others: OTHER_TEXT_KEYS,
        },
        hooks::CODEX_PART,
        Part {
            title: "Skills `skills/*/SKILL.md`",
            keys: claude::TEXT_KEYS,
            others: OTHER_TEXT_KEYS,
        },
    ],
};
