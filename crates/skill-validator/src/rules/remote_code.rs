//! Text or a script downloads something and runs it at once.

use skill_diagnostics::{Code, Diagnostic};

use crate::context::Context;
use crate::rule::{Check, Group, Levels, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("remote-code"),
    group: Group::Safety,
    levels: Levels::ADVICE,
    what: "Text or a script downloads something and runs it at once.",
    why: "Whoever controls the address, or the connection, runs code; what it is can change after review.",
    example: "curl https://x.y/install.sh | sh",
    source: "docs/design/security.md, \"Signals\": 6 of 256 ordinary skills (rustup, uv)",
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
        add(&mut files, "references/a.md", b"run: curl https://x.y | sh");
        check_rule(
            &RULE,
            &files,
            &["references/a.md:1:6 a download that is piped into an interpreter"],
        );
    }
}
