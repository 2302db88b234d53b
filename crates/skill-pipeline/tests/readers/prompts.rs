//! The prompts that the skills of texts give.

use std::fs;
use std::path::Path;

use skill_loader::catalog::{Catalog, CatalogSettings, SkillRoot};
use skill_loader::load::{Limits, LoadedPrompt, Source};

use crate::Expected::{Has, Lacks, Says, Silent};
use crate::{PLUGIN, check, lay_out, run};

/// Returns what the host of the prompt `notes` would send for these arguments.
fn sent(dir: &Path, typed: &str) -> String {
    prompt(dir).sent(typed).unwrap().text
}

fn prompt(dir: &Path) -> LoadedPrompt {
    let settings = CatalogSettings {
        roots: vec![SkillRoot {
            path: dir.join("out"),
            source: Source::Project,
        }],
        ..CatalogSettings::default()
    };
    let catalog = Catalog::read(&settings);
    catalog.skills["notes"].prompt(&Limits::default()).unwrap()
}

#[test]
fn an_edit_of_the_instructions_is_part_of_the_prompt() {
    let dir = tempfile::tempdir().unwrap();
    let plugin = |text: &str| {
        let files = [(PLUGIN, r#"{"name": "p"}"#), ("commands/notes.md", text)];
        lay_out(&dir.path().join("in"), &files);
    };
    plugin("Write $1 in 200 words.\n\nBe kind.\n\nUse !`date`.\n");
    run(dir.path(), |_| ());
    let edit = |file: &str, old: &str, new: &str| {
        let path = dir.path().join("out/notes").join(file);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(old), "{text}");
        fs::write(&path, text.replace(old, new)).unwrap();
    };
    assert!(sent(dir.path(), "tea").starts_with("Write tea in 200 words.\n\nBe kind.\n\nUse "));
    edit("SKILL.md", "in 200 words", "in 150 words");
    edit(
        "SKILL.md",
        "Be kind.",
        "Be kind, `<argument-1>`!\n\nAnd brief.",
    );
    let edited = "Write tea in 150 words.\n\nBe kind, tea!\n\nAnd brief.\n\nUse ";
    assert!(
        sent(dir.path(), "tea").starts_with(edited),
        "{}",
        sent(dir.path(), "tea")
    );
    // A change of the plugin is merged with the edit.
    plugin("Write $1 in 200 words.\n\nBe kind.\n\nUse !`date`.\n\nSign it.\n");
    run(dir.path(), |_| ());
    let merged = sent(dir.path(), "tea");
    assert!(
        merged.starts_with(edited) && merged.contains("Sign it."),
        "{merged}"
    );
    // What is written into the template itself counts.
    edit("references/template.md", "200", "100");
    assert!(sent(dir.path(), "tea").starts_with("Write tea in 100 words."));
}

#[test]
fn files_of_the_project_are_put_in_where_the_host_does() {
    let dir = tempfile::tempdir().unwrap();
    let plugin = [
        ("gemini-extension.json", r#"{"name": "g", "version": "1"}"#),
        (
            "commands/notes.toml",
            "prompt = \"All: @{notes} and @{none.md}, {{args}}\"\n",
        ),
    ];
    lay_out(&dir.path().join("in"), &plugin);
    lay_out(&dir.path().join("project"), &[("notes/a.md", "A.\n")]);
    run(dir.path(), |_| ());
    // A server cannot know the project of its client.
    assert_eq!(
        sent(dir.path(), "now"),
        "All: [read `notes` in the user's project first and use its content] and \
         [read `none.md` in the user's project first and use its content], now"
    );
    let project = dir.path().join("project");
    let put_in = prompt(dir.path()).sent_in("now", &project).unwrap().text;
    assert_eq!(
        put_in,
        "All: --- Start of content for directory: notes ---\n--- a.md ---\nA.\n\n\
         --- End of content for directory: notes --- and @{none.md}, now"
    );
}

#[test]
fn variables_of_settings_are_words_and_those_of_markdown_are_text() {
    let text = "Use {env:CUP} for $1: !`ls {env:CUP}`";
    let settings = format!(r#"{{"command": {{"notes": {{"template": "{text}"}}}}}}"#);
    let files = [
        (
            ("opencode.json", settings.as_str()),
            "Use [the value of the environment variable CUP] for tea: [run `ls $CUP` first and use its output]",
        ),
        (
            (".opencode/command/notes.md", text),
            "Use {env:CUP} for tea: [run `ls {env:CUP}` first and use its output]",
        ),
    ];
    for (file, expected) in files {
        let dir = tempfile::tempdir().unwrap();
        lay_out(&dir.path().join("in"), &[file]);
        run(dir.path(), |_| ());
        assert_eq!(sent(dir.path(), "tea"), expected);
    }
}

#[test]
fn a_prompt_says_where_its_paths_are() {
    let dir = tempfile::tempdir().unwrap();
    let plugin = [
        (
            PLUGIN,
            r#"{"name": "p", "userConfig": {"team": {"title": "Team", "description": "Who reads it", "default": "all"}, "key": {"sensitive": true}}}"#,
        ),
        ("style/a.md", "Brief.\n"),
        (
            "commands/notes.md",
            "Follow ${CLAUDE_PLUGIN_ROOT}/style/a.md and @notes/x.md about $0 for ${user_config.team} with ${user_config.key}.\n",
        ),
    ];
    lay_out(&dir.path().join("in"), &plugin);
    run(dir.path(), |_| ());
    let text = sent(dir.path(), "b.md");
    assert_eq!(
        text,
        "Follow style/a.md and @notes/x.md about b.md for [the setting team: Team, Who reads it; by default all] \
         with [the setting key; ask the user for its value].\n\n\n\
         [`style/a.md` is in the directory of the skill `notes`; `notes/x.md` is in the user's project]"
    );
    let here = prompt(dir.path()).sent_in("b.md", dir.path()).unwrap().text;
    let own = dir.path().join("out/notes").display().to_string();
    assert!(here.contains(&own), "{here}");
    let skill = fs::read_to_string(dir.path().join("out/notes/SKILL.md")).unwrap();
    assert!(
        skill.contains("- The setting `team`: Team, Who reads it; by default `all`."),
        "{skill}"
    );
    assert!(
        skill.contains("- The setting `key`: ask the user for its value."),
        "{skill}"
    );
}

#[test]
fn copilot_begins_at_the_directory_of_the_prompt() {
    let dir = tempfile::tempdir().unwrap();
    let prompt_file = (
        ".github/prompts/notes.prompt.md",
        "Compare #file:../../src/a.ts with ${workspaceFolder}/src/b.ts for ${input:who}.\n",
    );
    lay_out(&dir.path().join("in"), &[prompt_file]);
    run(dir.path(), |_| ());
    let text = sent(dir.path(), "who=me");
    assert!(
        text.ends_with("[`src/b.ts`, `src/a.ts` are in the user's project]"),
        "{text}"
    );
}

/// A skill without placeholders is sent as its host had it, whatever the migration changed in its text.
#[test]
fn a_skill_without_placeholders_is_sent_as_it_was() {
    let dir = tempfile::tempdir().unwrap();
    let skill =
        "---\nname: notes\ndescription: Notes\n---\nSee /p:other and [x](../../guide/x.md).\n";
    let files = [
        (PLUGIN, r#"{"name": "p"}"#),
        ("skills/notes/SKILL.md", skill),
        ("commands/other.md", "Other.\n"),
        ("guide/x.md", "x"),
    ];
    lay_out(&dir.path().join("in"), &files);
    run(dir.path(), |_| ());
    let migrated = fs::read_to_string(dir.path().join("out/notes/SKILL.md")).unwrap();
    assert!(
        migrated.contains("See /other and [x](guide/x.md)."),
        "{migrated}"
    );
    assert_eq!(
        sent(dir.path(), "tea for two"),
        "See /p:other and [x](../../guide/x.md).\n\nARGUMENTS: tea for two"
    );
    assert_eq!(
        sent(dir.path(), ""),
        "See /p:other and [x](../../guide/x.md).\n"
    );
}

/// A number of code is neither an argument nor lost without a word.
#[test]
fn numbers_of_code_are_not_arguments() {
    check(
        &[
            (PLUGIN, r#"{"name": "p", "license": "MIT"}"#),
            (
                "commands/list.md",
                "List them.\n\n```sh\nf() { local n=\"$1\"; }\nps | awk '{print $2}'\n```\n",
            ),
            (
                "commands/ask.md",
                "---\nargument-hint: <table>\n---\nRead $1 with `SELECT a FROM b LIMIT $2`.\n",
            ),
            (
                "commands/brew.md",
                "---\nargument-hint: $1 = green|black (tea), $2 = what to add (optional)\n---\nBrew $1 with $2.\n",
            ),
            (
                "skills/just/SKILL.md",
                "---\nname: just\ndescription: Writes recipes when asked.\n---\nThe setting enables `$1`, `$2` and more.\n",
            ),
            (
                "skills/wait/SKILL.md",
                "---\nname: wait\ndescription: Waits for a guest.\nargument-hint: <topic>\n---\nTopic: `$1`\n",
            ),
            (
                "commands/pour.md",
                "---\nargument-hint: Cups that you want\n---\nPour $1, then $2.\n",
            ),
        ],
        &[
            Has(
                "list/SKILL.md",
                "f() { local n=\"$1\"; }\nps | awk '{print $2}'",
            ),
            Lacks("list/SKILL.md", "argument-"),
            Lacks("list/SKILL.md", "<arguments>"),
            Says("command/list: number-of-code: the host replaced `$1`, `$2` in code"),
            Has(
                "ask/SKILL.md",
                "Read `<table>` with `SELECT a FROM b LIMIT $2`.",
            ),
            Says("command/ask: number-of-code: the host replaced `$2` in code"),
            Has("brew/SKILL.md", "Brew `<tea>` with `<what-to-add>`."),
            Has(
                "brew/SKILL.md",
                "- `<tea>` (required): one of `green`, `black`\n- `<what-to-add>` (optional)",
            ),
            Silent("command/brew: argument-base-unsure"),
            Has("pour/SKILL.md", "Pour `<argument-1>`, then `<argument-2>`."),
            Has(
                "pour/SKILL.md",
                "- `<arguments>` (optional): Cups that you want",
            ),
            Has("wait/SKILL.md", "Topic: `<topic>`"),
            // A name alone cannot tell what a skill shows from what it takes: it is said.
            Says("skill/just: argument-base-unsure"),
        ],
    );
}

#[test]
fn links_to_directories_of_skills_are_names() {
    check(
        &[
            (PLUGIN, r#"{"name": "p", "license": "MIT"}"#),
            (
                "commands/tea.md",
                "**Kind:** drink of `**` and **leaves**.\n\nSee [cups](../skills/cup/) and [pots](../skills/pot).\n",
            ),
            (
                "skills/cup/SKILL.md",
                "---\nname: cup\ndescription: Takes a cup for a guest.\n---\nTake it.\n",
            ),
        ],
        &[
            Has(
                "tea/SKILL.md",
                "description: \"Kind: drink of `**` and leaves.\"",
            ),
            Has(
                "tea/SKILL.md",
                "See cups (the skill `cup`) and [pots](../skills/pot).",
            ),
        ],
    );
}
