//! A `---` line has white space after the hyphens.

use skill_diagnostics::{Code, Diagnostic};

use crate::context::Context;
use crate::level::Levels;
use crate::rule::{Check, Group, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("padded-delimiter"),
    group: Group::Specification,
    levels: Levels::STYLE,
    what: "A `---` line has white space after the hyphens.",
    why: "Readers that compare whole lines do not find the end of the frontmatter.",
    example: "---␠",
    source: "https://agentskills.io/specification#frontmatter (silent)",
    check: Check::Skill(check),
};

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    let start = cx.skill.and_then(|skill| skill.split.padded_delimiter);
    let finding = |start| {
        let message = "white space after `---`, expected the end of the line";
        cx.at(RULE.code, start..start + 3, message)
    };
    start.map(finding).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn finds_white_space() {
        check_rule(&RULE, &skill_text("---\n---\n"), &[]);
        check_rule(
            &RULE,
            &skill_text("---\n---  \n"),
            &["SKILL.md:2:1 white space after `---`, expected the end of the line"],
        );
    }
}
