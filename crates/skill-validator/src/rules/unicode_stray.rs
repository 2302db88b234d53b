//! A single invisible character outside words.

use crate::unicode::Kind;
use skill_diagnostics::{Code, Diagnostic};

use crate::context::Context;
use crate::rule::{Check, Group, Levels, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("unicode-stray"),
    group: Group::Safety,
    levels: Levels::ADVICE,
    what: "A single invisible character outside words.",
    why: "Often an accident (a zero-width space to show a code fence, a byte order mark in the middle), sometimes a mark.",
    example: "`<U+200B>``",
    source: "https://www.unicode.org/reports/tr36/; docs/design/security.md, \"Unicode\"",
    check: Check::Skill(check),
};

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    super::sources::unicode_findings(cx, RULE.code, Kind::Stray)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn names_the_character() {
        check_rule(
            &RULE,
            &body(". \u{200b} x\n"),
            &["SKILL.md:5:3 an invisible character (U+200B), which readers cannot see"],
        );
    }
}
