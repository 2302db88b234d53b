//! The description has a phrase that is true of every skill.

use skill_diagnostics::{Code, Diagnostic};
use skill_wording::filler;

use crate::context::Context;
use crate::level::Levels;
use crate::rule::{Check, Group, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("filler-phrase"),
    group: Group::Quality,
    levels: Levels::ADVICE,
    what: "The description has a phrase that is true of every skill, such as `or for other tasks about x` or `也用于x相关的任务`.",
    why: "The description is in every session and tells skills apart. A phrase that fits all of them does neither.",
    example: "description: Makes charts. Use for charts or for other tasks about charts.",
    source: "https://agentskills.io/skill-creation/optimizing-descriptions",
    check: Check::Skill(check),
};

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    let text = cx.field_text("description");
    let found = text.and_then(|(text, node)| Some((&text[filler(text)?], node)));
    let finding = found.map(|(phrase, node)| {
        let message = format!("`{}` is true of every skill", phrase.trim());
        let finding = cx.at(RULE.code, node.range.clone(), message);
        finding.with_help("remove the phrase, or name the tasks")
    });
    finding.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn fits_every_skill() {
        let check = |text: &str, expected: &[&str]| {
            check_rule(
                &RULE,
                &frontmatter(&format!("description: {text}")),
                expected,
            );
        };
        check(
            "Use for charts or for other tasks about charts.",
            &["SKILL.md:2:14 `other tasks about` is true of every skill"],
        );
        check(
            "查天气，也用于天气相关的任务。",
            &["SKILL.md:2:14 `用于天气相关的任务` is true of every skill"],
        );
        check("Use for charts and other tasks with tables.", &[]);
    }
}
