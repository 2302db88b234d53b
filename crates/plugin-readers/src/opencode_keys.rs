//! The keys of the commands and agents of OpenCode, in files and in its settings.

use plugin_model::{Key, Role, key};

use crate::reader::NOT_LISTED;

/// The keys of commands.
pub(crate) const COMMAND_KEYS: &[Key] = &[
    key("description", Role::Description),
    key(
        "agent",
        Role::Stated("The old host gave it to the agent `{}`."),
    ),
    key("subtask", Role::Kept),
    key("model", Role::Kept),
];

/// The keys of agents.
pub(crate) const AGENT_KEYS: &[Key] = &[
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
    key("hidden", Role::StatedBy(NOT_LISTED, "")),
    key("disable", Role::Off),
    key("color", Role::Kept),
];
