//! The description has more than 1024 characters.

use skill_diagnostics::{Code, Diagnostic};

use crate::context::Context;
use crate::level::Levels;
use crate::rule::{Check, Group, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("description-too-long"),
    group: Group::Specification,
    levels: Levels::REQUIRED,
    what: "The description has more than 1024 characters.",
    why: "Clients cut or refuse it; all descriptions together must fit into a prompt.",
    example: "description: (1025 characters)",
    source: "https://agentskills.io/specification#description-field (1-1024 characters, counted as code points)",
    check: Check::Skill(check),
};

/// Maximum number of code points of a description.
const MAX: usize = skill_model::DESCRIPTION_MAX;

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    let Some((text, node)) = cx.field_text("description") else {
        return Vec::new();
    };
    let length = text.chars().count();
    if length <= MAX {
        return Vec::new();
    }
    let message = format!("the description has {length} characters, expected at most {MAX}");
    vec![cx.at(RULE.code, node.range.clone(), message)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn counts_characters_not_bytes() {
        let of = |n| frontmatter(&format!("description: {}", "技".repeat(n)));
        check_rule(&RULE, &of(1024), &[]);
        check_rule(
            &RULE,
            &of(1025),
            &["SKILL.md:2:14 the description has 1025 characters, expected at most 1024"],
        );
    }
}
