//! Text opens an archive with a password.

use skill_diagnostics::{Code, Diagnostic};

use crate::context::Context;
use crate::rule::{Check, Group, Levels, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("archive-password"),
    group: Group::Safety,
    levels: Levels::ADVICE,
    what: "Text opens an archive with a password.",
    why: "Scanners cannot look into it, which is what the password is for.",
    example: "unzip -P x tool.zip",
    source: "docs/design/security.md, \"Signals\": 3 of 256 ordinary, 83 of 100 malicious skills",
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
        add(&mut files, "references/a.md", b"unzip -P x tool.zip");
        check_rule(
            &RULE,
            &files,
            &["references/a.md:1:1 an archive that is opened with a password"],
        );
    }
}
