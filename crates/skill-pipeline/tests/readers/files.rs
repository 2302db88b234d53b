//! Files and links that texts and programs name.

use crate::Expected::{Has, NoFile, Says, Silent};
use crate::{PLUGIN, check};

#[test]
fn files_of_the_project_are_not_those_of_the_package() {
    check(
        &[
            ("p/.claude-plugin/plugin.json", r#"{"name": "p"}"#),
            ("p/README.md", "How to install p\n"),
            ("p/commands/onboard.md", "Read @README.md first.\n"),
            ("g/gemini-extension.json", r#"{"name": "g"}"#),
            ("g/README.md", "How to install g\n"),
            (
                "g/commands/explain.toml",
                "prompt = \"Explain: @{README.md}\"\n",
            ),
            (
                "h/.claude/commands/tidy.md",
                "Follow @.claude/rules/a.md and @README.md.\n",
            ),
            ("h/.claude/rules/a.md", "Rules.\n"),
            ("h/.claude/README.md", "About the directory.\n"),
        ],
        &[
            Has("onboard/SKILL.md", "Read `README.md` first."),
            NoFile("onboard/README.md"),
            Has("explain/SKILL.md", "Explain: the content of `README.md`"),
            NoFile("explain/README.md"),
            Has(
                "tidy/SKILL.md",
                "Follow [rules/a.md](rules/a.md) and `README.md`.",
            ),
            Has("tidy/rules/a.md", "Rules."),
        ],
    );
}

#[test]
fn files_that_a_text_names_come_with_it() {
    check(
        &[
            (PLUGIN, r#"{"name": "p"}"#),
            ("CONNECTORS.md", "connectors\n"),
            ("templates/x.md", "x\n"),
            (
                "commands/c.md",
                "See `skills/t/x.md`, `../CONNECTORS.md` and package.json.\n",
            ),
            (
                "commands/s.md",
                "Copy from `$CLAUDE_PLUGIN_ROOT/templates/x.md`.\n",
            ),
            ("package.json", "{}\n"),
            (
                "skills/s/SKILL.md",
                "---\nname: s\ndescription: S\n---\nSee `../../CONNECTORS.md` and `../t/SKILL.md`.\n```\n`../../CONNECTORS.md`\n```\n",
            ),
            (
                "skills/t/SKILL.md",
                "---\nname: t\ndescription: T\n---\nT\n",
            ),
            ("skills/t/x.md", "x\n"),
        ],
        &[
            Has(
                "c/SKILL.md",
                "See `skills/t/x.md`, `CONNECTORS.md` and package.json.",
            ),
            Has("c/skills/t/x.md", "x"),
            Has("c/CONNECTORS.md", "connectors"),
            NoFile("c/package.json"),
            Has("p-s/SKILL.md", "Copy from `templates/x.md`."),
            Has("p-s/templates/x.md", "x"),
            Has(
                "s/SKILL.md",
                "See `CONNECTORS.md` and `t`.\n```\n`../../CONNECTORS.md`\n```\n",
            ),
            Has("s/CONNECTORS.md", "connectors"),
        ],
    );
}

#[test]
fn links_to_the_project_are_its_paths() {
    check(
        &[
            (
                ".github/prompts/p.prompt.md",
                "Read [f](../../src/b.ts), #file:../../src/a.ts and [gone](../gone.md).\n",
            ),
            (
                "c/.cursor/rules/r.mdc",
                "---\ndescription: Rules for x\n---\nSee [x](mdc:src/a.ts) and `mdc:b`.\n",
            ),
            (
                "d/.claude/commands/k.md",
                "See [x](../../src/k.ts), then run `../tool` and `../../tool`.\n",
            ),
        ],
        &[
            Has(
                "p/SKILL.md",
                "Read [f](src/b.ts), `src/a.ts` and [gone](../gone.md).",
            ),
            Says(
                "prompt/p: links-rewritten: links to files of the user's project were written as paths in the project: 2",
            ),
            Says("prompt/p: links-broken"),
            Has("r/SKILL.md", "See [x](src/a.ts) and `mdc:b`."),
            Has(
                "k/SKILL.md",
                "See [x](src/k.ts), then run `../tool` and `../../tool`.",
            ),
        ],
    );
}

#[test]
fn programs_on_the_path_are_files_of_the_skill() {
    check(
        &[
            (PLUGIN, r#"{"name": "p"}"#),
            ("bin/steep", "#!/bin/sh\necho steeping\n"),
            ("commands/brew.md", "Run `steep 3`, then steep the tea.\n"),
            ("commands/pour.md", "Pour.\n"),
        ],
        &[
            Has("brew/SKILL.md", "Run `bin/steep 3`, then steep the tea."),
            Has("brew/bin/steep", "steeping"),
            Says("command/brew: links-rewritten: programs that the old host put on the `PATH`"),
            NoFile("pour/bin"),
        ],
    );
}

#[test]
fn a_script_that_names_a_file_of_the_project_copies_no_package() {
    check(
        &[
            (PLUGIN, r#"{"name": "p"}"#),
            (
                "package.json",
                r#"{"scripts": {"test": "node tests/all.js"}}"#,
            ),
            ("tests/all.js", "see notes/plan.md\n"),
            ("notes/plan.md", "x\n"),
            (
                "skills/a/SKILL.md",
                "---\nname: a\ndescription: d\n---\nRun `scripts/r.sh`\n",
            ),
            (
                "skills/a/scripts/r.sh",
                "grep port package.json; . lib.sh\n",
            ),
            ("skills/a/scripts/lib.sh", "x\n"),
        ],
        &[
            Has("a/scripts/lib.sh", "x"),
            NoFile("a/package.json"),
            NoFile("a/tests"),
            NoFile("a/notes"),
        ],
    );
}

#[test]
fn commands_in_the_directory_of_the_package_are_replaced_and_said() {
    let text = "---\nname: x\ndescription: Evaluates.\n---\n\
        `${CLAUDE_PLUGIN_ROOT}` is a directory.\n\n```sh\ncd \"${CLAUDE_PLUGIN_ROOT}\"\n\
        python \"${CLAUDE_PLUGIN_ROOT}\"/src/x.py\n```\n";
    check(
        &[
            (PLUGIN, r#"{"name": "p"}"#),
            ("agents/x.md", text),
            ("src/x.py", "print(1)\n"),
        ],
        &[
            Has("x/SKILL.md", "cd \".\"\npython \".\"/src/x.py"),
            Has("x/SKILL.md", "`${CLAUDE_PLUGIN_ROOT}` is a directory."),
            Has("x/src/x.py", "print(1)"),
            Says("whole-package"),
        ],
    );
}

#[test]
fn links_that_lead_out_of_a_skill_to_nothing_are_said() {
    let skill = "---\nname: a\ndescription: d\n---\nSee [b](../../elsewhere/b.md) and [c](../c/SKILL.md).\n";
    check(
        &[
            (PLUGIN, r#"{"name": "p"}"#),
            ("skills/a/SKILL.md", skill),
            (
                "skills/c/SKILL.md",
                "---\nname: c\ndescription: d\n---\nC.\n",
            ),
        ],
        &[Says(
            "links-broken: a link of the text leads out of the skill to nothing in the package: `../../elsewhere/b.md`",
        )],
    );
}

#[test]
fn a_skill_has_the_files_that_it_needs() {
    let skill = "---\nname: a\ndescription: d\n---\nRead references/r.md, run `scripts/a.py`, see [guide](../../guide/guide.md).\n";
    check(
        &[
            (PLUGIN, r#"{"name": "p"}"#),
            ("skills/a/SKILL.md", skill),
            (
                "skills/a/references/r.md",
                "Uses `lib/run.sh` of the plugin.\n",
            ),
            (
                "skills/a/scripts/a.py",
                "# see guide/history.md and tests/test_a.py\nimport b\nopen('../../../data/x.json')\n",
            ),
            (
                "skills/a/scripts/b.py",
                "\"\"\"As in src/old.py\nwas.\n\"\"\"\n",
            ),
            ("lib/run.sh", "# tests/run.bats\n. lib/more.sh\n"),
            ("lib/more.sh", "echo 1\n"),
            ("lib/test_run.sh", "echo test\n"),
            ("data/x.json", "{\"see\": \"guide/history.md\"}"),
            (
                "guide/guide.md",
                "See [more](more.md) and [log](../CHANGELOG.md).\n",
            ),
            ("guide/more.md", "Read [about](../README.md).\n"),
            ("guide/history.md", "x\n"),
            ("src/old.py", "import docs\n"),
            ("tests/test_a.py", "x = 1\n"),
            ("CHANGELOG.md", "- `guide/history.md`\n"),
            ("README.md", "See [history](guide/history.md).\n"),
        ],
        &[
            Has("a/scripts/b.py", "was"),
            Has("a/lib/more.sh", "echo 1"),
            Has("a/data/x.json", "see"),
            Has("a/guide/more.md", "Read"),
            NoFile("a/guide/history.md"),
            NoFile("a/src/old.py"),
            NoFile("a/tests/test_a.py"),
            NoFile("a/lib/test_run.sh"),
            Silent("links-broken"),
        ],
    );
}
