//! There is nothing after the frontmatter.

use skill_diagnostics::{Code, Diagnostic};

use crate::context::Context;
use crate::level::Levels;
use crate::rule::{Check, Group, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("body-empty"),
    group: Group::Quality,
    levels: Levels::REMARK,
    what: "There is nothing after the frontmatter.",
    why: "An agent that activates the skill learns nothing.",
    example: "---\nname: a\ndescription: b\n---",
    source: "https://agentskills.io/specification#body-content (no restriction)",
    check: Check::Skill(check),
};

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    if cx.skill.is_none() || !cx.body().trim().is_empty() {
        return Vec::new();
    }
    let start = cx.body_start();
    vec![cx.at(
        RULE.code,
        start..start,
        "the body is empty, expected instructions",
    )]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn wants_instructions() {
        check_rule(&RULE, &body("x"), &[]);
        check_rule(
            &RULE,
            &body(" \n"),
            &["SKILL.md:5:1 the body is empty, expected instructions"],
        );
    }
}
