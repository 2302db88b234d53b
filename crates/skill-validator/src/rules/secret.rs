//! A file contains a secret of a known shape.

use skill_diagnostics::{Code, Diagnostic, LineIndex};
use skill_model::scan_secrets;

use crate::context::Context;
use crate::level::Levels;
use crate::rule::{Check, Group, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("secret"),
    group: Group::Safety,
    levels: Levels::UNSAFE,
    what: "A file contains a secret of a known shape.",
    why: "Everybody who gets the skill can use it.",
    example: "Authorization: Bearer (a real token)",
    source: "https://github.com/gitleaks/gitleaks and the issuers' documentation",
    check: Check::Skill(check),
};

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for (path, text) in cx.texts() {
        let hits = scan_secrets(text);
        if hits.is_empty() {
            continue;
        }
        let lines = LineIndex::new(text);
        findings.extend(hits.into_iter().map(|hit| {
            cx.finding(RULE.code, format!("the file contains {}", hit.kind))
                .in_file(path)
                .at(lines.span(hit.range))
                .with_help(
                    "revoke it, then read it from the environment; write an example as `YOUR_KEY`",
                )
        }));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn never_shows_the_secret() {
        let mut files = body("Use `sk-YOUR_KEY_GOES_RIGHT_HERE_1234`.");
        let key = ["AKI", "AQ3Z7M2XW9RB4VFYK"].concat();
        add(
            &mut files,
            "scripts/a.py",
            format!("k = '{key}'").as_bytes(),
        );
        check_rule(
            &RULE,
            &files,
            &["scripts/a.py:1:6 the file contains an AWS access key id"],
        );
    }
}
