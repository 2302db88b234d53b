//! The hooks of each host.

use plugin_model::{Key, Moment, Role, key};

use crate::reader::Part;

use super::Rules;

/// The fate of `hooks` in a manifest.
pub(crate) const IN_MANIFEST: Role =
    Role::Becomes("a skill for each hook that only prints; the others are kept, with a finding");
const START: Role = Role::Becomes(
    "a `static` skill for each program that only prints; the others are kept, with a finding",
);
const MESSAGE: Role = Role::Becomes(
    "a `preprocessor` skill for each program that only prints; the others are kept, with a finding",
);
const OTHERS: &str = "other events are kept in `references/hooks.json`, with a finding";

const CLAUDE_KEYS: &[Key] = &[key("SessionStart", START), key("UserPromptSubmit", MESSAGE)];
const GEMINI_KEYS: &[Key] = &[key("SessionStart", START), key("BeforeAgent", MESSAGE)];
const CURSOR_KEYS: &[Key] = &[key("sessionStart", START)];
const CLAUDE_EVENTS: &[(&str, Moment)] = &[
    ("SessionStart", Moment::Start),
    ("UserPromptSubmit", Moment::Message),
];

/// Claude Code adds what a program prints, or `additionalContext` of it if it is JSON.
pub(crate) static CLAUDE: Rules = CLAUDE_RULES;
/// Codex has the events of Claude Code.
pub(crate) static CODEX: Rules = Rules {
    file: "hooks.json",
    home_file: "",
    ..CLAUDE_RULES
};
/// Gemini CLI shows what is not JSON to the user.
pub(crate) static GEMINI: Rules = Rules {
    events: &[
        ("SessionStart", Moment::Start),
        ("BeforeAgent", Moment::Message),
    ],
    takes_plain: false,
    ..CLAUDE_RULES
};
/// Cursor takes no text at a message of the user.
pub(crate) static CURSOR: Rules = Rules {
    home_file: "hooks.json",
    events: &[("sessionStart", Moment::Start)],
    takes_plain: false,
    ..CLAUDE_RULES
};

const CLAUDE_RULES: Rules = Rules {
    file: "hooks/hooks.json",
    home_file: "settings.json",
    events: CLAUDE_EVENTS,
    takes_plain: true,
};

/// The rows of the hooks on the page of the formats.
pub(crate) const CLAUDE_PART: Part = Part {
    title: "Hooks `hooks/hooks.json`, or `settings.json` of `.claude`",
    keys: CLAUDE_KEYS,
    others: OTHERS,
};
pub(crate) const CODEX_PART: Part = Part {
    title: "Hooks `hooks.json`",
    ..CLAUDE_PART
};
pub(crate) const GEMINI_PART: Part = Part {
    title: "Hooks `hooks/hooks.json`, or `settings.json` of `.gemini`",
    keys: GEMINI_KEYS,
    others: OTHERS,
};
pub(crate) const CURSOR_PART: Part = Part {
    title: "Hooks `hooks/hooks.json`, or `hooks.json` of `.cursor`",
    keys: CURSOR_KEYS,
    others: OTHERS,
};
