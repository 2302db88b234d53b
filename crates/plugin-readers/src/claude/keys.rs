//! The keys of Claude Code, and their fates.
//!
//! Source: <https://code.claude.com/docs/en/plugins-reference>, <https://code.claude.com/docs/en/skills>
//! and <https://code.claude.com/docs/en/sub-agents>, as of August 2026.

use plugin_model::{Key, Role, key};

use crate::{
    hooks,
    reader::{LISTED, joined},
};

/// The keys of `plugin.json`, and of the entries of a marketplace.
pub(crate) const MANIFEST: &[Key] = &[
    key("name", Role::Name),
    key("displayName", Role::Kept),
    key("version", Role::Version),
    key("description", Role::Kept),
    key("author", Role::Author),
    key("license", Role::License),
    key("keywords", Role::Tags),
    key("tags", Role::Tags),
    key("category", Role::Domain),
    key("homepage", Role::Kept),
    key("repository", Role::Kept),
    key("defaultEnabled", Role::Enabled),
    key("source", Role::Layout),
    key("strict", Role::Layout),
    key("commands", Role::Layout),
    key("agents", Role::Layout),
    key("skills", Role::Layout),
    key("userConfig", Role::Settings),
    key("mcpServers", Role::Servers),
    key("hooks", hooks::IN_MANIFEST),
    key("dependencies", Role::Kept),
    key("outputStyles", Role::Dropped(EDITOR)),
    key("lspServers", Role::Dropped(EDITOR)),
    key("monitors", Role::Dropped(EDITOR)),
    key("themes", Role::Dropped(EDITOR)),
    key("workflows", Role::Dropped(EDITOR)),
    key("channels", Role::Dropped(EDITOR)),
    key("settings", Role::Dropped(EDITOR)),
    key("experimental", Role::Dropped(EDITOR)),
];

const EDITOR: &str = "it belongs to the editor, not to a skill";
const IGNORED: &str = "its own host ignores it in plugins";

/// The keys of commands and skills.
pub(crate) const TEXT: &[Key] = &[
    key("name", Role::Name),
    key("description", Role::Description),
    key("when_to_use", Role::WhenToUse),
    key("when-to-use", Role::WhenToUse),
    key("license", Role::License),
    key("compatibility", Role::Compatibility),
    key("metadata", Role::Metadata),
    key("allowed-tools", Role::AllowedTools),
    key("argument-hint", Role::ArgumentHint),
    key("arguments", Role::Arguments),
    key("disable-model-invocation", Role::OnRequest),
    key(
        "disallowed-tools",
        Role::Stated("The old host did not let it use these tools: {}."),
    ),
    key(
        "context",
        Role::Stated("The old host ran it apart from the conversation (`context: {}`)."),
    ),
    key(
        "agent",
        Role::Stated("The old host gave it to the agent `{}`."),
    ),
    key("model", Role::Kept),
    key("effort", Role::Kept),
    key("background", Role::Kept),
    key("shell", Role::Kept),
    key("paths", Role::Kept),
    key("user-invocable", Role::StatedBy(LISTED, "")),
    key("hide-from-slash-command-tool", Role::OnRequest),
    key("hooks", Role::Hooks),
];

/// The keys that agents have in and outside of plugins. `tools` restricts there, and `allowed-tools` of a
/// skill permits.
const OF_AGENTS: &[Key] = &[
    key("name", Role::Name),
    key("description", Role::Description),
    key("when_to_use", Role::WhenToUse),
    key("license", Role::License),
    key("tools", Role::OnlyTools),
    key(
        "disallowedTools",
        Role::Stated("The old host did not let it use these tools: {}."),
    ),
    key("skills", Role::Stated("It uses these skills: {}.")),
    key("model", Role::Kept),
    key("effort", Role::Kept),
    key("maxTurns", Role::Kept),
    key("memory", Role::Kept),
    key("isolation", Role::Kept),
    key("color", Role::Kept),
    key("background", Role::Kept),
    key("initialPrompt", Role::Kept),
];

/// The keys of agents of plugins.
pub(crate) const AGENT: &[Key] = &joined::<{ OF_AGENTS.len() + 3 }>(
    OF_AGENTS,
    &[
        key("permissionMode", Role::Dropped(IGNORED)),
        key("mcpServers", Role::Dropped(IGNORED)),
        key("hooks", Role::Dropped(IGNORED)),
    ],
);

/// The permission modes that need no sentence of their own, and the sentences of those that do.
const MODES: &[(&str, &str)] = &[("default", ""), ("plan", PLAN)];
const PLAN: &str = "Plan and answer only; change no files.";

/// The keys of agents that are not in a plugin, where the host ignores none.
pub(crate) const BARE_AGENT: &[Key] = &joined::<{ OF_AGENTS.len() + 3 }>(
    OF_AGENTS,
    &[
        key(
            "permissionMode",
            Role::StatedBy(MODES, "The old host ran it in the permission mode `{}`."),
        ),
        key(
            "mcpServers",
            Role::StatedNames("The old host gave it these MCP servers: {}."),
        ),
        key("hooks", Role::Hooks),
    ],
);
