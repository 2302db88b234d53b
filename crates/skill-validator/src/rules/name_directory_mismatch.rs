//! The name differs from the name of the directory.

use skill_diagnostics::{Code, Diagnostic};

use crate::context::Context;
use crate::level::Levels;
use crate::rule::{Check, Group, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("name-directory-mismatch"),
    group: Group::Specification,
    levels: Levels::REQUIRED,
    what: "The name differs from the name of the directory.",
    why: "Clients find a skill by one and show the other.",
    example: "pdf/SKILL.md with `name: pdf-tools`",
    source: "https://agentskills.io/specification#name-field (\"Must match the parent directory name\")",
    check: Check::Skill(check),
};

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    let directory = cx.files.directory.as_str();
    match cx.field_text("name") {
        Some((name, node))
            if name != directory && !name.trim().is_empty() && !directory.is_empty() =>
        {
            let message =
                format!("the name is `{name}` and the directory `{directory}`, expected the same");
            vec![cx.at(RULE.code, node.range.clone(), message)]
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn compares_code_points() {
        check_rule(&RULE, &frontmatter("name: my-skill"), &[]);
        check_rule(
            &RULE,
            &frontmatter("name: other"),
            &["SKILL.md:2:7 the name is `other` and the directory `my-skill`, expected the same"],
        );
    }
}
