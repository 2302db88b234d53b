//! No line after the first is only `---`.

use skill_diagnostics::Diagnostic;
use skill_model::codes;

use crate::context::Context;
use crate::rule::{Check, Group, Levels, Rule};

pub(crate) const RULE: Rule = Rule {
    code: codes::FRONTMATTER_UNCLOSED,
    group: Group::Specification,
    levels: Levels::FATAL,
    what: "No line after the first is only `---`.",
    why: "The whole file would be YAML, or none of it.",
    example: "---\nname: my-skill\n# Title",
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
    fn wants_a_closing_line() {
        let message =
            "SKILL.md:1:1 the frontmatter is not closed, expected a second line that is only `---`";
        check_rule(&RULE, &skill_text("---\nname: a\n\n# T\n"), &[message]);
        check_rule(&RULE, &skill_text("---\nname: a\n---"), &[]);
    }
}
