//! Texts: placeholders, references, files that they name, sentences.

use plugin_model::Role;
use skill_migrator::chinese_sentence;

use crate::Expected::{Has, Lacks, NoFile, Says, Silent};
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
fn placeholders_next_to_chinese_are_replaced() {
    check(
        &[
            (PLUGIN, r#"{"name": "p"}"#),
            (
                "commands/tr.md",
                "---\nargument-hint: \"[文件] [语言]\"\n---\n把$0翻译成$1语。\n",
            ),
            (
                "commands/nm.md",
                "---\narguments: [file, lang]\n---\n把$file翻译成$lang语。\n",
            ),
        ],
        &[
            Has("tr/SKILL.md", "把`<文件>`翻译成`<语言>`语。"),
            Has("nm/SKILL.md", "把`<file>`翻译成`<lang>`语。"),
        ],
    );
}

#[test]
fn a_text_refers_to_the_parts_of_its_own_package() {
    check(
        &[
            ("cl/.claude-plugin/plugin.json", r#"{"name": "conductor"}"#),
            ("cl/commands/go.md", "Go, after /conductor:setup.\n"),
            ("cl/commands/setup.md", "Set up.\n"),
            ("gm/gemini-extension.json", r#"{"name": "conductor"}"#),
            (
                "gm/commands/conductor/go.toml",
                "prompt = \"Go. Before it: /conductor:setup or /conductor.conductor:setup.\"\n",
            ),
            (
                "gm/commands/conductor/setup.toml",
                "prompt = \"Set up. Then /conductor:go.\"\n",
            ),
            ("two/.claude-plugin/plugin.json", r#"{"name": "two"}"#),
            (
                "two/commands/setup.md",
                "---\ndescription: Sets up for /go\n---\nThen /go.\n",
            ),
            (
                "two/commands/go.md",
                "First /setup, not /setup/x or setup.\n",
            ),
            ("oc/.opencode/command/git/pr.md", "PR. Then /git/undo.\n"),
            ("oc/.opencode/command/git/undo.md", "Undo. Or /git/pr.\n"),
        ],
        &[
            Has("go/SKILL.md", "Go, after /setup."),
            Has(
                "conductor-go/SKILL.md",
                "Before it: /conductor-setup or /conductor-setup.",
            ),
            Has("conductor-setup/SKILL.md", "Then /conductor-go."),
            Has(
                "two-go/SKILL.md",
                "First /two-setup, not /setup/x or setup.",
            ),
            Has("two-setup/SKILL.md", "description: \"Sets up for /two-go\""),
            Has("pr/SKILL.md", "Then /undo."),
        ],
    );
}

#[test]
fn arguments_are_required_or_optional_as_their_hint_says() {
    let named =
        "---\nargument-hint: [a] [b]\narguments: [project, title]\n---\nIn $project: $title.\n";
    check(
        &[
            (PLUGIN, r#"{"name": "p"}"#),
            (
                "commands/one.md",
                "---\nargument-hint: [version]\n---\nNotes for $ARGUMENTS.\n",
            ),
            ("commands/named.md", named),
            ("commands/old.md", "Merge PR #$1 into $2.\n"),
        ],
        &[
            Has("one/SKILL.md", "- `<version>` (optional)"),
            Lacks("one/METADATA.yml", "required: true"),
            Has("named/SKILL.md", "In `<project>`: `<title>`."),
            Has("named/SKILL.md", "- `<project>` (optional)"),
            Has(
                "old/SKILL.md",
                "Merge PR #`<argument-1>` into `<argument-2>`.",
            ),
            Lacks("old/SKILL.md", "argument-3"),
        ],
    );
}

#[test]
fn sentences_about_the_old_host_are_readable() {
    check(
        &[
            (
                ".github/agents/pl.agent.md",
                "---\nname: Planner Pro\ndescription: Plans\n---\nUse #tool:search. Plan.\n",
            ),
            (
                ".github/prompts/p.prompt.md",
                "---\ndescription: P\nagent: Planner Pro\n---\nSee [q](./q.prompt.md), then make ${input:x:the thing}.\n",
            ),
            (
                ".github/prompts/q.prompt.md",
                "---\ndescription: Q\nagent: agent\n---\nQ ${input:count:how many}.\n",
            ),
            (
                "o/.opencode/agent/calm.md",
                "---\ndescription: Calm\ntools:\n  write: false\n  edit: false\n---\nRead.\n",
            ),
            ("c/.claude-plugin/plugin.json", r#"{"name": "c"}"#),
            (
                "c/agents/all.md",
                "---\ndescription: All\ntools: \"*\"\n---\nDo it.\n",
            ),
        ],
        &[
            Has("pl/SKILL.md", "Use the tool `search`. Plan."),
            Has("p/SKILL.md", "See the skill `q`, then make"),
            NoFile("p/prompts/q.prompt.md"),
            Has(
                "p/SKILL.md",
                "- The old host gave it to the agent `Planner Pro (skill pl)`.",
            ),
            Lacks("q/SKILL.md", "The old host"),
            Has(
                "calm/SKILL.md",
                "The old host set its tools: write: false, edit: false.",
            ),
            Lacks("all/SKILL.md", "only these tools"),
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
fn chinese_parts_keep_their_names_and_language() {
    check(
        &[
            ("p/.claude-plugin/plugin.json", r#"{"name": "校对包"}"#),
            (
                "p/agents/校对.md",
                "---\nname: 校对\ndescription: 检查中文文稿\ntools: Read, Grep\n---\n你是一名中文编辑。\n",
            ),
            (
                "p/commands/周报.md",
                "---\ndescription: 汇总提交\n---\n写总结。\n",
            ),
        ],
        &[
            Has("p/SKILL.md", "description: \"周报：汇总提交\""),
            Has("p/METADATA.yml", "display_name: 周报"),
            Has("p-agent/SKILL.md", "description: \"校对：检查中文文稿\""),
            Has(
                "p-agent/SKILL.md",
                "- 旧宿主只允许它使用以下工具：Read, Grep。",
            ),
        ],
    );
    for reader in plugin_readers::READERS {
        for key in reader.parts.iter().flat_map(|part| part.keys) {
            let sentences = match key.role {
                Role::Stated(sentence) | Role::StatedNames(sentence) => vec![sentence],
                Role::StatedBy(rows, others) => {
                    rows.iter().map(|row| row.1).chain([others]).collect()
                }
                _ => Vec::new(),
            };
            for sentence in sentences
                .into_iter()
                .filter(|sentence| !sentence.is_empty())
            {
                assert!(chinese_sentence(sentence).is_some(), "{sentence}");
            }
        }
    }
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
fn gemini_names_its_directories_and_forbids_tools() {
    check(
        &[
            (
                "gemini-extension.json",
                r#"{"name": "g", "excludeTools": ["run_shell_command(rm)", "web_fetch"]}"#,
            ),
            (
                "commands/c.toml",
                "prompt = \"Read ${extensionPath}/guide/a.md, then `ls ${workspacePath}/src` for {{args}}.\"\n",
            ),
            ("guide/a.md", "A.\n"),
        ],
        &[
            Has("c/SKILL.md", "Read guide/a.md, then `ls src` for"),
            Has("c/guide/a.md", "A."),
            Has(
                "c/SKILL.md",
                "- The old host did not let it use these tools: run_shell_command(rm), web_fetch.",
            ),
        ],
    );
}

#[test]
fn empty_and_broken_texts_are_said() {
    check(
        &[
            (PLUGIN, r#"{"name": "p"}"#),
            ("commands/void.md", ""),
            (
                "commands/open.md",
                "---\ndescription: never closed\n\nText $ARGUMENTS\n",
            ),
            ("g/gemini-extension.json", r#"{"name": "g"}"#),
            ("g/commands/brace.toml", "prompt = \"Run !{echo { now\"\n"),
        ],
        &[
            Says("#command/void: empty-text"),
            Has("void/SKILL.md", "description: \"The prompt `void`.\""),
            Says("#command/open: loose-frontmatter: the frontmatter has no end"),
        ],
    );
    check(
        &[
            ("gemini-extension.json", r#"{"name": "g"}"#),
            ("commands/brace.toml", "prompt = \"Run !{echo { now\"\n"),
        ],
        &[Says("#command/brace: unclosed-placeholder")],
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
fn descriptions_have_no_placeholders() {
    let skill = "---\nname: r\ndescription: \"Refactor `${input:methodName}` to `${input:limit}`.\"\n---\nRefactor ${input:methodName}.\n";
    check(
        &[
            ("skills/r/SKILL.md", skill),
            (
                "agents/a.agent.md",
                "---\ndescription: Costs $5 and ${HOME}\n---\nA.\n",
            ),
        ],
        &[
            // Angle brackets are not allowed in a frontmatter.
            Has("r/SKILL.md", "Refactor `‹methodName›` to `‹limit›`."),
            Has("a/SKILL.md", "Costs $5 and ${HOME}"),
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

/// A path in a comment, a test, a change log or a document far from the skill is not a need of it.
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

#[test]
fn markers_of_a_merge_are_said() {
    check(
        &[
            (PLUGIN, r#"{"name": "p"}"#),
            (
                "commands/a.md",
                "Go.\n<<<<<<< HEAD\nleft\n=======\nright\n>>>>>>> other\n",
            ),
        ],
        &[Says("conflict-markers: the text has the markers")],
    );
}

#[test]
fn words_of_hosts_have_a_fate() {
    check(
        &[
            (
                ".github/prompts/a.prompt.md",
                "Explain #selection in #file:'a b.md' with ${env:HOME}.\n",
            ),
            (".opencode/command/b.md", "Move $1 to $2, then $9.\n"),
            (
                ".cursor/rules/c.mdc",
                "---\ndescription: How to brew.\n---\nFollow @guide/tea.md.\n",
            ),
            ("guide/tea.md", "x"),
        ],
        &[
            Has(
                "a/SKILL.md",
                "Explain the selected text in `a b.md` with the environment variable `HOME`.",
            ),
            Has("b/SKILL.md", "then $9"),
            Says("the host replaced `$9` in the text"),
            Has("c/SKILL.md", "Follow `guide/tea.md`."),
            Silent("@guide"),
        ],
    );
}
