//! A bidirectional embedding, override or isolate.

use crate::unicode::Kind;
use skill_diagnostics::{Code, Diagnostic};

use crate::context::Context;
use crate::rule::{Check, Group, Levels, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("unicode-bidi"),
    group: Group::Safety,
    levels: Levels::UNSAFE,
    what: "A bidirectional embedding, override or isolate.",
    why: "It shows text in another order than the model reads.",
    example: "U+202E",
    source: "https://trojansource.codes",
    check: Check::Skill(check),
};

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    super::sources::unicode_findings(cx, RULE.code, Kind::Bidi)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn names_the_character() {
        check_rule(
            &RULE,
            &body("a\u{202e}b\n"),
            &["SKILL.md:5:2 a bidirectional control (U+202E), which readers cannot see"],
        );
    }

    #[test]
    fn counts_and_looks_into_other_files_and_escapes() {
        let mut files = frontmatter("description: \"a\\u202Eb\"");
        add(&mut files, "a.md", "x\u{202d}y\u{202c}".as_bytes());
        check_rule(
            &RULE,
            &files,
            &[
                "SKILL.md:2:14 a bidirectional control (U+202E), which readers cannot see",
                "a.md:1:2 a bidirectional control (U+202D) and 1 more, which readers cannot see",
            ],
        );
    }
}
