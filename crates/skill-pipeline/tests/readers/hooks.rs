//! Hooks of packages: those that only print become skills.

use skill_pipeline::HostedPolicy;

use crate::Expected::{Has, Lacks, NoFile, Says, Silent};
use crate::{PLUGIN, check, check_with};

const TEA: &str = r#"{"name": "tea", "version": "1.2.0", "license": "MIT"}"#;

#[test]
fn a_package_of_hooks_that_print_is_a_skill() {
    check(
        &[
            (PLUGIN, TEA),
            (
                "hooks/hooks.json",
                r#"{"hooks": {"SessionStart": [{"matcher": "startup", "hooks": [{"type": "command", "command": "bash \"${CLAUDE_PLUGIN_ROOT}/hooks/start\""}]}]}}"#,
            ),
            (
                "hooks/start",
                "#!/usr/bin/env bash\ncat << 'EOF'\n{\"hookSpecificOutput\": {\"additionalContext\": \"Use green tea.\\nWarm it.\"}}\nEOF\n",
            ),
        ],
        &[
            Has("tea-session-start/METADATA.yml", "type: static"),
            Has("tea-session-start/METADATA.yml", "version: \"1.2.0\""),
            Has("tea-session-start/METADATA.yml", "TEA_SESSION_START"),
            Has(
                "tea-session-start/scripts/context.md",
                "Use green tea.\nWarm it.\n",
            ),
            Has("tea-session-start/SKILL.md", "(`SessionStart`: `startup`)"),
            Silent("hooks-not-carried"),
        ],
    );
}

#[test]
fn hooks_with_effects_are_kept_and_named() {
    check(
        &[
            (PLUGIN, TEA),
            (
                "hooks/hooks.json",
                r#"{"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "echo a > ~/x"}, {"type": "command", "command": "echo b"}]}], "Stop": [{"hooks": [{"type": "prompt", "prompt": "Done?"}]}]}}"#,
            ),
            ("commands/brew.md", "Brew.\n"),
        ],
        &[
            Has("tea-session-start/scripts/context.md", "b\n"),
            Has("tea-session-start/METADATA.yml", "command: echo a > ~/x"),
            Has("brew/references/hooks.json", "Done?"),
            Says("the hooks of the package are not carried: `SessionStart`, `Stop`"),
        ],
    );
}

#[test]
fn a_hook_at_every_message_rewrites_messages() {
    let files = [
        (
            PLUGIN,
            r#"{"name": "tea", "hooks": {"UserPromptSubmit": [{"hooks": [{"type": "command", "command": "echo Answer in verse."}]}]}}"#,
        ),
        ("commands/brew.md", "Brew.\n"),
    ];
    let kept = |options: &mut skill_pipeline::MigrateOptions| options.hosted = HostedPolicy::Keep;
    check_with(
        kept,
        &files,
        &[
            Has("tea-user-prompt-submit/METADATA.yml", "type: preprocessor"),
            Has(
                "tea-user-prompt-submit/scripts/context.md",
                "Answer in verse.\n",
            ),
            Has(
                "tea-user-prompt-submit/scripts/add-context.cjs",
                "processMessages",
            ),
            Has("brew/METADATA.yml", "name: tea:brew"),
            NoFile("brew/references/hooks.json"),
            Silent("hooks-not-carried"),
        ],
    );
}

#[test]
fn other_hosts_add_only_their_own_form() {
    let hooks = r#"{"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "echo for the user"}]}], "BeforeAgent": [{"hooks": [{"type": "command", "command": "echo '{\"hookSpecificOutput\": {\"additionalContext\": \"Be brief.\"}}'"}]}]}}"#;
    let keep = |options: &mut skill_pipeline::MigrateOptions| options.hosted = HostedPolicy::Keep;
    check_with(
        keep,
        &[
            ("g/gemini-extension.json", r#"{"name": "g"}"#),
            ("g/hooks/hooks.json", hooks),
            ("c/.cursor-plugin/plugin.json", r#"{"name": "c"}"#),
            (
                "c/hooks/hooks.json",
                r#"{"version": 1, "hooks": {"sessionStart": [{"command": "echo '{\"additional_context\": \"Tabs.\"}'"}], "stop": [{"command": "./stop.sh"}]}}"#,
            ),
        ],
        &[
            Has("g-before-agent/scripts/context.md", "Be brief.\n"),
            NoFile("g-session-start"),
            Has("c-session-start/scripts/context.md", "Tabs.\n"),
            Says(
                "g#hook/before-agent: hooks-not-carried: the hooks of the package are not carried: `SessionStart`",
            ),
            Says("not carried: `stop`"),
        ],
    );
}

#[test]
fn the_settings_of_a_project_have_hooks() {
    check(
        &[
            (
                ".claude/settings.json",
                r#"{"permissions": {"allow": ["Bash"]}, "hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "$CLAUDE_PROJECT_DIR/.claude/hooks/start.sh"}]}]}}"#,
            ),
            (".claude/hooks/start.sh", "echo \"House\"\necho rules\n"),
        ],
        &[
            Has("session-start/scripts/context.md", "House\nrules\n"),
            Lacks("session-start/METADATA.yml", "Bash"),
        ],
    );
}
