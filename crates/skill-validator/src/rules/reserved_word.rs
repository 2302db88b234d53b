//! The name contains `claude` or `anthropic`.

use skill_diagnostics::{Code, Diagnostic};

use crate::context::Context;
use crate::level::{Level, Levels};
use crate::rule::{Check, Group, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("reserved-word"),
    group: Group::Specification,
    levels: Levels::everywhere(Level::Off).claude_code(Level::Error),
    what: "The name contains `claude` or `anthropic`.",
    why: "Anthropic's products refuse such names.",
    example: "name: claude-helper",
    source: "https://platform.claude.com/docs/en/agents-and-tools/agent-skills/overview (\"Cannot contain reserved words\")",
    check: Check::Skill(check),
};

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    let Some((name, node)) = cx.field_text("name") else {
        return Vec::new();
    };
    let word = ["claude", "anthropic"]
        .into_iter()
        .find(|word| name.contains(word));
    let finding = |word| {
        let message = format!("the name contains the reserved word `{word}`");
        cx.at(RULE.code, node.range.clone(), message)
    };
    word.map(finding).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn finds_reserved_words() {
        check_rule(&RULE, &frontmatter("name: pdf"), &[]);
        check_rule(
            &RULE,
            &frontmatter("name: claude-helper"),
            &["SKILL.md:2:7 the name contains the reserved word `claude`"],
        );
    }
}
