//! Gemini CLI: extensions with TOML commands, skills and agents, and `.gemini` directories.
//!
//! Source: <https://geminicli.com/docs/extensions/reference/> and
//! <https://geminicli.com/docs/cli/custom-commands/>, as of August 2026.

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
    key("license", Role::License),
    key("contextFileName", Role::Layout),
    key("settings", Role::Settings),
    key("mcpServers", Role::Servers),
    key("hooks", hooks::IN_MANIFEST),
    key(
        "excludeTools",
        Role::Stated("The old host did not let it use these tools: {}."),
    ),
    key("plan", Role::Kept),
    key(
        "themes",
        Role::Dropped("it belongs to the terminal, not to a skill"),
    ),
];

const COMMAND_KEYS: &[Key] = &[
    key("description", Role::Description),
    key("prompt", Role::Body),
];

static COMMAND: PartKind = PartKind {
    word: "command",
    unit: UnitKind::Prompt,
    keys: COMMAND_KEYS,
};

static FILES: HostFiles = HostFiles {
    settings: &["settings.json"],
    servers: ("settings.json", "mcpServers"),
    instructions: &["GEMINI.md"],
};

static HOST: Host = Host {
    format: Format::Gemini,
    manifest: "gemini-extension.json",
    manifest_keys: MANIFEST,
    homes: &[".gemini"],
    places: &[
        PartPlace::new("skills", "", &claude::SKILL),
        PartPlace::new("commands", ".toml", &COMMAND),
        PartPlace::new("agents", ".md", &claude::BARE_AGENT),
    ],
    is_qualified: false,
    hooks: &hooks::GEMINI,
    servers: "",
    context: "GEMINI.md",
    files: &FILES,
};

/// The reader of the format.
pub(crate) const READER: Reader = Reader {
    name: "gemini",
    title: "extensions and `.gemini` directories of Gemini CLI",
    marks: "`gemini-extension.json`, or the directory `.gemini`",
    homes: &[".gemini"],
    claims: |directory| HOST.claim(directory),
    heads: |directory, claim| HOST.heads(directory, claim),
    is_enabled: |_| true,
    is_manifest: |path| path == "gemini-extension.json",
    wants_text: is_text_file,
    read: |sources| HOST.read(sources),
    remarks: |directory| host_remarks::of(&HOST, directory, directory.has(HOST.manifest)),
    parts: &[
        Part {
            title: "The manifest `gemini-extension.json`",
            keys: MANIFEST,
            others: "kept",
        },
        Part {
            title: "Commands `commands/**/*.toml`",
            keys: COMMAND_KEYS,
            others: OTHER_TEXT_KEYS,
        },
        hooks::GEMINI_PART,
        Part {
            title: "Skills `skills/*/SKILL.md`",
            keys: claude::TEXT_KEYS,
            others: OTHER_TEXT_KEYS,
        },
        Part {
            title: "Agents `agents/**/*.md`",
            keys: claude::BARE_AGENT_KEYS,
            others: OTHER_TEXT_KEYS,
        },
    ],
};
