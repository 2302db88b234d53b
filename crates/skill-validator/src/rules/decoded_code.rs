//! Text or a script decodes something and runs it.

use skill_diagnostics::{Code, Diagnostic};

use crate::context::Context;
use crate::rule::{Check, Group, Levels, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("decoded-code"),
    group: Group::Safety,
    levels: Levels::ADVICE,
    what: "Text or a script decodes something and runs it.",
    why: "The code is hidden from review.",
    example: "base64 -d | sh",
    source: "docs/design/security.md, \"Signals\": 0 of 256 ordinary, 55 of 100 malicious skills",
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
        add(&mut files, "references/a.md", b"echo x | base64 -d | sh");
        check_rule(
            &RULE,
            &files,
            &["references/a.md:1:10 encoded text that is decoded and run"],
        );
    }
}
