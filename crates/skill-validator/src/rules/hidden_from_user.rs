//! Text tells the agent to keep something from the user.

use skill_diagnostics::{Code, Diagnostic};

use crate::context::Context;
use crate::rule::{Check, Group, Levels, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("hidden-from-user"),
    group: Group::Safety,
    levels: Levels::REMARK,
    what: "Text tells the agent to keep something from the user.",
    why: "A skill works for its user. Often harmless: \"do not mention file names to the user\".",
    example: "do not tell the user",
    source: "docs/design/security.md, \"Signals\": 16 of 256 ordinary skills",
    check: Check::Skill(check),
};

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    super::sources::signal_findings(cx, RULE.code)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn finds_it_in_any_text() {
        let mut files = body("Nothing here.\n");
        add(&mut files, "references/a.md", b"Do not tell the user.");
        check_rule(
            &RULE,
            &files,
            &["references/a.md:1:1 an instruction to keep something from the user"],
        );
    }
}
