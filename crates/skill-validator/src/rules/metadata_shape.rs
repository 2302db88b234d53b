//! `metadata` is not a map from strings to strings.

use skill_diagnostics::{Code, Diagnostic};

use crate::context::Context;
use crate::level::Levels;
use crate::rule::{Check, Group, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("metadata-shape"),
    group: Group::Specification,
    levels: Levels::REQUIRED,
    what: "`metadata` is not a map from strings to strings.",
    why: "The specification has no lists and no nesting there, and readers turn them into their own notation.",
    example: "metadata:\n  - a",
    source: "https://agentskills.io/specification#metadata-field",
    check: Check::Skill(check),
};

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    let Some(node) = cx.field("metadata") else {
        return Vec::new();
    };
    let Some(entries) = node.entries() else {
        if node.to_value().is_null() {
            return Vec::new();
        }
        let message = format!("`metadata` is {}, expected a map of strings", node.kind());
        return vec![cx.at(RULE.code, node.range.clone(), message)];
    };
    let nested = entries
        .iter()
        .flat_map(|(key, value)| [key, value])
        .filter(|node| node.text().is_none());
    nested
        .map(|node| {
            let message = format!("found {} in `metadata`, expected a string", node.kind());
            cx.at(RULE.code, node.range.clone(), message)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn wants_strings() {
        check_rule(&RULE, &frontmatter("metadata:\n  a: b"), &[]);
        check_rule(
            &RULE,
            &frontmatter("metadata: x"),
            &["SKILL.md:2:11 `metadata` is a string, expected a map of strings"],
        );
        check_rule(
            &RULE,
            &frontmatter("metadata:\n  a:\n    b: c"),
            &["SKILL.md:4:5 found a map in `metadata`, expected a string"],
        );
    }
}
