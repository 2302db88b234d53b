//! The frontmatter has no `name`, or an empty one.

use skill_diagnostics::{Code, Diagnostic};

use crate::context::Context;
use crate::level::Levels;
use crate::rule::{Check, Group, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("name-missing"),
    group: Group::Specification,
    levels: Levels::REQUIRED,
    what: "The frontmatter has no `name`, or an empty one.",
    why: "The name is how users and agents call the skill.",
    example: "description: without a name",
    source: "https://agentskills.io/specification#name-field",
    check: Check::Skill(check),
};

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    super::sources::missing_text(cx, RULE.code, "name")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn wants_a_value() {
        check_rule(
            &RULE,
            &frontmatter("description: x"),
            &["SKILL.md:2:1 the key `name` is missing"],
        );
        check_rule(
            &RULE,
            &frontmatter("name:"),
            &["SKILL.md:2:5 `name` has no value"],
        );
        check_rule(
            &RULE,
            &frontmatter("name: null"),
            &["SKILL.md:2:7 `name` has no value"],
        );
        check_rule(
            &RULE,
            &frontmatter("name: ' '"),
            &["SKILL.md:2:7 `name` has no value"],
        );
        check_rule(&RULE, &frontmatter("name: a"), &[]);
    }
}
