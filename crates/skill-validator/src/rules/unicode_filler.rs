//! Invisible letters, interlinear annotation or deprecated format characters.

use crate::unicode::Kind;
use skill_diagnostics::{Code, Diagnostic};

use crate::context::Context;
use crate::rule::{Check, Group, Levels, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("unicode-filler"),
    group: Group::Safety,
    levels: Levels::UNSAFE,
    what: "Invisible letters, interlinear annotation or deprecated format characters.",
    why: "They look like blanks or like nothing, and are read as text.",
    example: "U+3164",
    source: "https://www.unicode.org/reports/tr36/; docs/design/security.md, \"Unicode\"",
    check: Check::Skill(check),
};

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    super::sources::unicode_findings(cx, RULE.code, Kind::Filler)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn names_the_character() {
        check_rule(
            &RULE,
            &body("a\u{3164}b\n"),
            &["SKILL.md:5:2 an invisible letter (U+3164), which readers cannot see"],
        );
    }
}
