//! The description does not say when to use the skill.

use skill_diagnostics::{Code, Diagnostic};

use crate::context::Context;
use crate::level::Levels;
use crate::rule::{Check, Group, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("description-without-when"),
    group: Group::Quality,
    levels: Levels::REMARK,
    what: "The description does not say when to use the skill.",
    why: "An agent chooses by the description alone; the function of a skill alone is not a reason to choose it.",
    example: "description: Formats notes",
    source: "https://agentskills.io/specification#description-field (\"what the skill does and when to use it\")",
    check: Check::Skill(check),
};

/// Words that introduce an occasion, in lower case.
const OCCASIONS: [&str; 34] = [
    "when",
    "whenever",
    "use for",
    "use this",
    "use it",
    "used to",
    "used for",
    "useful for",
    "if ",
    "before ",
    "after ",
    "while ",
    "during ",
    "asks",
    "asked",
    "for tasks",
    "trigger",
    "invoke",
    "activate",
    "helps with",
    "for any",
    "must be used",
    "当",
    "时",
    "用于",
    "适用",
    "如果",
    "需要",
    "想要",
    "场景",
    "要求",
    "请求",
    "とき",
    "場合",
];

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    let Some((text, node)) = cx
        .field_text("description")
        .filter(|(text, _)| !text.trim().is_empty())
    else {
        return Vec::new();
    };
    let lower = text.to_lowercase();
    if OCCASIONS.iter().any(|word| lower.contains(word)) {
        return Vec::new();
    }
    let finding = cx.at(
        RULE.code,
        node.range.clone(),
        "the description does not say when to use the skill",
    );
    vec![finding.with_help("add a sentence that starts with \"Use when\"")]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn knows_occasions() {
        for text in [
            "Formats notes. Use when asked.",
            "需要计算时使用",
            "For any PDF.",
        ] {
            check_rule(&RULE, &frontmatter(&format!("description: {text}")), &[]);
        }
        check_rule(
            &RULE,
            &frontmatter("description: Formats notes"),
            &["SKILL.md:2:14 the description does not say when to use the skill"],
        );
    }
}
