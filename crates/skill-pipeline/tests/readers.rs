//! Packages of other hosts: traps that their texts and manifests have.

#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests lay out their own files, and a failed step is a failed test"
)]

use std::fs;
use std::path::Path;

use plugin_model::Role;
use skill_migrator::{Agents, chinese_sentence};
use skill_pipeline::{MigrateOptions, Migrated, migrate};

/// A property of the output of a migration.
#[derive(Debug)]
enum Expected {
    /// A file of the output contains a text.
    Has(&'static str, &'static str),
    /// A file of the output does not contain a text.
    Lacks(&'static str, &'static str),
    /// The output has no such file.
    NoFile(&'static str),
    /// A finding contains a text.
    Says(&'static str),
    /// No finding contains a text.
    Silent(&'static str),
}

use Expected::{Has, Lacks, NoFile, Says, Silent};

fn lay_out(dir: &Path, files: &[(&str, &str)]) {
    for (path, text) in files {
        let path = dir.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

fn run(dir: &Path, change: impl Fn(&mut MigrateOptions)) -> Migrated {
    let mut options = MigrateOptions::new(dir.join("in"), dir.join("out"));
    change(&mut options);
    migrate(options, &|_| ()).unwrap()
}

/// Returns all findings of a run, one in each line.
fn findings(migrated: &Migrated) -> String {
    let own = migrated.outcomes.iter().flat_map(|outcome| {
        let key = &outcome.directory;
        let findings = outcome.findings.iter();
        findings.map(move |it| format!("{key}: {}: {}\n", it.code.0, it.message))
    });
    let others = migrated.not_searched.iter();
    let others = others.map(|it| format!("{}: {}\n", it.code.0, it.message));
    own.chain(others).collect()
}

/// Migrates the files, and compares the output.
#[track_caller]
fn check(files: &[(&str, &str)], expected: &[Expected]) {
    check_with(|_| (), files, expected);
}

#[track_caller]
fn check_with(change: impl Fn(&mut MigrateOptions), files: &[(&str, &str)], expected: &[Expected]) {
    let dir = tempfile::tempdir().unwrap();
    lay_out(&dir.path().join("in"), files);
    let migrated = run(dir.path(), change);
    let said = findings(&migrated);
    let read = |path: &str| {
        let text = fs::read_to_string(dir.path().join("out").join(path));
        text.unwrap_or_else(|error| panic!("{path}: {error}\n{said}"))
    };
    for one in expected {
        match one {
            Has(path, text) => {
                let found = read(path);
                assert!(
                    found.contains(text),
                    "{path} has no {text:?}:\n{found}\n{said}"
                );
            }
            Lacks(path, text) => {
                let found = read(path);
                assert!(
                    !found.contains(text),
                    "{path} has {text:?}:\n{found}\n{said}"
                );
            }
            NoFile(path) => assert!(!dir.path().join("out").join(path).exists(), "{path}"),
            Says(text) => assert!(said.contains(text), "no {text:?} in:\n{said}"),
            Silent(text) => assert!(!said.contains(text), "{text:?} in:\n{said}"),
        }
    }
}

const PLUGIN: &str = ".claude-plugin/plugin.json";

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
            Says("MCP servers (`config.toml`)"),
            Says("commands, agents or servers in the settings (`opencode.json`)"),
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
                Role::Stated(sentence) => vec![sentence],
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

#[test]
fn an_edit_of_the_instructions_only_is_said() {
    let dir = tempfile::tempdir().unwrap();
    let files = [
        (PLUGIN, r#"{"name": "p"}"#),
        ("commands/notes.md", "Write $1 in 200 words.\n"),
    ];
    lay_out(&dir.path().join("in"), &files);
    run(dir.path(), |_| ());
    let edit = |file: &str| {
        let path = dir.path().join("out/notes").join(file);
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.replace("200", "150")).unwrap();
    };
    edit("SKILL.md");
    let code = "template-not-edited";
    assert!(findings(&run(dir.path(), |_| ())).contains(code));
    edit("references/template.md");
    assert!(!findings(&run(dir.path(), |_| ())).contains(code));
}
