//! `compatibility` is empty or has more than 500 characters.

use skill_diagnostics::{Code, Diagnostic};

use crate::context::Context;
use crate::level::Levels;
use crate::rule::{Check, Group, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("compatibility-length"),
    group: Group::Specification,
    levels: Levels::REQUIRED,
    what: "`compatibility` is empty or has more than 500 characters.",
    why: "It is meant for one line about the environment that the skill needs.",
    example: "compatibility: \"\"",
    source: "https://agentskills.io/specification#compatibility-field (1-500 characters if provided)",
    check: Check::Skill(check),
};

/// Maximum number of code points.
const MAX: usize = skill_model::COMPATIBILITY_MAX;

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    let Some(node) = cx.field("compatibility") else {
        return Vec::new();
    };
    let Some(text) = node.text() else {
        return Vec::new();
    };
    let length = text.chars().count();
    if (1..=MAX).contains(&length) && !node.to_value().is_null() {
        return Vec::new();
    }
    let message = format!("`compatibility` has {length} characters, expected 1 to {MAX}");
    vec![cx.at(RULE.code, node.range.clone(), message)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn wants_one_to_five_hundred() {
        let of = |n| frontmatter(&format!("compatibility: {}", "c".repeat(n)));
        check_rule(&RULE, &of(500), &[]);
        check_rule(
            &RULE,
            &of(501),
            &["SKILL.md:2:16 `compatibility` has 501 characters, expected 1 to 500"],
        );
        check_rule(
            &RULE,
            &frontmatter("compatibility: \"\""),
            &["SKILL.md:2:16 `compatibility` has 0 characters, expected 1 to 500"],
        );
    }
}
