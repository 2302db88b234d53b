//! Directories of hosts and lists of servers inside packages of other hosts.

use crate::Expected::{Has, Lacks, NoFile, Says, Silent};
use crate::{PLUGIN, check, check_with, lay_out, run};

const EXTENSION: (&str, &str) = (
    "gemini-extension.json",
    r#"{"name": "mug", "version": "1.0.0"}"#,
);
const MANIFEST: (&str, &str) = (PLUGIN, r#"{"name": "mug", "license": "MIT"}"#);
const SERVER: &str =
    r#"{"mcpServers": {"kettle": {"command": "npx", "args": ["-y", "kettle@1"]}}}"#;

fn skill(name: &str) -> String {
    format!("---\nname: {name}\ndescription: Brews tea for a guest.\n---\nBrew it in {name}.\n")
}

#[test]
fn homes_inside_a_package_are_packages() {
    let roots = [
        ("skills/root/SKILL.md", MANIFEST),
        ("skills/root/SKILL.md", EXTENSION),
        (
            "skills/root/SKILL.md",
            ("plugin.json", r#"{"name": "mug", "version": "1"}"#),
        ),
        (
            "skills/root/SKILL.md",
            (".cursor-plugin/plugin.json", r#"{"name": "mug"}"#),
        ),
    ];
    for (file, manifest) in roots {
        check(
            &[
                manifest,
                (file, &skill("root")),
                (".claude/skills/one/SKILL.md", &skill("one")),
                (".claude/README.md", "x"),
                (".agents/skills/two/SKILL.md", &skill("two")),
                (".github/prompts/three.prompt.md", "Brew ${input:tea}.\n"),
                (".github/workflows/ci.yml", "on: push\n"),
                (
                    ".gemini/commands/four.toml",
                    "prompt = \"Brew {{args}}.\"\n",
                ),
                (".opencode/command/five.md", "Brew $ARGUMENTS.\n"),
                (
                    ".vscode/mcp.json",
                    r#"{"servers": {"six": {"command": "npx", "args": ["six"]}}}"#,
                ),
                // Only settings, and nothing at all.
                (".codex/config.toml", "model = \"m\"\n"),
            ],
            &[
                Has("root/SKILL.md", "Brew it in root."),
                Has("one/SKILL.md", "Brew it in one."),
                Has("one/METADATA.yml", "directory: \".claude\""),
                Has("two/SKILL.md", "Brew it in two."),
                Has("three/METADATA.yml", "host: copilot"),
                Has("four/METADATA.yml", "host: gemini"),
                Has("five/METADATA.yml", "host: opencode"),
                Has("six/METADATA.yml", "six"),
                Says("files of the package are in no skill: `README.md`"),
                Silent("`.claude/"),
                Silent("`.github/"),
                Silent("`.agents/"),
                Silent("`.opencode/"),
                Says("settings of the host are not parts of a plugin: `model`"),
            ],
        );
    }
    // Without a part, the directory is named as before.
    check(
        &[
            MANIFEST,
            ("skills/root/SKILL.md", &skill("root")),
            (".github/workflows/ci.yml", "on: push\n"),
            ("more/.claude/skills/x/SKILL.md", &skill("x")),
        ],
        &[Says("`.github/`"), Says("`more/.claude/`"), NoFile("x")],
    );
}

/// A manifest can name parts in the directory of a host, and several can have the same skill.
#[test]
fn no_skill_of_a_home_is_there_twice() {
    check(
        &[
            (
                PLUGIN,
                r#"{"name": "mug", "license": "MIT", "skills": ["./.claude/skills/one"]}"#,
            ),
            (".claude/skills/one/SKILL.md", &skill("one")),
            (".claude/commands/go.md", "Use mug:one.\n"),
        ],
        &[
            Has("one/SKILL.md", "Brew it in one."),
            Has("go/SKILL.md", "Use one."),
            NoFile("claude-one"),
            NoFile("one-skill"),
        ],
    );
    check(
        &[
            MANIFEST,
            ("skills/one/SKILL.md", &skill("one")),
            ("skills/one/notes.md", "N"),
            (".claude/skills/one/SKILL.md", &skill("one")),
            (".claude/skills/one/notes.md", "N"),
            (".claude/commands/go.md", "Use the skill `one`.\n"),
            (".agents/skills/one/SKILL.md", &skill("one")),
            (".agents/skills/one/notes.md", "N"),
            (".agents/notes.txt", "N"),
            // Another text, and another file beside it.
            (".gemini/skills/one/SKILL.md", &skill("other")),
            (".opencode/skill/one/SKILL.md", &skill("one")),
        ],
        &[
            Has("one/METADATA.yml", "name: mug:one"),
            Has("one-skill/SKILL.md", "Brew it in other."),
            Has("one-opencode/SKILL.md", "Brew it in one."),
            Has("go/SKILL.md", "Use the skill `one`."),
            NoFile("one-claude"),
            NoFile("one-agent-plugins"),
            Says(
                "same-skill: the skill is the same as `skills/one/SKILL.md`, and is migrated once",
            ),
            Says("files of the package are in no skill: `notes.txt`"),
        ],
    );
}

#[test]
fn lists_beside_a_package_are_read() {
    for list in [".mcp.json", "mcp.json"] {
        for manifest in [MANIFEST, EXTENSION] {
            check(
                &[
                    manifest,
                    ("skills/root/SKILL.md", &skill("root")),
                    (list, SERVER),
                ],
                &[
                    Has("kettle/METADATA.yml", "npm:kettle"),
                    Has("root/SKILL.md", "Brew it in root."),
                    NoFile("kettle-server"),
                    NoFile("kettle-mcp"),
                    Silent("files-not-migrated"),
                ],
            );
        }
    }
    // Two lists with the same server, and one with another.
    check(
        &[
            MANIFEST,
            ("skills/root/SKILL.md", &skill("root")),
            (".mcp.json", SERVER),
            ("mcp.json", SERVER),
            (
                "opencode.json",
                r#"{"mcp": {"pot": {"type": "local", "command": ["npx", "pot"]}}, "command": {"pour": {"template": "Pour."}}}"#,
            ),
        ],
        &[
            Has("kettle/METADATA.yml", "host: claude"),
            Has("pot/METADATA.yml", "pot"),
            Has("pour/SKILL.md", "Pour."),
            NoFile("kettle-server"),
            Silent("`opencode.json`"),
        ],
    );
    check(
        &[
            EXTENSION,
            ("skills/root/SKILL.md", &skill("root")),
            (".mcp.json", SERVER),
            (
                "mcp.json",
                r#"{"mcpServers": {"pot": {"command": "npx", "args": ["pot"]}}}"#,
            ),
            (".cursorrules", "Be kind.\n"),
        ],
        &[
            Has("kettle/METADATA.yml", "npm:kettle"),
            Has("pot/METADATA.yml", "pot"),
            Says("rule-not-migrated"),
            Silent("`mcp.json`"),
        ],
    );
    // A program has its own list.
    check(
        &[
            (
                "plugin-manifest.json",
                r#"{"name": "Mug", "version": "1", "pluginType": "synchronous", "displayName": "Mug", "description": "Pours.", "entryPoint": {"command": "python3 mug.py"}, "communication": {"protocol": "stdio"}}"#,
            ),
            ("mug.py", "print('{}')\n"),
            ("mcp.json", SERVER),
        ],
        &[NoFile("kettle"), Lacks("mug/SKILL.md", "kettle")],
    );
}

#[test]
fn a_server_of_several_lists_is_one_skill() {
    let other = r#"{"mcpServers": {"kettle": {"command": "npx", "args": ["-y", "kettle@2"]}}}"#;
    check(
        &[
            MANIFEST,
            ("skills/root/SKILL.md", &skill("root")),
            (".mcp.json", SERVER),
            (".cursor/mcp.json", SERVER),
            (
                ".vscode/mcp.json",
                r#"{"servers": {"kettle": {"command": "npx", "args": ["-y", "kettle@1"]}}}"#,
            ),
            (".gemini/settings.json", other),
        ],
        &[
            Has("kettle/METADATA.yml", "host: claude"),
            Has("kettle-mcp/METADATA.yml", "host: gemini"),
            NoFile("kettle-server"),
            Says("same-skill: the skill is the same as `#server/kettle`, and is migrated once"),
            Silent("`mcp.json`"),
        ],
    );
}

/// A list of servers in the directory of a host has nothing else of it.
#[test]
fn files_beside_a_list_in_a_home_are_named() {
    let servers = r#"{"servers": {"kettle": {"command": "npx", "args": ["-y", "kettle@1"]}}}"#;
    for (list, text) in [(".vscode/mcp.json", servers), (".cursor/mcp.json", SERVER)] {
        let other = list.replace("mcp.json", "brew/notes.txt");
        check(
            &[
                MANIFEST,
                ("skills/root/SKILL.md", &skill("root")),
                (list, text),
                (&other, "Notes.\n"),
            ],
            &[
                Has("kettle/METADATA.yml", "npm:kettle"),
                Says("/` (1 file)"),
                Silent("mcp.json`"),
            ],
        );
    }
}

/// A skill that the selection leaves out does not stand for another one.
#[test]
fn the_same_skill_is_migrated_once_by_what_is_selected() {
    let files = [
        MANIFEST,
        ("skills/one/SKILL.md", &*skill("one")),
        (".claude/skills/one/SKILL.md", &*skill("one")),
    ];
    let rows: [(&[&str], &[&str]); 3] = [
        (&[".claude*"], &[]),
        (&[], &["#skill/one"]),
        (&[".claude"], &[]),
    ];
    for (only, exclude) in rows {
        let strings = |all: &[&str]| all.iter().map(|it| (*it).to_owned()).collect();
        check_with(
            |options| {
                options.only = strings(only);
                options.exclude = strings(exclude);
            },
            &files,
            &[
                Has("one-skill/METADATA.yml", "directory: \".claude\""),
                NoFile("one"),
                Silent("same-skill"),
            ],
        );
    }
    check_with(
        |options| options.exclude = vec![".claude*".to_owned()],
        &files,
        &[Has("one/SKILL.md", "Brew it in one."), NoFile("one-skill")],
    );
}

/// The list of a server that another list has is read, whatever its name is.
#[test]
fn a_list_with_the_same_servers_is_in_a_skill() {
    for (list, text) in [
        (".gemini/settings.json", SERVER),
        (
            ".codex/config.toml",
            "[mcp_servers.kettle]\ncommand = \"npx\"\nargs = [\"-y\", \"kettle@1\"]\n",
        ),
    ] {
        check(
            &[
                MANIFEST,
                ("skills/root/SKILL.md", &skill("root")),
                (".mcp.json", SERVER),
                (list, text),
            ],
            &[
                Has("kettle/METADATA.yml", "host: claude"),
                Says("same-skill"),
                Silent("files-not-migrated"),
            ],
        );
    }
}

/// The package around the directory of a host does not name what that has.
#[test]
fn parts_of_a_home_are_not_left_by_the_package_around_it() {
    check(
        &[
            MANIFEST,
            ("skills/root/SKILL.md", &skill("root")),
            (
                ".opencode/opencode.json",
                r#"{"command": {"pour": {"template": "Pour."}}}"#,
            ),
        ],
        &[
            Has("pour/SKILL.md", "Pour."),
            Silent("parts-not-migrated"),
            Silent("opencode.json"),
        ],
    );
}

/// Programs that install the directories of hosts have copies of them.
#[test]
fn copies_of_a_home_elsewhere_are_migrated_once() {
    let command = "---\ndescription: Brews\n---\nRun .claude/brew.sh\n";
    let files = [
        (".claude/skills/one/SKILL.md", &*skill("one")),
        (".claude/commands/brew.md", command),
        (".claude/brew.sh", "echo a"),
        ("cli/assets/.claude/skills/one/SKILL.md", &*skill("one")),
        ("cli/assets/.claude/commands/brew.md", command),
        ("cli/assets/.claude/brew.sh", "echo a"),
    ];
    check(
        &files,
        &[
            Has("one/METADATA.yml", "directory: \".claude\""),
            Has("brew/METADATA.yml", "directory: \".claude\""),
            NoFile("assets-one"),
            NoFile("assets-brew"),
            Says("same-skill: the skill is the same as `.claude/commands/brew.md`"),
        ],
    );
    // The same text with another program is another command; plugins are apart.
    let mut other = files;
    other[5].1 = "echo b";
    let of = |outcome: &skill_pipeline::Outcome| outcome.directory.clone();
    let dir = tempfile::tempdir().unwrap();
    lay_out(&dir.path().join("in"), &other);
    let keys: Vec<String> = run(dir.path(), |_| ()).outcomes.iter().map(of).collect();
    assert_eq!(
        keys,
        [
            ".claude#command/brew",
            ".claude#skill/one",
            "cli/assets/.claude#command/brew",
        ]
    );
    check(
        &[
            ("a/.claude-plugin/plugin.json", r#"{"name": "a"}"#),
            ("a/skills/one/SKILL.md", &skill("one")),
            ("b/.claude-plugin/plugin.json", r#"{"name": "b"}"#),
            ("b/skills/one/SKILL.md", &skill("one")),
        ],
        &[Has("b-one/SKILL.md", "Brew it"), Silent("same-skill")],
    );
}

/// Each file of a home is in a skill or named with a reason.
#[test]
fn readmes_and_texts_elsewhere_are_named() {
    check(
        &[
            (".opencode/command/tea.md", "Brew tea.\n"),
            (".opencode/command/README.md", "x"),
            (".claude/commands/milk.md", "Add milk.\n"),
            (".claude/commands/more/README.zh-CN.md", "x"),
            (".github/prompts/cup.prompt.md", "Take a cup.\n"),
            (".github/prompts/README.md", "x"),
            (".github/prompts/plain.md", "x"),
            ("pots/pot.prompt.md", "Take a pot.\n"),
            ("lid.agent.md", "Take a lid.\n"),
            ("pots/other.md", "x"),
        ],
        &[
            Says(
                ".opencode#command/tea: files-not-migrated: files of the package are in no skill: `command/README.md` (a readme, which describes the texts beside it)",
            ),
            Says("`commands/more/README.zh-CN.md` (a readme"),
            Says("`prompts/README.md` (a readme"),
            Says("a prompt (`prompts/plain.md`)"),
            Says(
                "texts of Copilot are in none of the directories where it finds them: `lid.agent.md`, `pots/` (1 file)",
            ),
            Silent("other.md"),
        ],
    );
}
