//! Packages: the parts that are found in them, and the result of each.

use skill_migrator::Agents;

use crate::Expected::{Has, NoFile, Says, Silent};
use crate::{PLUGIN, check, check_with, findings, lay_out, run};

#[test]
fn plugins_of_one_directory_keep_their_own_licence_and_version() {
    check(
        &[
            (
                ".claude-plugin/marketplace.json",
                r#"{"name": "set", "plugins": [
                    {"name": "docs-set", "source": "./", "strict": false, "skills": ["./skills/pdf"], "version": "1.1.0", "license": "MIT"},
                    {"name": "art-set", "source": "./", "strict": false, "skills": ["./skills/art", "./skills/pdf"], "version": "2.2.0", "license": "Apache-2.0", "category": "art"}]}"#,
            ),
            (
                "skills/art/SKILL.md",
                "---\nname: art\ndescription: Art.\n---\nThen /docs-set:pdf or Skill(art-set:pdf).\n",
            ),
            (
                "skills/pdf/SKILL.md",
                "---\nname: pdf\ndescription: PDF.\n---\nThen /art-set:art.\n",
            ),
        ],
        &[
            Has("art/SKILL.md", "license: \"Apache-2.0\""),
            Has("art/SKILL.md", "Then /pdf or Skill(pdf)."),
            Has("art/METADATA.yml", "version: \"2.2.0\""),
            Has("art/METADATA.yml", "domain: art"),
            Has("art/METADATA.yml", "name: art-set:art"),
            Has("pdf/SKILL.md", "license: \"MIT\""),
            Has("pdf/SKILL.md", "Then /art."),
            Has("pdf/METADATA.yml", "version: \"1.1.0\""),
            Has("pdf/METADATA.yml", "name: docs-set:pdf"),
            NoFile("pdf-2"),
        ],
    );
}

#[test]
fn all_context_files_of_an_extension_are_carried() {
    check(
        &[
            (
                "gemini-extension.json",
                r#"{"name": "g", "contextFileName": ["A.md", "sub/B.md", "C.md"], "hooks": {}}"#,
            ),
            ("A.md", "A\n"),
            ("sub/B.md", "B\n"),
            ("GEMINI.md", "For people who work on g\n"),
            ("commands/c.toml", "prompt = \"写总结。\"\n"),
        ],
        &[
            Has("c/references/A.md", "A"),
            Has("c/references/B.md", "B"),
            NoFile("c/references/GEMINI.md"),
            Has(
                "c/SKILL.md",
                "先阅读 [B.md](references/B.md)：旧宿主始终会加载它。",
            ),
            Says("`C.md` of `contextFileName`"),
            Silent("hooks-not-carried"),
        ],
    );
}

