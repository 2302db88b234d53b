//! Text or a script uses a host for pastes, file drops or tunnels.

use skill_diagnostics::{Code, Diagnostic};

use crate::context::Context;
use crate::rule::{Check, Group, Levels, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("paste-host"),
    group: Group::Safety,
    levels: Levels::ADVICE,
    what: "Text or a script uses a host for pastes, file drops or tunnels.",
    why: "Anybody can publish anything there anonymously.",
    example: "https://pastebin.com/raw/x",
    source: "docs/design/security.md, \"Signals\": 1 of 256 ordinary, 33 of 100 malicious skills",
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
            b"see https://pastebin.com/raw/x",
        );
        check_rule(
            &RULE,
            &files,
            &["references/a.md:1:5 a host for drops and pastes, or a bare address"],
        );
    }
}
