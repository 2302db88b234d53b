//! GitHub Copilot: prompt, agent and instruction files, in `.github` or beside each other.
//!
//! Source: <https://code.visualstudio.com/docs/copilot/customization/prompt-files>, `custom-agents`
//! and `custom-instructions` beside it, as of August 2026.

use plugin_model::{Format, Key, Node, Role, UnitKind, key};

use crate::{
    claude,
    directory::{Claim, Directory},
    files::is_text_file,
    hooks,
    host::{Host, PartPlace},
    host_files::HostFiles,
    host_remarks,
    parts::PartKind,
    reader::{self, OTHER_TEXT_KEYS, Part, Reader},
};

const ASK: &str = "Plan and answer only; change no files.";

const GIVEN: &str = "The old host gave it to the agent `{}`.";
/// The agents that the host has itself.
const OWN_AGENTS: &[(&str, &str)] = &[
    ("ask", ASK),
    ("agent", ""),
    ("edit", ""),
    ("plan", ASK),
    ("Plan", ASK),
];

const PROMPT_KEYS: &[Key] = &[
    key("name", Role::Name),
    key("description", Role::Description),
    key("argument-hint", Role::ArgumentHint),
    key("agent", Role::StatedBy(OWN_AGENTS, GIVEN)),
    key("mode", Role::StatedBy(OWN_AGENTS, GIVEN)),
    key("tools", Role::OnlyTools),
    key("model", Role::Kept),
    key("tested_with", Role::Kept),
    key("tags", Role::Kept),
];

const AGENT_KEYS: &[Key] = &[
    key("name", Role::Name),
    key("description", Role::Description),
    key("argument-hint", Role::Kept),
    key("tools", Role::OnlyTools),
    key("agents", Role::Stated("It hands work to these agents: {}.")),
    key("model", Role::Kept),
    key(
        "handoffs",
        Role::Stated("The old host offered these next steps: {}."),
    ),
    key("hooks", Role::Hooks),
    key("target", Role::Kept),
    key(
        "mcp-servers",
        Role::StatedNames("The old host gave it these MCP servers: {}."),
    ),
    key("user-invocable", Role::StatedBy(reader::LISTED, "")),
    key("user-invokable", Role::StatedBy(reader::LISTED, "")),
    key("disable-model-invocation", Role::OnRequest),
    key("infer", Role::OffersItself),
];

const RULE_KEYS: &[Key] = &[
    key("name", Role::Name),
    key("description", Role::Description),
    key(
        "applyTo",
        Role::Stated("The old host applied it to files that match {}."),
    ),
    key("excludeAgent", Role::Kept),
];

static PROMPT: PartKind = PartKind {
    word: "prompt",
    unit: UnitKind::Prompt,
    keys: PROMPT_KEYS,
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

/// Returns the kind of instructions: those without paths are chosen by their description.
fn kind_of_rule(root: &Node) -> &'static PartKind {
    if root.get("applyTo").is_none() && root.get("description").is_some() {
        &GUIDE
    } else {
        &RULE
    }
}

static FILES: HostFiles = HostFiles {
    settings: &[],
    servers: ("", ""),
    instructions: &["copilot-instructions.md"],
};

static HOST: Host = Host {
    format: Format::Copilot,
    manifest: "",
    manifest_keys: &[],
    homes: &[".github"],
    places: &[
        PartPlace::new("skills", "", &claude::SKILL),
        PartPlace::new("prompts", ".prompt.md", &PROMPT),
        PartPlace::new("agents", ".agent.md", &AGENT),
        // VS Code reads every text there.
        PartPlace::new("agents", ".md", &AGENT),
        PartPlace::new("chatmodes", ".chatmode.md", &AGENT),
        PartPlace {
            kind_of: Some(kind_of_rule),
            ..PartPlace::new("instructions", ".instructions.md", &RULE)
        },
    ],
    is_qualified: false,
    hooks: &hooks::NONE,
    servers: "",
    context: "",
    files: &FILES,
};

/// The reader of the format.
pub(crate) const READER: Reader = Reader {
    name: "copilot",
    title: "prompts, agents and instructions of GitHub Copilot",
    marks: "the directory `.github`, or `prompts/*.prompt.md`, `agents/*.agent.md`, `chatmodes/*.chatmode.md`, `instructions/*.instructions.md`",
    homes: &[".github"],
    claims,
    heads: |directory, claim| HOST.heads(directory, claim),
    is_enabled: |_| true,
    is_manifest: |_| false,
    wants_text: is_text_file,
    read: |sources| HOST.read(sources),
    remarks: |directory| host_remarks::of(&HOST, directory, false),
    parts: &[
        Part {
            title: "Prompts `prompts/*.prompt.md`",
            keys: PROMPT_KEYS,
            others: OTHER_TEXT_KEYS,
        },
        Part {
            title: "Agents `agents/*.agent.md`, `agents/*.md`, `chatmodes/*.chatmode.md`",
            keys: AGENT_KEYS,
            others: OTHER_TEXT_KEYS,
        },
        Part {
            title: "Instructions `instructions/*.instructions.md`: a skill if the agent chooses them by their description, else only with `--rules`",
            keys: RULE_KEYS,
            others: OTHER_TEXT_KEYS,
        },
        Part {
            title: "Skills `skills/*/SKILL.md`",
            keys: claude::TEXT_KEYS,
            others: OTHER_TEXT_KEYS,
        },
    ],
};

/// Claims `.github`, and directories with files whose names only this host has.
fn claims(directory: &dyn Directory) -> Option<Claim> {
    let claim = HOST.claim(directory);
    claim.or_else(|| HOST.has_own_files(directory).then(Claim::default))
}
