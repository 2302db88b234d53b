//! OpenCode: commands, agents and skills in `.opencode` directories.
//!
//! Source: <https://opencode.ai/docs/commands/> and <https://opencode.ai/docs/agents/>, as of August
//! 2026. Directories have a singular and a plural name.

use plugin_model::{Format, Key, Role, UnitKind, key};

use crate::{
    claude,
    files::is_text_file,
    hooks,
    host::{Host, PartPlace},
    parts::PartKind,
    reader::{self, OTHER_TEXT_KEYS, Part, Reader},
};

const COMMAND_KEYS: &[Key] = &[
    key("description", Role::Description),
    key(
        "agent",
        Role::Stated("The old host gave it to the agent `{}`."),
    ),
    key("subtask", Role::Kept),
    key("model", Role::Kept),
];

const AGENT_KEYS: &[Key] = &[
    key("description", Role::Description),
    key("tools", Role::Stated("The old host set its tools: {}.")),
    key(
        "permission",
        Role::Stated("The old host set its permissions: {}."),
    ),
    key("mode", Role::Kept),
    key("model", Role::Kept),
    key("temperature", Role::Kept),
    key("top_p", Role::Kept),
    key("steps", Role::Kept),
    key("maxSteps", Role::Kept),
    key("hidden", Role::Kept),
    key("disable", Role::Kept),
    key("color", Role::Kept),
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

static HOST: Host = Host {
    format: Format::OpenCode,
    manifest: "",
    manifest_keys: &[],
    homes: &[".opencode"],
    places: &[
        PartPlace::new("skills", "", &claude::SKILL),
        PartPlace::new("skill", "", &claude::SKILL),
        PartPlace::new("commands", ".md", &COMMAND),
        PartPlace::new("command", ".md", &COMMAND),
        PartPlace::new("agents", ".md", &AGENT),
        PartPlace::new("agent", ".md", &AGENT),
    ],
    is_qualified: false,
    hooks: &hooks::NONE,
    servers: "",
    context: "",
};

/// The reader of the format.
pub(crate) const READER: Reader = Reader {
    name: "opencode",
    title: "`.opencode` directories of OpenCode",
    marks: "the directory `.opencode`",
    claims: |directory| HOST.claim(directory),
    heads: |directory, claim| HOST.heads(directory, claim),
    is_enabled: |_| true,
    is_manifest: |_| false,
    wants_text: is_text_file,
    read: |sources| HOST.read(sources),
    remarks: |_| Vec::new(),
    parts: &[
        Part {
            title: "Commands `command/**/*.md`, `commands/**/*.md`",
            keys: COMMAND_KEYS,
            others: OTHER_TEXT_KEYS,
        },
        Part {
            title: "Agents `agent/**/*.md`, `agents/**/*.md`",
            keys: AGENT_KEYS,
            others: OTHER_TEXT_KEYS,
        },
        Part {
            title: "Skills `skill/*/SKILL.md`, `skills/*/SKILL.md`",
            keys: claude::TEXT_KEYS,
            others: OTHER_TEXT_KEYS,
        },
    ],
};
