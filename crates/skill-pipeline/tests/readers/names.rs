//! Names of files that not every system can store.

use crate::Expected::{Has, Lacks, NoFile, Says, Silent};
use crate::{PLUGIN, check, check_with};
use skill_migrator::Agents;

#[cfg(unix)]
#[test]
fn commands_with_a_colon_in_their_file_name_migrate() {
    check(
        &[
            (PLUGIN, r#"{"name": "p", "license": "MIT"}"#),
            (
                "commands/tea:brew.md",
                "---\ndescription: Brews tea for a guest.\n---\nBrew $ARGUMENTS, then /tea:pour.\n",
            ),
            (
                "commands/tea:pour.md",
                "Pour it as [before](./tea:brew.md).\n",
            ),
            ("commands/v1.2:old.md", "Brew the old way.\n"),
            ("agents/tea:guest.md", "---\nname: guest\n---\nTaste it.\n"),
        ],
        &[
            Has("tea-brew/SKILL.md", "then /tea-pour."),
            Has(
                "tea-brew/references/template.md",
                "Brew $ARGUMENTS, then /tea:pour.",
            ),
            Has("tea-brew/METADATA.yml", "name: p:tea:brew"),
            Has("tea-brew/METADATA.yml", "file: commands/tea:brew.md"),
            Has("tea-pour/SKILL.md", "the skill `tea-brew`"),
            Has("v1-2-old/SKILL.md", "Brew the old way."),
            Has("tea-guest/SKILL.md", "Taste it."),
            Silent("is not read"),
            Silent("another part had"),
        ],
    );
}

#[cfg(unix)]
#[test]
fn names_that_become_one_are_told_apart() {
    check(
        &[
            (PLUGIN, r#"{"name": "p", "license": "MIT"}"#),
            ("commands/a-b.md", "With a hyphen.\n"),
            ("commands/a:b.md", "With a colon.\n"),
            ("commands/a/b.md", "In a directory.\n"),
            ("commands/a?b.md", "With a question mark.\n"),
        ],
        &[
            Has("a-b/SKILL.md", "With a hyphen."),
            Has("b/SKILL.md", "In a directory."),
            Has("p-a-b/SKILL.md", "With a colon."),
            Has("a-b-command/SKILL.md", "With a question mark."),
            Says("another part had the skill name `a-b` first; this one became `p-a-b`"),
            Says("another part had the skill name `a-b` first; this one became `a-b-command`"),
        ],
    );
}

#[cfg(unix)]
#[test]
fn copies_have_portable_names() {
    check_with(
        |options| options.texts.agents = Agents::References,
        &[
            (PLUGIN, r#"{"name": "p", "license": "MIT"}"#),
            ("commands/brew.md", "Ask @agent-guest.\n"),
            ("agents/a-b.md", "---\nname: a-b\n---\nA.\n"),
            ("agents/a:b.md", "---\nname: guest\n---\nTaste it.\n"),
            ("agents/a?b.md", "---\nname: other\n---\nB.\n"),
        ],
        &[
            Has("brew/references/agents/a-b.md", "A."),
            Has("brew/references/agents/a-b-2.md", "Taste it."),
            Has("brew/references/agents/a-b-3.md", "B."),
            Has("brew/SKILL.md", "references/agents/a-b-2.md"),
            Lacks("brew/SKILL.md", "a:b"),
            NoFile("brew/references/agents/a:b.md"),
        ],
    );
}

#[cfg(unix)]
#[test]
fn other_files_with_a_colon_are_named() {
    check(
        &[
            (PLUGIN, r#"{"name": "p", "license": "MIT"}"#),
            ("commands/brew.md", "See docs/how:to.txt.\n"),
            ("docs/how:to.txt", "x"),
            ("commands/deep:er/pour.md", "Pour.\n"),
        ],
        &[
            Has("brew/SKILL.md", "docs/how:to.txt"),
            Says("docs/how:to.txt"),
            Says("commands/deep:er/"),
        ],
    );
}
