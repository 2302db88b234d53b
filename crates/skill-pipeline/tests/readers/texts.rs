//! Texts: placeholders, references, files that they name, sentences.

use plugin_model::Role;
use skill_migrator::chinese_sentence;

use crate::Expected::{Has, Lacks, NoFile, Says, Silent};
use crate::{PLUGIN, check};

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

/// A path in a comment, a test, a change log or a document far from the skill is not a need of it.
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
