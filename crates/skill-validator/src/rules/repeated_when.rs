//! The description says when to use the skill in the words of what it does.

use skill_diagnostics::{Code, Diagnostic};
use skill_wording::repeated_when;

use crate::context::Context;
use crate::level::Levels;
use crate::rule::{Check, Group, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("repeated-when"),
    group: Group::Quality,
    levels: Levels::ADVICE,
    what: "The sentence on the use repeats what the skill does, word for word.",
    why: "An agent compares a request with the description. A sentence that repeats another one costs tokens in every session and matches no further request; the words of users do.",
    example: "description: Makes charts from tables. Use when you need to make charts from tables.",
    source: "https://agentskills.io/skill-creation/optimizing-descriptions",
    check: Check::Skill(check),
};

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    let text = cx.field_text("description");
    let found = text.and_then(|(text, node)| Some((&text[repeated_when(text)?], node)));
    let finding = found.map(|(need, node)| {
        let message = format!("the description says twice `{}`", need.trim());
        let finding = cx.at(RULE.code, node.range.clone(), message);
        finding.with_help("say what a user asks for when the skill is needed, in the user's words")
    });
    finding.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn is_said_twice() {
        let check = |text: &str, expected: &[&str]| {
            check_rule(
                &RULE,
                &frontmatter(&format!("description: {text}")),
                expected,
            );
        };
        check(
            "Makes charts from long tables. Use when you need to make charts from long tables.",
            &["SKILL.md:2:14 the description says twice `make charts from long tables`"],
        );
        check("Makes charts. Use when the user asks for a graph.", &[]);
        check(
            "查询城市的天气预报。当需要查询城市的天气预报时使用。",
            &["SKILL.md:2:14 the description says twice `查询城市的天气预报`"],
        );
        check("查询城市的天气预报。当用户问要不要带伞时使用。", &[]);
    }
}