#[test]
fn agents_as_references_are_named_and_never_lost() {
    let files = [
        ("a/.claude-plugin/plugin.json", r#"{"name": "a"}"#),
        (
            "a/agents/solo.md",
            "---\nname: solo\ndescription: Works alone\n---\nYou work alone.\n",
        ),
        ("b/.claude-plugin/plugin.json", r#"{"name": "b"}"#),
        (
            "b/agents/checker.md",
            "---\nname: checker\ndescription: Checks\n---\nYou check.\n",
        ),
        (
            "b/commands/go.md",
            "Ask @agent-b:checker or @agent-checker, not @agent-checkers.\n",
        ),
    ];
    check_with(
        |options| options.texts.agents = Agents::References,
        &files,
        &[
            Has("solo/SKILL.md", "You work alone."),
            NoFile("checker"),
            Has("go/references/agents/checker.md", "You check."),
            Has(
                "go/SKILL.md",
                "Ask the agent [checker](references/agents/checker.md) or the agent [checker](references/agents/checker.md), not @agent-checkers.",
            ),
            Has(
                "go/SKILL.md",
                "- Agents of the package: [checker](references/agents/checker.md).",
            ),
        ],
    );
    check_with(
        |options| options.texts.agents = Agents::Skip,
        &files,
        &[
            NoFile("solo"),
            NoFile("go/references/agents"),
            Says("agent-not-migrated"),
        ],
    );
    let dir = tempfile::tempdir().unwrap();
    lay_out(&dir.path().join("in"), &files);
    run(dir.path(), |_| ());
    let later = run(dir.path(), |options| {
        options.texts.agents = Agents::References;
    });
    assert!(
        findings(&later).contains("`checker` is an agent, and --agents"),
        "{later:?}"
    );
}

#[test]
fn packages_that_take_some_files_share_a_directory() {
    check(
        &[
            (
                "opencode.json",
                r#"{"command": {"sing": {"template": "Sing"}}}"#,
            ),
            (".cursorrules", "Sing softly.\n"),
            (
                ".mcp.json",
                r#"{"mcpServers": {"radio": {"command": "radio"}}}"#,
            ),
            ("commands/hum.md", "Hum.\n"),
        ],
        &[
            Has("sing/SKILL.md", "Sing"),
            Has("hum/SKILL.md", "Hum."),
            Has("radio/SKILL.md", "radio"),
            NoFile("cursorrules"),
            Says("rule-not-migrated: the old host applies this rule always"),
        ],
    );
}

#[test]
fn names_that_collide_are_named() {
    check(
        &[
            (".claude-plugin/plugin.json", r#"{"name": "n"}"#),
            ("commands/Foo.md", "Foo.\n"),
            ("commands/foo.md", "foo.\n"),
            ("commands/caf\u{e9}.md", "e.\n"),
            ("commands/cafe\u{301}.md", "e.\n"),
            ("commands/con.md", "con.\n"),
        ],
        &[
            Says("its name differs from `commands/Foo.md` by case only"),
            Says("by the form of its characters only"),
            Says("the name `con.md` is reserved on Windows"),
        ],
    );
}

#[test]
fn parts_that_become_no_skill_are_named_once() {
    let hooks = r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}}"#;
    check(
        &[
            ("a/.cursor/commands/fix.md", "Fix it.\n"),
            ("a/.cursor/hooks.json", hooks),
            ("b/.claude/commands/do.md", "Do it.\n"),
            ("b/.claude/commands/it.md", "Do that.\n"),
            ("b/.claude/settings.json", hooks),
            ("b/.claude/output-styles/x.md", "Short.\n"),
            ("c/.codex/prompts/hi.md", "Hi\n"),
            ("c/.codex/config.toml", "[mcp_servers.x]\ncommand = \"x\"\n"),
            ("e/.opencode/command/ya.md", "Ya\n"),
            (
                "e/.opencode/opencode.json",
                r#"{"command": {"test": {"template": "Test"}}}"#,
            ),
            ("e/.opencode/plugin/y.ts", "export default {}\n"),
            ("f/.github/prompts/ho.prompt.md", "Ho\n"),
            (
                "f/.github/agents/doer.md",
                "---\nname: Doer\ndescription: Does\n---\nDo.\n",
            ),
            ("f/.github/copilot-instructions.md", "British spelling.\n"),
            ("i/.hive/skills/sk.md", "sk\n"),
            ("i/.hive/agents/x.md", "x\n"),
            ("l/.claude-plugin/plugin.json", r#"{"name": "l"}"#),
            ("l/commands/two.md", "Two.\n"),
            ("l/commands/two.toml", "prompt = \"Two.\"\n"),
            ("l/rules/two.mdc", "Two.\n"),
            (
                "l/opencode.json",
                r#"{"agent": {"other": {"prompt": "Other"}}}"#,
            ),
            ("h/.claude-plugin/plugin.json", r#"{"name": "h"}"#),
            (
                "h/skills/knit/SKILL.md",
                "---\nname: knit\ndescription: Knits\nhooks:\n  PreToolUse:\n    - matcher: Bash\n---\nKnit.\n",
            ),
        ],
        &[
            Says("hooks (`hooks.json`)"),
            Says(
                "b/.claude#command/do: parts-not-migrated: parts of the package do not become skills: an output style (`output-styles/x.md`), hooks (`settings.json`)",
            ),
            Silent("b/.claude#command/it: parts-not-migrated"),
            Has("x/METADATA.yml", "command: x"),
            Silent("MCP servers (`config.toml`)"),
            Has("test/SKILL.md", "Test"),
            Has("other/SKILL.md", "Other"),
            Says("a plugin of the host (`plugin/y.ts`)"),
            Has("doer/SKILL.md", "Do."),
            Says("instructions for every conversation (`copilot-instructions.md`)"),
            Says("an agent (`agents/x.md`)"),
            Says(
                "a command of Gemini CLI (`commands/two.toml`), a rule of Cursor (`rules/two.mdc`)",
            ),
            Says("h#skill/knit: hooks-not-carried: the hooks of the text"),
        ],
    );
}

#[cfg(unix)]
#[test]
fn parts_in_directories_that_not_every_system_can_hold_are_said() {
    check(
        &[
            (
                ".claude/skills/ok/SKILL.md",
                "---\nname: ok\ndescription: Does it.\n---\nDo.\n",
            ),
            (
                ".claude/skills/con/SKILL.md",
                "---\nname: con\ndescription: Does it.\n---\nDo.\n",
            ),
            (".claude/commands/a:b/x.md", "Do.\n"),
        ],
        &[
            Says("a directory (`skills/con/`: a name that not every system can hold)"),
            Says("a directory (`commands/a:b/`: a name that not every system can hold)"),
            Has("ok/SKILL.md", "Do."),
        ],
    );
}

#[test]
fn packages_without_a_mark_are_found_or_said() {
    let draft = ("g/prompts/draft.md", "Draft $1\n");
    let plugin =
        r#"{"$schema": "https://example.org/2.json", "name": "later", "license": "Apache-2.0"}"#;
    check(&[draft], &[Has("draft/SKILL.md", "Draft `<argument-1>`")]);
    check(
        &[
            draft,
            ("a1/plugin.json", plugin),
            (
                "a1/skills/one/SKILL.md",
                "---\nname: one\ndescription: One\n---\nOne.\n",
            ),
            (
                "a2/plugin.json",
                r#"{"$schema": "https://example.org/2.json", "name": "other"}"#,
            ),
        ],
        &[
            NoFile("draft"),
            Says("not-recognized: the directory has parts of the format codex"),
            Has("one/SKILL.md", "license: \"Apache-2.0\""),
            Has("one/METADATA.yml", "host: agent-plugins"),
        ],
    );
}

/// Neither a list of servers nor the home of a host has the parts that are beside it.
#[test]
fn parts_beside_another_package_are_said() {
    let tea = "---\nname: k\ndescription: Brews tea\n---\nBrew.\n";
    let said = "not-recognized: the directory has parts of the format";
    check(
        &[
            (
                ".mcp.json",
                r#"{"mcpServers": {"a": {"command": "npx", "args": ["pkg"]}}}"#,
            ),
            (".claude/commands/x.md", "X.\n"),
            ("tools/commands/c.md", "C.\n"),
            ("tools/skills/k/SKILL.md", tea),
        ],
        &[Has("x/SKILL.md", "X."), NoFile("k"), Says(said)],
    );
    check(
        &[
            (".claude/commands/x.md", "X.\n"),
            ("commands/c.md", "C.\n"),
            (
                "agents/g.md",
                "---\nname: g\ndescription: Greets\n---\nGreet.\n",
            ),
        ],
        &[Has("x/SKILL.md", "X."), NoFile("c"), Says(said)],
    );
}

#[test]
fn names_that_are_taken_say_where_the_part_is_from() {
    check_with(
        |options| options.only = vec!["*#command/go".to_owned()],
        &[
            ("x/.claude/commands/go.md", "Go.\n"),
            ("x/.claude/commands/stay.md", "Stay.\n"),
            ("y/.claude/commands/go.md", "Go.\n"),
            ("y/.gemini/commands/go.toml", "prompt = \"Go.\"\n"),
        ],
        &[
            Has("go/SKILL.md", "Go."),
            Has("y-go/SKILL.md", "Go."),
            Has("y-go-command/SKILL.md", "Go."),
            NoFile("stay"),
        ],
    );
}

/// A list with a program of a package, an address, and a server among the files of the package.
const SERVERS: &str = r#"{"mcpServers": {
    "notes": {"command": "npx", "args": ["-y", "@x/notes@1.2", "${NOTES_DIR}"], "env": {"API_KEY": "<your key>"}},
    "web": {"type": "http", "url": "https://tools.example/mcp", "headers": {"Authorization": "Bearer ${WEB_TOKEN}"}},
    "own": {"command": "node", "args": ["${CLAUDE_PLUGIN_ROOT}/server/index.js"]},
    "box": {"command": "docker", "args": ["run", "-i", "img"]}}}"#;

#[test]
fn servers_of_a_list_and_of_a_package_become_skills() {
    let notes = [
        Has("notes/METADATA.yml", "package: npm:@x/notes"),
        Has("notes/METADATA.yml", "- \"${NOTES_DIR}\""),
        Has("notes/METADATA.yml", "API_KEY: \"${API_KEY}\""),
        Has("notes/METADATA.yml", "range: \"1.2\""),
        Has("notes/SKILL.md", "The tools are not known yet"),
        Has("web/METADATA.yml", "- tools.example\n"),
        Has("web/METADATA.yml", "secret:\n    - WEB_TOKEN"),
        Says("host-feature: the server is started by `docker`"),
    ];
    check(&[(".mcp.json", SERVERS)], &notes);
    let mut own = vec![
        Has("own/scripts/server/index.js", "// a server"),
        Has("own/METADATA.yml", "- \"${SKILL_DIR}/server/index.js\""),
        Has("tea/SKILL.md", "Tea."),
    ];
    own.extend(notes);
    check(
        &[
            (".claude-plugin/plugin.json", r#"{"name": "p"}"#),
            (".mcp.json", SERVERS),
            ("commands/tea.md", "Tea.\n"),
            ("server/index.js", "// a server\n"),
        ],
        &own,
    );
}

/// The tools of a server are in the skill only. The next run keeps it while the entry is the same.
#[test]
fn accepted_tools_stay() {
    let dir = tempfile::tempdir().unwrap();
    lay_out(&dir.path().join("in"), &[(".mcp.json", SERVERS)]);
    run(dir.path(), |_| ());
    let skill = dir.path().join("out/notes");
    let read = |file: &str| std::fs::read_to_string(skill.join(file)).unwrap();
    let mut record = skill_model::read_metadata(&read("METADATA.yml")).0.unwrap();
    let server = record.entry.as_mut().unwrap().mcp.as_mut().unwrap();
    server.tools.insert("add".to_owned(), "sha256:0".to_owned());
    record.commands = vec![skill_model::Command::new("add")];
    let text = skill_migrator::with_tools(&read("SKILL.md"), &record);
    lay_out(
        &skill,
        &[("METADATA.yml", &record.to_yaml()), ("SKILL.md", &text)],
    );
    let again = run(dir.path(), |_| ());
    assert_eq!(findings(&again).matches("conflict").count(), 0);
    assert!(read("SKILL.md").contains("- `add`"));
    assert!(read("METADATA.yml").contains("sha256:0"));
}

#[test]
fn links_in_copied_files_lead_to_copies() {
    check(
        &[
            (PLUGIN, r#"{"name": "tea", "license": "MIT"}"#),
            (
                "skills/brew/SKILL.md",
                "---\nname: brew\ndescription: Brews.\n---\nSee [guide](docs/guide.md).\n",
            ),
            (
                "skills/brew/docs/guide.md",
                "[leaf](../../../shared/leaf.md#kinds), [pour](../../pour/SKILL.md), [own](../SKILL.md), [all](.), [gone](gone.md), [web](https://x.example)\n```\n[code](nowhere.md)\n```\n",
            ),
            (
                "shared/leaf.md",
                "[guide](../skills/brew/docs/guide.md) [pot](pot.md)\n",
            ),
            ("shared/pot.md", "A pot.\n"),
            (
                "skills/pour/SKILL.md",
                "---\nname: pour\ndescription: Pours.\n---\nPour.\n",
            ),
        ],
        &[
            Has(
                "brew/docs/guide.md",
                "[leaf](../shared/leaf.md#kinds), the skill `pour`, [own](../SKILL.md), [all](.), [gone](gone.md), [web](https://x.example)\n```\n[code](nowhere.md)",
            ),
            Has(
                "brew/shared/leaf.md",
                "[guide](../docs/guide.md) [pot](pot.md)",
            ),
            Has("brew/shared/pot.md", "A pot."),
            Says(
                "links in copied files were written as paths of the skill's own copies, or as names of other skills: 3",
            ),
            Says(
                "links of copied files lead to nothing in the package: `gone.md` in `docs/guide.md`",
            ),
        ],
    );
}

#[test]
fn what_many_skills_share_is_bounded() {
    let dir = tempfile::tempdir().unwrap();
    let big = "tea ".repeat(1024 * 1024);
    let commands: Vec<(String, String)> = (0..40)
        .map(|n| (format!("in/commands/c{n}.md"), "Use ${CLAUDE_PLUGIN_ROOT}/data/big.txt and ${CLAUDE_PLUGIN_ROOT}/data/small.txt.\n".to_owned()))
        .collect();
    lay_out(
        dir.path(),
        &[
            (
                "in/.claude-plugin/plugin.json",
                r#"{"name": "tea", "license": "MIT"}"#,
            ),
            ("in/data/big.txt", &big),
            ("in/data/small.txt", "small\n"),
        ],
    );
    for (path, text) in &commands {
        lay_out(dir.path(), &[(path, text)]);
    }
    let migrated = run(dir.path(), |_| ());
    let said = findings(&migrated);
    assert!(
        said.contains("more than 64 MiB of copies: `data/big.txt`"),
        "{said}"
    );
    assert!(!dir.path().join("out/c0/data/big.txt").exists());
    assert!(dir.path().join("out/c39/data/small.txt").exists());
}
