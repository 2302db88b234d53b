//! Files of hosts in a project besides texts: settings, servers, and instructions.

use crate::Expected::{Has, Lacks, NoFile, Says, Silent};
use crate::{PLUGIN, check, lay_out, run};

#[test]
fn a_broken_file_beside_good_parts_is_an_error() {
    let command = "commands/brew.md";
    let cases = [
        (".claude/commands/brew.md", ".claude/settings.json", "{oops"),
        (
            ".claude/commands/brew.md",
            ".claude/settings.local.json",
            "{oops",
        ),
        (".cursor/commands/brew.md", ".cursor/mcp.json", "{oops"),
        (".cursor/commands/brew.md", ".cursor/hooks.json", "{oops"),
        (".gemini/skills/brew/SKILL.md", ".gemini/settings.json", "{"),
        (".codex/prompts/brew.md", ".codex/config.toml", "[oops\n"),
        (".codex/prompts/brew.md", ".codex/hooks.json", "oops"),
        (".claude/commands/brew.md", ".vscode/mcp.json", "{oops"),
        (".opencode/command/brew.md", "opencode.json", "{oops"),
        (command, "hooks/hooks.json", "{oops"),
        (command, "config/servers.json", "{oops"),
    ];
    for (good, bad, text) in cases {
        let dir = tempfile::tempdir().unwrap();
        let mut files = vec![
            (good, "---\ndescription: Brews tea\n---\nBrew.\n"),
            (bad, text),
        ];
        if good == command {
            files.push((
                PLUGIN,
                r#"{"name": "p", "mcpServers": "./config/servers.json"}"#,
            ));
        }
        lay_out(&dir.path().join("in"), &files);
        let migrated = run(dir.path(), |_| ());
        let found: Vec<&str> = migrated
            .not_searched
            .iter()
            .filter(|it| it.code.0 == "unreadable-part")
            .filter_map(|it| it.place.file.as_deref())
            .collect();
        assert_eq!(found, [bad], "{good}: {:?}", migrated.not_searched);
        assert!(migrated.is_incomplete(), "{bad}");
        assert!(
            dir.path().join("out/brew/SKILL.md").exists(),
            "{bad}: {:?}",
            migrated.outcomes
        );
    }
}

#[test]
fn settings_of_hosts_have_servers() {
    check(
        &[
            (
                ".codex/config.toml",
                "model = \"m\"\napproval_policy = \"never\"\n[mcp_servers.tea]\ncommand = \"npx\"\nargs = [\"-y\", \"tea-server\"]\nenv_vars = [\"TEA_HOME\"]\ntool_timeout_sec = 2.5\nenabled_tools = [\"brew\"]\nenv = { TEA_LEVEL = \"3\" }\n[mcp_servers.cup]\nurl = \"https://cup.example/mcp\"\nbearer_token_env_var = \"CUP_TOKEN\"\nhttp_headers = { \"X-A\" = \"b\" }\nenv_http_headers = { \"X-Key\" = \"CUP_KEY\" }\n[mcp_servers.none]\nargs = [\"x\"]\n",
            ),
            (
                ".gemini/settings.json",
                r#"{"theme": "t", "tools": {"exclude": ["x"]}, /* two */ "mcpServers": {"pot": {"command": "node", "args": ["/pot/index.js"], "includeTools": ["fill", "pour"], "excludeTools": ["pour"], "trust": true}}}"#,
            ),
        ],
        &[
            Has("tea/METADATA.yml", "package: npm:tea-server"),
            Has("tea/METADATA.yml", "TEA_HOME: \"${TEA_HOME}\""),
            Has("tea/METADATA.yml", "TEA_LEVEL: \"3\""),
            Has("tea/METADATA.yml", "timeout_ms: 2500"),
            Has("tea/METADATA.yml", "only_tools:\n      - brew"),
            Lacks("tea/METADATA.yml", "approval_policy"),
            Has("cup/METADATA.yml", "Authorization: Bearer ${CUP_TOKEN}"),
            Has("cup/METADATA.yml", "X-Key: \"${CUP_KEY}\""),
            Has("cup/METADATA.yml", "X-A: b"),
            Lacks("cup/METADATA.yml", "bearer_token_env_var"),
            NoFile("none"),
            Says(
                ".codex#server/none: broken-entry: the entry `none` is not a server: found only `args`",
            ),
            Says("settings of the host are not parts of a plugin: `approval_policy`, `model`"),
            Has(
                "pot/METADATA.yml",
                "only_tools:\n      - fill\n      - pour",
            ),
            Has("pot/METADATA.yml", "except_tools:\n      - pour"),
            Lacks("pot/METADATA.yml", "theme"),
            Says("settings of the host are not parts of a plugin: `theme`, `tools`"),
        ],
    );
}

