//! A symbolic link leads out of the skill.

use skill_diagnostics::{Code, Diagnostic};

use crate::context::Context;
use crate::level::Levels;
use crate::rule::{Check, Group, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("link-escapes"),
    group: Group::Safety,
    levels: Levels::UNSAFE,
    what: "A symbolic link leads out of the skill.",
    why: "An installer that follows it copies a file of the host into the skill, or writes outside of it; Cargo refuses all links for that reason (CVE-2026-5223).",
    example: "ref -> /etc/passwd",
    source: "docs/design/security.md, \"Files\"; https://blog.rust-lang.org/ (Cargo, 2026)",
    check: Check::Skill(check),
};

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    let links = super::sources::links(cx)
        .filter(|(entry, target)| !super::sources::stays_inside(entry, target));
    links
        .map(|(entry, target)| {
            let message = format!(
                "the link leads out of the skill, to `{}`",
                target.escape_debug()
            );
            cx.finding(RULE.code, message).in_file(entry.path.clone())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn wants_targets_inside() {
        let mut files = body("x");
        add_link(&mut files, "references/a", "../b");
        add_link(&mut files, "references/b", "../../b");
        add_link(&mut files, "x", "/etc/passwd");
        check_rule(
            &RULE,
            &files,
            &[
                "references/b the link leads out of the skill, to `../../b`",
                "x the link leads out of the skill, to `/etc/passwd`",
            ],
        );
    }
}
