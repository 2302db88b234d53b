//! A code point that is not a character.

use crate::unicode::Kind;
use skill_diagnostics::{Code, Diagnostic};

use crate::context::Context;
use crate::rule::{Check, Group, Levels, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("unicode-noncharacter"),
    group: Group::Safety,
    levels: Levels::UNSAFE,
    what: "A code point that is not a character.",
    why: "Readers drop, replace or refuse it.",
    example: "U+FFFE",
    source: "https://www.unicode.org/faq/private_use.html#nonchar1",
    check: Check::Skill(check),
};

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    super::sources::unicode_findings(cx, RULE.code, Kind::Noncharacter)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn names_the_character() {
        check_rule(
            &RULE,
            &body("a\u{fffe}\n"),
            &["SKILL.md:5:2 a noncharacter (U+FFFE), which readers cannot see"],
        );
    }
}