#[test]
fn secrets_of_settings_stay_with_their_servers() {
    let token = ["ghp_q7Xk2m9fLp4RsT8v", "Wz1YbN6cH3jK5dGuA0xx"].concat();
    let config = format!(
        "[model_providers.x]\nkey = \"{token}\"\n[mcp_servers.tea]\ncommand = \"tea\"\n[mcp_servers.cup]\ncommand = \"cup\"\n[mcp_servers.cup.env]\nCUP_TOKEN = \"{token}\"\n"
    );
    check(
        &[(".codex/config.toml", &config)],
        &[
            Has("tea/METADATA.yml", "command: tea"),
            Has("cup/METADATA.yml", "CUP_TOKEN: \"${CUP_TOKEN}\""),
            Lacks("cup/METADATA.yml", "ghp_"),
            Lacks("tea/METADATA.yml", "CUP_TOKEN"),
        ],
    );
}

#[test]
fn the_list_of_vs_code_is_read() {
    check(
        &[(
            ".vscode/mcp.json",
            r#"{"inputs": [{"type": "promptString", "id": "tea-key", "description": "The key of the kettle", "password": true}],
            "servers": {"tea": {"type": "stdio", "command": "npx", "args": ["-y", "tea-server"], "env": {"TEA": "${input:tea-key}"}, "envFile": "${workspaceFolder}/.env"}}}"#,
        )],
        &[
            Has("tea/METADATA.yml", "TEA: \"${TEA_KEY}\""),
            Has("tea/METADATA.yml", "The key of the kettle"),
            Has("tea/METADATA.yml", "secret:\n    - TEA_KEY"),
            Has("tea/METADATA.yml", "envFile: \"${workspaceFolder}/.env\""),
            Has("tea/SKILL.md", "${workspaceFolder}/.env"),
            Says(
                "variables-not-carried: the old host gave the server the variables in `${workspaceFolder}/.env`",
            ),
        ],
    );
}

#[test]
fn what_is_no_part_of_a_plugin_is_named() {
    let brew = (".claude/commands/brew.md", "Brew.\n");
    check(
        &[
            brew,
            (
                ".claude/settings.json",
                r#"{"permissions": {"deny": ["Bash(rm *)"]}, "model": "m"}"#,
            ),
            ("CLAUDE.md", "Be kind.\n"),
            ("AGENTS.md", "Be kind.\n"),
            ("GEMINI.md", "Be kind.\n"),
            (".github/copilot-instructions.md", "Be kind.\n"),
        ],
        &[
            Says("settings of the host are not parts of a plugin: `permissions`, `model`"),
            Says(
                "instructions-not-migrated: the host loads these instructions into every conversation",
            ),
        ],
    );
    let dir = tempfile::tempdir().unwrap();
    let extension = [
        ("gemini-extension.json", r#"{"name": "g", "version": "1"}"#),
        ("commands/brew.toml", "prompt = \"Brew.\"\n"),
        ("GEMINI.md", "Be kind.\n"),
    ];
    lay_out(&dir.path().join("in"), &extension);
    let migrated = run(dir.path(), |_| ());
    assert!(
        migrated.not_searched.is_empty(),
        "{:?}",
        migrated.not_searched
    );
    check(
        &[
            (
                ".claude/settings.json",
                r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "./x.sh"}]}]}}"#,
            ),
            ("b/commands/x.md", "X.\n"),
            ("b/.claude-plugin/plugin.json", r#"{"name": "b"}"#),
        ],
        &[Says("the hooks of the package are not carried: `Stop`")],
    );
}

