//! `SKILL.md` does not start with a line that is only `---`.

use skill_diagnostics::Diagnostic;
use skill_model::codes;

use crate::context::Context;
use crate::rule::{Check, Group, Levels, Rule};

pub(crate) const RULE: Rule = Rule {
    code: codes::FRONTMATTER_MISSING,
    group: Group::Specification,
    levels: Levels::FATAL,
    what: "`SKILL.md` does not start with a line that is only `---`.",
    why: "Without frontmatter there is no name and no description, so no client can offer the skill.",
    example: "# Title without frontmatter",
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
    fn wants_the_first_line() {
        let message = "SKILL.md:1:1 the file does not start with frontmatter, expected `---` as its first line";
        check_rule(&RULE, &skill_text("# Title\n"), &[message]);
        check_rule(&RULE, &skill_text("\n---\nname: a\n---\n"), &[message]);
        check_rule(&RULE, &skill_text("\u{feff}---\nname: a\n---\n"), &[]);
    }
}
