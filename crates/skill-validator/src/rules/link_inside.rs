//! A symbolic link leads to another file of the skill.

use skill_diagnostics::{Code, Diagnostic};

use crate::context::Context;
use crate::level::Levels;
use crate::rule::{Check, Group, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("link-inside"),
    group: Group::Safety,
    levels: Levels::REMARK,
    what: "A symbolic link leads to another file of the skill.",
    why: "Many readers and installers do not follow links, and archives lose them; a copy works everywhere.",
    example: "a -> b",
    source: "docs/design/security.md, \"Files\"",
    check: Check::Skill(check),
};

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    let links = super::sources::links(cx)
        .filter(|(entry, target)| super::sources::stays_inside(entry, target));
    links
        .map(|(entry, target)| {
            let message = format!(
                "a symbolic link to `{}`, expected a file",
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
    fn reports_links() {
        let mut files = body("x");
        add_link(&mut files, "a", "b");
        check_rule(
            &RULE,
            &files,
            &["a a symbolic link to `b`, expected a file"],
        );
    }
}