#[test]
fn agents_outside_of_plugins_keep_what_their_host_honours() {
    let agent = "---\nname: taster\ndescription: Tastes tea\ntools: []\npermissionMode: plan\nmcpServers:\n  - cellar\n  - pot: {command: npx, env: {POT: x}}\nhooks:\n  Stop: [{hooks: [{type: command, command: ./x.sh}]}]\n---\nTaste.\n";
    check(
        &[(".claude/agents/taster.md", agent)],
        &[
            Has("taster/SKILL.md", "- The old host let it use no tools."),
            Has(
                "taster/SKILL.md",
                "- Plan and answer only; change no files.",
            ),
            Has(
                "taster/SKILL.md",
                "- The old host gave it these MCP servers: cellar, pot.",
            ),
            Has("taster/METADATA.yml", "permissionMode: plan"),
            Says("the hooks of the text are not carried"),
        ],
    );
    check(
        &[(PLUGIN, r#"{"name": "p"}"#), ("agents/taster.md", agent)],
        &[
            Has("taster/SKILL.md", "- The old host let it use no tools."),
            Lacks("taster/SKILL.md", "cellar"),
            Lacks("taster/METADATA.yml", "permissionMode"),
            Silent("the hooks of the text are not carried"),
        ],
    );
    check(
        &[(
            ".github/prompts/brew.prompt.md",
            "---\ndescription: Brews tea\ntools: ['read', 'search']\n---\nBrew.\n",
        )],
        &[Has(
            "brew/SKILL.md",
            "- The old host let it use only these tools: read, search.",
        )],
    );
}

#[test]
fn agents_name_files_of_their_directory() {
    check(
        &[
            (
                ".claude/agents/taster.md",
                "---\nname: taster\ndescription: Tastes tea\n---\nFollow @.claude/rules/x.md and @notes/y.md.\n",
            ),
            (".claude/rules/x.md", "Be kind.\n"),
        ],
        &[
            Has(
                "taster/SKILL.md",
                "Follow [rules/x.md](rules/x.md) and @notes/y.md.",
            ),
            Has("taster/rules/x.md", "Be kind."),
        ],
    );
}

#[test]
fn no_link_leads_to_what_is_not_copied() {
    check(
        &[
            (PLUGIN, r#"{"name": "p"}"#),
            (
                "hooks/hooks.json",
                r#"{"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "echo 'Read [the guide](notes/a.md).'"}]}]}}"#,
            ),
            (
                "skills/brew/SKILL.md",
                "---\nname: brew\ndescription: Brews tea\n---\nSee [the settings](.env) and [more](more.md).\n",
            ),
            ("skills/brew/.env", "A=b\n"),
            ("skills/brew/more.md", "More.\n"),
        ],
        &[
            Has("p-session-start/SKILL.md", "Read the guide (`notes/a.md`)."),
            Has(
                "brew/SKILL.md",
                "See the settings (`.env`) and [more](more.md).",
            ),
            Says("a link of the text leads to a file that is not carried: `.env`"),
        ],
    );
}

#[test]
fn a_server_that_was_off_says_so() {
    check(
        &[(
            ".mcp.json",
            r#"{"mcpServers": {"tea": {"command": "tea", "disabled": true}}}"#,
        )],
        &[
            Has(
                "tea/SKILL.md",
                "The old host had it switched off: use only when the user asks for it.",
            ),
            Lacks("tea/SKILL.md", "Use when its tools are needed"),
        ],
    );
}

/// The finding about hooks names those of a file that stay, so the file has no other one.
#[test]
fn settings_with_one_hook_that_prints_are_not_named_twice() {
    check(
        &[(
            ".claude/settings.json",
            r#"{"hooks": {
                "SessionStart": [{"hooks": [{"type": "command", "command": "echo 'Brew green tea.'"}]}],
                "Stop": [{"hooks": [{"type": "command", "command": "./stop.sh"}]}]}}"#,
        )],
        &[
            Says("the hooks of the package are not carried: `Stop`"),
            Silent("parts-not-migrated"),
            Silent("files-not-migrated"),
        ],
    );
}
