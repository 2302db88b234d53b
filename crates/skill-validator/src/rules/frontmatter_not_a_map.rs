//! The frontmatter is a list or a text instead of keys and values.

use skill_diagnostics::Diagnostic;
use skill_model::codes;

use crate::context::Context;
use crate::rule::{Check, Group, Levels, Rule};

pub(crate) const RULE: Rule = Rule {
    code: codes::FRONTMATTER_NOT_A_MAP,
    group: Group::Specification,
    levels: Levels::FATAL,
    what: "The frontmatter is a list or a text instead of keys and values.",
    why: "There is no name and no description in it.",
    example: "- name: my-skill",
    source: "https://agentskills.io/specification#frontmatter",
    check: Check::Skill(check),
};

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    super::sources::forwarded(cx, RULE.code)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn wants_keys() {
        let files = skill_text("---\n- name: a\n---\n");
        check_rule(
            &RULE,
            &files,
            &["SKILL.md:2:1 the frontmatter is a list, expected keys and values"],
        );
    }
}
