//! HTML is styled not to be seen, or a comment speaks to the agent.

use skill_diagnostics::{Code, Diagnostic};

use crate::context::Context;
use crate::rule::{Check, Group, Levels, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("hidden-html"),
    group: Group::Safety,
    levels: Levels::ADVICE,
    what: "HTML is styled not to be seen, or a comment speaks to the agent.",
    why: "A reviewer who reads the rendered page does not see it; the model does.",
    example: "<span style=\"display:none\">",
    source: "docs/design/security.md, \"Signals\": 5 of 256 ordinary skills",
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
        add(
            &mut files,
            "references/a.md",
            b"<p style=\"display:none\">x</p>",
        );
        check_rule(
            &RULE,
            &files,
            &["references/a.md:1:1 HTML that is not shown"],
        );
    }
}
