//! Characters of the private planes 15 and 16.

use crate::unicode::Kind;
use skill_diagnostics::{Code, Diagnostic};

use crate::context::Context;
use crate::rule::{Check, Group, Levels, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("unicode-private-use"),
    group: Group::Safety,
    levels: Levels::UNSAFE,
    what: "Characters of the private planes 15 and 16.",
    why: "They have no meaning that a reader could check, and models map them to ASCII.",
    example: "U+F0069",
    source: "https://www.unicode.org/faq/private_use.html",
    check: Check::Skill(check),
};

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    super::sources::unicode_findings(cx, RULE.code, Kind::PrivateUse)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn names_the_character() {
        check_rule(
            &RULE,
            &body("a\u{f0069}\n"),
            &["SKILL.md:5:2 a private character (U+F0069), which readers cannot see"],
        );
    }
}
