//! `allowed-tools` has commas between its entries.

use skill_diagnostics::{Code, Diagnostic};

use crate::context::Context;
use crate::level::{Level, Levels};
use crate::rule::{Check, Group, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("allowed-tools-commas"),
    group: Group::Specification,
    levels: Levels::STYLE.claude_code(Level::Off),
    what: "`allowed-tools` has commas between its entries.",
    why: "The specification separates tools by spaces; a reader of the specification takes `Read,` for a tool's name.",
    example: "allowed-tools: Read, Write",
    source: "https://agentskills.io/specification#allowed-tools-field (\"space-separated\")",
    check: Check::Skill(check),
};

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    let Some((text, node)) = cx.field_text("allowed-tools") else {
        return Vec::new();
    };
    if !text.split_whitespace().any(|tool| tool.ends_with(',')) {
        return Vec::new();
    }
    let message = "`allowed-tools` is separated by commas, expected spaces";
    vec![cx.at(RULE.code, node.range.clone(), message)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn commas_inside_a_tool_are_its_own() {
        check_rule(&RULE, &frontmatter("allowed-tools: Bash(a,b) Read"), &[]);
        check_rule(
            &RULE,
            &frontmatter("allowed-tools: Read, Write"),
            &["SKILL.md:2:16 `allowed-tools` is separated by commas, expected spaces"],
        );
    }
}
