//! Zero-width characters inside a word, or three in a row.

use crate::unicode::Kind;
use skill_diagnostics::{Code, Diagnostic};

use crate::context::Context;
use crate::rule::{Check, Group, Levels, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("unicode-zero-width"),
    group: Group::Safety,
    levels: Levels::UNSAFE,
    what: "Zero-width characters inside a word, or three in a row.",
    why: "They split words that filters look for, or carry bits.",
    example: "ig<U+200B>nore",
    source: "https://www.unicode.org/reports/tr36/; docs/design/security.md, \"Unicode\"",
    check: Check::Skill(check),
};

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    super::sources::unicode_findings(cx, RULE.code, Kind::ZeroWidth)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn names_the_character() {
        check_rule(
            &RULE,
            &body("ig\u{200b}nore\n"),
            &["SKILL.md:5:3 a zero-width character (U+200B), which readers cannot see"],
        );
    }
}
