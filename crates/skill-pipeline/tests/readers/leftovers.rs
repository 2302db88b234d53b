//! Files that no skill has: each is a part, a copy, or named.

use std::fs;

use crate::Expected::{Has, Lacks, NoFile, Says, Silent};
use crate::{PLUGIN, check, check_with, findings, lay_out, run};
use skill_diagnostics::Severity;
use skill_migrator::Agents;

const TEXT: &str = "---\nname: tea\ndescription: Brews tea for a guest.\n---\nBrew it.\n";

#[test]
fn parts_without_a_reader_are_named() {
    check(
        &[
            (".claude/skills/tea/SKILL.md", TEXT),
            (".claude/skills/notes/README.md", "x"),
            (".claude/rules/a.md", "x"),
            (".claude/output-styles/o.md", "x"),
            (".claude/.lsp.json", "{}"),
            (".claude/monitors/m.json", "[]"),
            (".claude/themes/a.json", "{}"),
            (".claude/themes/b.json", "{}"),
            (".codex/agents/a.toml", "x = 1"),
            (".codex/rules/a.rules", "x"),
            (".gemini/policies/p.toml", "[[rule]]"),
            (".github/hooks/h.json", "{}"),
            (".github/workflows/ci.yml", "on: push"),
        ],
        &[
            Says("`themes/` (2 files: themes)"),
            Says("`rules/` (1 file: rules)"),
            Says("`skills/notes/`"),
            Says("`monitors/` (1 file: monitors)"),
            Says("`.lsp.json` (language servers)"),
            Says("only `agents/`, `rules/`"),
            Says("only `policies/`"),
            Says("only `hooks/`"),
            Silent("workflows"),
        ],
    );
    check(
        &[
            (".opencode/command/brew.md", "Brew."),
            (".opencode/tool/a.ts", "x"),
            (".opencode/themes/a.json", "{}"),
            (
                ".opencode/mode/review.md",
                "---\ndescription: Reviews\n---\nReview.",
            ),
            (
                "opencode.json",
                r#"{"instructions": ["docs/*.md"], "mcp": {"bad": {"type": "local"}, "off": {"enabled": false}}, "mode": {"plan": {"prompt": "Plan it."}}}"#,
            ),
        ],
        &[
            Says("`tool/` (1 file: code tools)"),
            Says("`themes/` (1 file: themes)"),
            Has("review/SKILL.md", "Review."),
            Has("plan/SKILL.md", "Plan it."),
            Says("not carried: `docs/*.md`"),
            Says("the entry `bad` is not a server"),
            Silent("the entry `off`"),
        ],
    );
}

