//! Text or a script deletes a home directory or a disk.

use skill_diagnostics::{Code, Diagnostic};

use crate::context::Context;
use crate::rule::{Check, Group, Levels, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("destructive-command"),
    group: Group::Safety,
    levels: Levels::ADVICE,
    what: "Text or a script deletes a home directory or a disk.",
    why: "An agent may run it.",
    example: "rm -rf /",
    source: "docs/design/security.md, \"Signals\": 1 of 256 ordinary skills (deny lists)",
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
        add(&mut files, "references/a.md", b"sudo rm -rf / now");
        check_rule(
            &RULE,
            &files,
            &["references/a.md:1:6 a command that deletes a home or a disk"],
        );
    }
}
