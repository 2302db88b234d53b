//! Tag characters (U+E0000–U+E0FFF) outside a flag.

use crate::unicode::Kind;
use skill_diagnostics::{Code, Diagnostic};

use crate::context::Context;
use crate::rule::{Check, Group, Levels, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("unicode-tags"),
    group: Group::Safety,
    levels: Levels::UNSAFE,
    what: "Tag characters (U+E0000–U+E0FFF) outside a flag.",
    why: "They are invisible and models read them as ASCII.",
    example: "U+E0069 U+E0067 …",
    source: "https://embracethered.com/blog/posts/2024/hiding-and-finding-text-with-unicode-tags/",
    check: Check::Skill(check),
};

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    super::sources::unicode_findings(cx, RULE.code, Kind::Tag)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn names_the_character() {
        check_rule(
            &RULE,
            &body("a\u{e0069}\n"),
            &["SKILL.md:5:2 a tag character (U+E0069), which readers cannot see"],
        );
    }
}