/// Each file of a tree is a part of a skill, or a copy, or its directory is named.
#[test]
fn no_file_of_a_package_is_lost() {
    const POOL: [&str; 16] = [
        "README.md",
        "skills/a/notes.md",
        "skills/b/skill.md",
        "skills/b/x/y.md",
        "commands/c.md",
        "commands/c.toml",
        "agents/d.md",
        "agents/d.json",
        "hooks/run.sh",
        "themes/t.json",
        "pages/one/a.md",
        "pages/two/b.md",
        "scripts/used.sh",
        "scripts/idle.sh",
        ".lsp.json",
        "deep/er/and/deeper.txt",
    ];
    let mut state = 7_u32;
    for round in 0..40 {
        let mut files = vec![
            (PLUGIN, r#"{"name": "p", "license": "MIT"}"#),
            (
                "skills/a/SKILL.md",
                "---\nname: a\ndescription: Brews tea for a guest.\n---\nRun ${CLAUDE_PLUGIN_ROOT}/scripts/used.sh.\n",
            ),
        ];
        for path in POOL {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            if state >> 31 == 1 {
                files.push((path, path));
            }
        }
        let dir = tempfile::tempdir().unwrap();
        lay_out(&dir.path().join("in"), &files);
        let migrated = run(dir.path(), |_| ());
        let said = findings(&migrated);
        let mut written = String::new();
        for outcome in &migrated.outcomes {
            let skill = outcome.skill.as_deref().unwrap_or_default();
            for file in ["SKILL.md", "METADATA.yml"] {
                let path = dir.path().join("out").join(skill).join(file);
                written += &fs::read_to_string(path).unwrap_or_default();
            }
        }
        for (path, _) in &files[1..] {
            let above = path.match_indices('/').map(|(at, _)| &path[..=at]);
            let is_named = above
                .chain([*path])
                .any(|it| said.contains(&format!("`{it}`")));
            let own = path.strip_prefix("skills/a/").unwrap_or(path);
            let is_copied = written.contains(&format!("path: {own}\n"))
                || written.contains(&format!("file: {path}\n"));
            assert!(
                is_named || is_copied,
                "round {round}: {path} is lost\n{said}\n{written}"
            );
        }
    }
}

#[test]
fn words_of_the_host_are_written_in_others() {
    check(
        &[
            (PLUGIN, r#"{"name": "tea", "license": "MIT"}"#),
            (
                ".mcp.json",
                r#"{"mcpServers": {"kettle": {"command": "npx", "args": ["-y", "kettle@1"]}}}"#,
            ),
            (
                "agents/taster.md",
                "---\ndescription: Tastes tea.\n---\nTaste it with `mcp__plugin_tea_kettle__boil`.\n",
            ),
            (
                "skills/brew/SKILL.md",
                "---\nname: brew\ndescription: Brews tea for a guest.\n---\nAsk @tea:taster in $CLAUDE_PROJECT_DIR/x. Use mcp__plugin_tea_kettle__boil, not mcp__plugin_tea_lost__pour. Mail a@tea:taster.\n",
            ),
        ],
        &[
            Has(
                "brew/SKILL.md",
                "Ask taster in x. Use the tool `boil` of the skill `kettle`, not mcp__plugin_tea_lost__pour. Mail a@tea:taster.",
            ),
            Has(
                "taster/SKILL.md",
                "Taste it with the tool `boil` of the skill `kettle`.",
            ),
            Says("no agent replaces: `mcp__plugin_tea_lost__pour`"),
        ],
    );
    check(
        &[
            (
                ".github/prompts/ask.prompt.md",
                "---\ndescription: Asks\n---\nSearch #codebase for ${input:q} in #file:\"a b.md\" and ${userHome}/x.\n",
            ),
            (
                ".github/agents/plan.agent.md",
                "---\ndescription: Plans\nhandoffs:\n  - label: Go\n    agent: agent\nmcp-servers:\n  gh:\n    command: npx\n---\nPlan ${input:q} with #codebase.\n",
            ),
        ],
        &[
            Has(
                "ask/SKILL.md",
                "Search the tool `codebase` for `<q>` in `a b.md` and ~/x.",
            ),
            Has("plan/SKILL.md", "Plan `<q>` with the tool `codebase`."),
            Has(
                "plan/SKILL.md",
                "The old host gave it these MCP servers: gh.",
            ),
            Has("plan/SKILL.md", "The old host offered these next steps: "),
        ],
    );
    check(
        &[
            (
                "opencode.json",
                r#"{"agent": {"taster": {"description": "Tastes", "prompt": "Taste {env:FOO}, see {file:./notes.md} and {file:./lost.md}, `{env:BAR}`."}}}"#,
            ),
            ("notes.md", "a note"),
            (".opencode/command/go.md", "Ask @taster for {env:FOO}."),
        ],
        &[
            Has(
                "taster/SKILL.md",
                "Taste the value of the environment variable `FOO`",
            ),
            Has("taster/SKILL.md", "see a note and `./lost.md`, `$BAR`"),
            // The host replaces braces in its settings only.
            Has("go/SKILL.md", "Ask taster for {env:FOO}."),
            Says("the text includes `./lost.md`"),
        ],
    );
}

#[test]
fn installed_paths_are_those_of_the_skill() {
    check(
        &[
            (
                "gemini-extension.json",
                r#"{"name": "pot", "version": "1.0.0"}"#,
            ),
            (
                "commands/new.toml",
                "description = \"New pot\"\nprompt = \"\"\"\nCopy `~/.gemini/extensions/pot/templates/a.md`, not ~/.gemini/extensions/cup/a.md.\n\"\"\"\n",
            ),
            ("templates/a.md", "A"),
        ],
        &[
            Has(
                "new/SKILL.md",
                "Copy `templates/a.md`, not ~/.gemini/extensions/cup/a.md.",
            ),
            Has("new/templates/a.md", "A"),
        ],
    );
}

#[test]
fn agents_of_settings_are_references() {
    check_with(
        |options| options.texts.agents = Agents::References,
        &[(
            "opencode.json",
            r#"{"agent": {"judge": {"description": "Judges", "prompt": "You judge."}}, "command": {"go": {"template": "Go."}}}"#,
        )],
        &[
            Has("go/SKILL.md", "[judge](references/agents/judge.md)"),
            Has(
                "go/references/agents/judge.md",
                "# judge\n\nJudges\n\nYou judge.\n",
            ),
        ],
    );
}

#[test]
fn programs_of_hooks_come_with_them() {
    check(
        &[
            (PLUGIN, r#"{"name": "p", "license": "MIT"}"#),
            (
                "hooks/hooks.json",
                r#"{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "${CLAUDE_PLUGIN_ROOT}/hooks/guard.sh"}]}]}}"#,
            ),
            ("hooks/guard.sh", "exit 2\n"),
            ("skills/tea/SKILL.md", TEXT),
        ],
        &[
            Has("tea/references/hooks.json", "PreToolUse"),
            Has("tea/hooks/guard.sh", "exit 2"),
            Silent("files of the package are in no skill"),
        ],
    );
}

/// Hooks in a manifest, in the settings of a project and in a frontmatter have their programs too.
#[test]
fn hooks_in_other_documents_come_with_their_programs() {
    const HOOKS: &str = r#"{"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "${CLAUDE_PLUGIN_ROOT}/guards/guard.sh"}]}]}"#;
    let manifest = format!(r#"{{"name": "p", "license": "MIT", "hooks": {HOOKS}}}"#);
    check(
        &[
            (PLUGIN, &manifest),
            (
                "guards/guard.sh",
                "python3 \"$(dirname \"$0\")/rules.py\"\n",
            ),
            ("guards/rules.py", "print('rules')\n"),
            ("skills/tea/SKILL.md", TEXT),
        ],
        &[
            Has("tea/references/hooks.json", "\"matcher\": \"Bash\""),
            Has("tea/guards/guard.sh", "rules.py"),
            Has("tea/guards/rules.py", "rules"),
            Silent("files of the package are in no skill"),
        ],
    );
    check(
        &[
            (
                ".claude/settings.json",
                r#"{"env": {"MODE": "x"}, "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "\"$CLAUDE_PROJECT_DIR\"/.claude/hooks/stop.sh"}]}]}}"#,
            ),
            (".claude/hooks/stop.sh", "exit 2\n"),
            (".claude/skills/tea/SKILL.md", TEXT),
        ],
        &[
            Has("tea/references/hooks.json", "Stop"),
            Lacks("tea/references/hooks.json", "MODE"),
            Has("tea/hooks/stop.sh", "exit 2"),
        ],
    );
    check(
        &[
            (
                ".claude/agents/taster.md",
                "---\nname: taster\ndescription: Tastes tea for a guest.\nhooks:\n  Stop:\n    - hooks:\n        - type: command\n          command: ../guards/stop.sh\n---\nTaste it.\n",
            ),
            (".claude/guards/stop.sh", "exit 2\n"),
        ],
        &[
            Has("taster/references/own-hooks.json", "Stop"),
            Has("taster/guards/stop.sh", "exit 2"),
            NoFile("taster/references/hooks.json"),
        ],
    );
}

/// A path of the host's directory is that of the copy where the skill has one.
#[test]
fn paths_and_links_to_one_file_agree() {
    check(
        &[
            (".github/shared/notes.md", "x"),
            (".github/workflows/ci.yml", "on: push"),
            (
                ".github/prompts/go.prompt.md",
                "---\ndescription: Goes to the shop for a guest.\n---\nRead [n](../shared/notes.md), that is `.github/shared/notes.md`, and edit `.github/workflows/ci.yml`.\n",
            ),
        ],
        &[Has(
            "go/SKILL.md",
            "Read [n](shared/notes.md), that is `shared/notes.md`, and edit `.github/workflows/ci.yml`.",
        )],
    );
}

#[test]
fn words_of_a_host_have_a_fate() {
    let dir = tempfile::tempdir().unwrap();
    lay_out(
        &dir.path().join("in"),
        &[
            (
                "opencode.json",
                r#"{"agent": {"brew": {"description": "Brews tea for a guest.", "prompt": "Use {env:CUP} and @x, not a@x.y."}}}"#,
            ),
            (
                ".opencode/agent/x.md",
                "---\ndescription: An agent for x.\n---\nx\n",
            ),
        ],
    );
    let migrated = run(dir.path(), |options| options.details.account = true);
    let accounts = migrated
        .outcomes
        .iter()
        .filter_map(|it| it.account.as_ref());
    let fates = accounts.flat_map(|it| &it.fates);
    let found: Vec<String> = fates
        .filter(|(place, _)| place.pointer.starts_with("/body/"))
        .map(|(place, fate)| format!("{} {}", place.pointer, fate.word()))
        .collect();
    assert_eq!(found, ["/body/@18 transformed", "/body/@4 transformed"]);
}

#[cfg(unix)]
#[test]
fn links_to_skills_are_followed_once() {
    use std::os::unix::fs::symlink;
    let dir = tempfile::tempdir().unwrap();
    let input = dir.path().join("in");
    lay_out(
        &input,
        &[
            (".agents/skills/tea/SKILL.md", TEXT),
            (".claude/skills/own/SKILL.md", TEXT),
            ("library/cup/SKILL.md", TEXT),
        ],
    );
    for (target, link) in [
        ("../../.agents/skills/tea", "tea"),
        ("../../library/cup", "cup"),
    ] {
        symlink(target, input.join(".claude/skills").join(link)).unwrap();
    }
    let migrated = run(dir.path(), |_| ());
    let mut skills: Vec<&str> = migrated
        .outcomes
        .iter()
        .filter_map(|it| it.skill.as_deref())
        .collect();
    skills.sort_unstable();
    let said = findings(&migrated);
    assert_eq!(skills, ["cup", "own", "tea"], "{said}");
    assert!(!said.contains("are not read"), "{said}");
    assert!(!said.contains("no part that can"), "{said}");
}

#[test]
fn paths_of_one_machine_are_named() {
    check(
        &[
            (
                ".mcp.json",
                r#"{"mcpServers": {"a": {"command": "/home/me/bin/srv"}, "b": {"command": "uv", "args": ["--directory", "/Users/me/x", "run", "x"]}}}"#,
            ),
            (
                ".codex/config.toml",
                "[mcp_servers.c]\ncommand = \"npx\"\nargs = [\"-y\", \"c@1\"]\ncwd = \"/home/me/c\"\n",
            ),
        ],
        &[
            Says("the entry of the server names `/home/me/bin/srv`"),
            Says("the entry of the server names `/Users/me/x`"),
            Says("the entry of the server names `/home/me/c`"),
        ],
    );
}

#[test]
fn descriptions_are_prose() {
    check(
        &[(
            ".claude/commands/go.md",
            "<!-- a comment\nof two lines -->\n# Go\n\n```sh\nmake all\n```\n\nGoes to the place.\n",
        )],
        &[Has("go/SKILL.md", "description: \"Goes to the place.\"")],
    );
}

#[test]
fn the_home_of_a_host_deep_in_a_package_is_a_warning() {
    for (path, severity) in [
        ("more/.claude/commands/x.md", Severity::Warning),
        (".github/workflows/ci.yml", Severity::Note),
    ] {
        let dir = tempfile::tempdir().unwrap();
        lay_out(
            &dir.path().join("in"),
            &[
                (PLUGIN, r#"{"name": "tea"}"#),
                ("commands/go.md", "Go.\n"),
                (path, "X.\n"),
            ],
        );
        let migrated = run(dir.path(), |_| ());
        let mut found = migrated.outcomes.iter().flat_map(|it| &it.findings);
        let found = found.find(|it| it.code.0 == "files-not-migrated");
        assert_eq!(found.map(|it| it.severity), Some(severity), "{path}");
    }
}

/// Code of a repository that writes a file elsewhere does not make one of the same name private.
#[test]
fn a_manifest_is_no_user_data() {
    let converter = "import fs from 'fs'\nfs.writeFileSync('plugin.json', text)\nfs.writeFileSync('brews.json', text)\n";
    check(
        &[
            (PLUGIN, r#"{"name": "tea", "license": "MIT"}"#),
            ("skills/tea/SKILL.md", TEXT),
            ("skills/tea/brews.json", r#"["green"]"#),
            ("skills/own/SKILL.md", TEXT),
            ("skills/own/log.js", converter),
            ("skills/own/brews.json", r#"["green"]"#),
            ("src/convert.js", converter),
            (".devin-plugin/plugin.json", r#"{"name": "tea"}"#),
        ],
        &[
            Has("tea/brews.json", "green"),
            NoFile("own/brews.json"),
            Says("`.devin-plugin/` (1 file)"),
            Says("`skills/own/brews.json` (user data)"),
            Silent("`.devin-plugin/plugin.json`"),
        ],
    );
}

/// A directory `.github` beside a plugin that also lists others is named, if it has no part.
#[test]
fn a_directory_of_github_is_named() {
    let list = r#"{"name": "m", "plugins": [{"name": "tea", "source": "./"}]}"#;
    check(
        &[
            (PLUGIN, r#"{"name": "tea"}"#),
            (".claude-plugin/marketplace.json", list),
            ("skills/tea/SKILL.md", TEXT),
            (".github/FUNDING.yml", "x"),
            (".github/ISSUE_TEMPLATE/bug.md", "x"),
        ],
        &[Says("`.github/`")],
    );
}
