//! `SKILL.md` has bytes that are not UTF-8.

use skill_diagnostics::Diagnostic;
use skill_model::codes;

use crate::context::Context;
use crate::rule::{Check, Group, Level, Levels, Rule};

pub(crate) const RULE: Rule = Rule {
    code: codes::INVALID_UTF8,
    group: Group::Specification,
    levels: Levels::everywhere(Level::Error),
    what: "`SKILL.md` has bytes that are not UTF-8.",
    why: "Readers replace them, stop with a traceback, or take them for other characters; nobody knows what the model sees.",
    example: "a file saved as Latin-1 or UTF-16",
    source: "https://agentskills.io/specification (silent; every reader expects UTF-8)",
    check: Check::Skill(check),
};

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    super::sources::forwarded(cx, RULE.code)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn reports_the_place() {
        let files = with_bytes("SKILL.md", b"---\nname: \xE9\n---\n");
        check_rule(&RULE, &files, &["SKILL.md:2:7 byte 0xE9 is not UTF-8"]);
    }
}
