//! A link in `SKILL.md` leads out of the skill.

use crate::markdown::{local_path, normalized};
use skill_diagnostics::{Code, Diagnostic};

use crate::context::Context;
use crate::level::Levels;
use crate::rule::{Check, Group, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("escaping-link"),
    group: Group::Safety,
    levels: Levels::ADVICE,
    what: "A link in `SKILL.md` leads out of the skill.",
    why: "The skill is installed elsewhere, where the target is missing or is another file; clients refuse such paths.",
    example: "[x](../../secrets.md)",
    source: "https://agentskills.io/specification#file-references",
    check: Check::Skill(check),
};

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    let start = cx.body_start();
    let links = cx.markdown().links.iter();
    let leaving =
        links.filter(|(to, _)| local_path(to).is_some_and(|path| normalized(&path).is_none()));
    leaving
        .map(|(to, range)| {
            let message = format!(
                "the link leads out of the skill, to `{}`",
                to.escape_debug()
            );
            cx.at(RULE.code, start + range.start..start + range.end, message)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn wants_paths_inside() {
        check_rule(&RULE, &body("[a](references/../x.md)\n"), &[]);
        check_rule(
            &RULE,
            &body("[a](../x.md)\n"),
            &["SKILL.md:5:1 the link leads out of the skill, to `../x.md`"],
        );
        check_rule(
            &RULE,
            &body("[a](%2e%2e/x)\n"),
            &["SKILL.md:5:1 the link leads out of the skill, to `%2e%2e/x`"],
        );
        check_rule(
            &RULE,
            &body("[a](/etc/passwd)\n"),
            &["SKILL.md:5:1 the link leads out of the skill, to `/etc/passwd`"],
        );
    }
}
