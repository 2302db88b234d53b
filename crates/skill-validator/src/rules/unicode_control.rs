//! A control character other than tab and line end, raw or escaped.

use crate::unicode::Kind;
use skill_diagnostics::{Code, Diagnostic};

use crate::context::Context;
use crate::rule::{Check, Group, Levels, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("unicode-control"),
    group: Group::Safety,
    levels: Levels::UNSAFE,
    what: "A control character other than tab and line end, raw or escaped.",
    why: "Terminals obey them; NEL (U+0085) became a new frontmatter key under three YAML libraries.",
    example: "U+001B [2K",
    source: "https://www.unicode.org/reports/tr36/; docs/design/security.md, \"Unicode\"",
    check: Check::Skill(check),
};

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    super::sources::unicode_findings(cx, RULE.code, Kind::Control)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn names_the_character() {
        check_rule(
            &RULE,
            &body("a\u{1b}[2J\n"),
            &["SKILL.md:5:2 a control character (U+001B), which readers cannot see"],
        );
    }

    #[test]
    fn looks_at_decoded_values() {
        let files = frontmatter("description: \"a\\e[2K\"");
        check_rule(
            &RULE,
            &files,
            &["SKILL.md:2:14 a control character (U+001B), which readers cannot see"],
        );
    }
}
