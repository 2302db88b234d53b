//! The entry of `METADATA.yml` names a directory, a module or a script that the skill does not have.

use crate::markdown::normalized;
use skill_diagnostics::{Code, Diagnostic};
use skill_model::Prompt;

use crate::context::Context;
use crate::level::Levels;
use crate::rule::{Check, Group, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("metadata-entry-missing"),
    group: Group::Metadata,
    levels: Levels::UNSAFE,
    what: "The entry of `METADATA.yml` names a directory, a module or a script that the skill does not have, or its prompt names a template.",
    why: "The skill cannot be run, or its prompt cannot be expanded.",
    example: "entry: { runtime: node, argv: [node, gone.js], dir: scripts }",
    source: "skill_model::Metadata::entry",
    check: Check::Skill(check),
};

/// Extensions of files that interpreters run.
const SCRIPTS: [&str; 9] = ["py", "js", "mjs", "cjs", "ts", "sh", "rb", "pl", "ps1"];

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    // A file that declares the skill as not runnable may have an incomplete entry.
    let metadata = cx.metadata_reading().map(|reading| &reading.metadata);
    let runnable = metadata.filter(|metadata| metadata.runnable);
    if let Some(finding) = metadata.and_then(|metadata| template(cx, metadata.prompt.as_ref()?)) {
        return vec![finding];
    }
    let Some(entry) = runnable.and_then(|metadata| metadata.entry.as_ref()) else {
        return Vec::new();
    };
    let named = entry
        .module
        .iter()
        .chain(entry.argv.iter().filter(|word| is_script(word)));
    let mut missing = named.filter(|file| !has(cx, &entry.dir, file)).map(|file| {
        format!(
            "`{}` does not exist in `{}`",
            file.escape_debug(),
            entry.dir
        )
    });
    let Some(message) = missing.next() else {
        return Vec::new();
    };
    // All findings are at the entry, whose position is looked up once.
    let first = super::sources::at_metadata(cx, cx.finding(RULE.code, message), "entry");
    let more = missing.map(|message| Diagnostic {
        message,
        ..first.clone()
    });
    std::iter::once(first.clone()).chain(more).collect()
}

/// Returns a finding if the template of a prompt does not exist.
fn template(cx: &Context<'_>, prompt: &Prompt) -> Option<Diagnostic> {
    if has(cx, ".", &prompt.template) {
        return None;
    }
    let message = format!("`{}` does not exist", prompt.template.escape_debug());
    let finding = cx.finding(RULE.code, message);
    Some(super::sources::at_metadata(cx, finding, "prompt"))
}

fn is_script(word: &str) -> bool {
    let ending = word.rsplit_once('.').map(|(_, ending)| ending);
    ending.is_some_and(|ending| SCRIPTS.contains(&ending)) && !word.starts_with('-')
}

fn has(cx: &Context<'_>, dir: &str, file: &str) -> bool {
    normalized(&format!("{dir}/{file}")).is_some_and(|path| cx.files.entry(&path).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn wants_the_script() {
        let mut files =
            metadata("entry:\n  runtime: node\n  argv: [node, main.js]\n  dir: scripts\n");
        check_rule(
            &RULE,
            &files,
            &["METADATA.yml:1:1 `main.js` does not exist in `scripts`"],
        );
        add(&mut files, "scripts/main.js", b"x");
        check_rule(&RULE, &files, &[]);
    }

    #[test]
    fn wants_the_template() {
        let mut files = metadata("prompt:\n  template: references/a.md\n  dialect: codex\n");
        check_rule(
            &RULE,
            &files,
            &["METADATA.yml:1:1 `references/a.md` does not exist"],
        );
        add(&mut files, "references/a.md", b"x");
        check_rule(&RULE, &files, &[]);
    }
}
