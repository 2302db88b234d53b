//! A key occurs twice in one map.

use skill_diagnostics::Diagnostic;
use skill_model::codes;

use crate::context::Context;
use crate::rule::{Check, Group, Levels, Rule};

pub(crate) const RULE: Rule = Rule {
    code: codes::DUPLICATE_KEY,
    group: Group::Specification,
    levels: Levels::FATAL,
    what: "A key occurs twice in one map.",
    why: "Readers disagree: some take the first value, some the last, some refuse the file.",
    example: "name: a\nname: b",
    source: "https://yaml.org/spec/1.2.2/#3213-node-comparison (keys are unique)",
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
    fn reports_the_second() {
        let files = skill_text("---\nname: a\ndescription: b\nname: a\n---\n");
        check_rule(
            &RULE,
            &files,
            &["SKILL.md:4:1 `name` occurs twice, expected once"],
        );
    }
}
