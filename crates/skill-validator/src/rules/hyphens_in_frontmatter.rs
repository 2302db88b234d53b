//! `---` occurs inside the frontmatter.

use skill_diagnostics::{Code, Diagnostic};

use crate::context::Context;
use crate::level::Levels;
use crate::rule::{Check, Group, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("hyphens-in-frontmatter"),
    group: Group::Specification,
    levels: Levels::STYLE,
    what: "`---` occurs inside the frontmatter.",
    why: "Readers that cut the file at any `---`, the Python reference among them, cut the frontmatter there.",
    example: "description: a --- b",
    source: "skills-ref 0.1.1, parser.py: `content.split(\"---\", 2)`",
    check: Check::Skill(check),
};

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    let Some(range) = cx.skill.map(|skill| skill.split.frontmatter.clone()) else {
        return Vec::new();
    };
    let Some(at) = cx.text[range.clone()].find("---") else {
        return Vec::new();
    };
    let start = range.start + at;
    let message = "`---` occurs inside the frontmatter, where simple readers end it";
    vec![
        cx.at(RULE.code, start..start + 3, message)
            .with_help("write two hyphens, or a dash (—)"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn finds_it_in_values() {
        check_rule(&RULE, &frontmatter("name: a--b"), &[]);
        check_rule(
            &RULE,
            &frontmatter("description: a --- b"),
            &["SKILL.md:2:16 `---` occurs inside the frontmatter, where simple readers end it"],
        );
    }
}
