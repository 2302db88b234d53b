//! Two variation selectors in a row, or one on a letter.

use crate::unicode::Kind;
use skill_diagnostics::{Code, Diagnostic};

use crate::context::Context;
use crate::rule::{Check, Group, Levels, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("unicode-selectors"),
    group: Group::Safety,
    levels: Levels::UNSAFE,
    what: "Two variation selectors in a row, or one on a letter.",
    why: "Sequences of selectors can carry invisible data.",
    example: "😀 U+E0101 U+E0102",
    source: "https://paulbutler.org/2025/smuggling-arbitrary-data-through-an-emoji/",
    check: Check::Skill(check),
};

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    super::sources::unicode_findings(cx, RULE.code, Kind::Selector)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn names_the_character() {
        check_rule(
            &RULE,
            &body("a\u{fe01}\n"),
            &["SKILL.md:5:2 a variation selector (U+FE01), which readers cannot see"],
        );
    }
}
