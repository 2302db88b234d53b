//! An unresolved merge conflict is left in a file.

use skill_diagnostics::{Code, Diagnostic};
use skill_model::conflict::first_conflict;

use crate::context::Context;
use crate::level::{Level, Levels};
use crate::rule::{Check, Group, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("conflict-markers"),
    group: Group::Quality,
    levels: Levels::everywhere(Level::Error),
    what: "A file contains an unresolved merge conflict: both versions, between conflict markers.",
    why: "An agent reads two instructions where one was meant, and a program does not run.",
    example: "<<<<<<< edited by hand",
    source: "git merge; skills-migrate",
    check: Check::Skill(check),
};

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    cx.texts()
        .filter_map(|(path, text)| {
            let message = "the merge conflict that begins here is not resolved".to_owned();
            Some(cx.at_file(RULE.code, (path, text), first_conflict(text)?, message))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn finds_it_in_any_text() {
        let mut files = body("Nothing here.\n");
        add(
            &mut files,
            "scripts/a.py",
            b"x\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> plugin\n",
        );
        add(&mut files, "references/b.md", b"Title\n=======\n");
        check_rule(
            &RULE,
            &files,
            &["scripts/a.py:2:1 the merge conflict that begins here is not resolved"],
        );
    }
}
