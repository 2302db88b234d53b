//! The frontmatter has no `description`, or a blank one.

use skill_diagnostics::{Code, Diagnostic};

use crate::context::Context;
use crate::level::Levels;
use crate::rule::{Check, Group, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("description-missing"),
    group: Group::Specification,
    levels: Levels::FATAL,
    what: "The frontmatter has no `description`, or a blank one.",
    why: "The description is all that an agent sees before it chooses a skill; clients skip a skill without one.",
    example: "description: \" \"",
    source: "https://agentskills.io/specification#description-field; https://agentskills.io/client-implementation/adding-skills-support (\"skip the skill\")",
    check: Check::Skill(check),
};

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    super::sources::missing_text(cx, RULE.code, "description")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn wants_more_than_blanks() {
        check_rule(
            &RULE,
            &frontmatter("name: a"),
            &["SKILL.md:2:1 the key `description` is missing"],
        );
        check_rule(
            &RULE,
            &frontmatter("description: \"   \""),
            &["SKILL.md:2:14 `description` has no value"],
        );
        check_rule(&RULE, &frontmatter("description: |\n  \n  x"), &[]);
    }
}
