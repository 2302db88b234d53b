//! The name has other characters than `a-z`, `0-9` and single inner hyphens, or more than 64.

use skill_diagnostics::{Code, Diagnostic};
use skill_model::yaml::{Content, Node, Style};
use skill_model::{NameError, name_flaws, slug};
use std::ops::Range;

use crate::context::Context;
use crate::level::Levels;
use crate::rule::{Check, Group, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("name-invalid"),
    group: Group::Specification,
    levels: Levels::REQUIRED,
    what: "The name has other characters than `a-z`, `0-9` and single inner hyphens, or more than 64.",
    why: "The name is used as a path, a command and an identifier; clients refuse or rename others. The specification's sentence says both \"unicode lowercase alphanumeric\" and \"(`a-z`, `0-9`)\": this rule follows the parenthesis and does not normalize.",
    example: "name: My_Skill",
    source: "https://agentskills.io/specification#name-field",
    check: Check::Skill(check),
};

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    let Some((text, node)) = cx
        .field_text("name")
        .filter(|(text, _)| !text.trim().is_empty())
    else {
        return Vec::new();
    };
    let flaws = name_flaws(text).into_iter();
    flaws
        .map(|flaw| with_help(cx.at(RULE.code, place(&flaw, node), flaw.to_string()), text))
        .collect()
}

/// Returns the position of the flaw if the value is written literally, otherwise the whole value.
fn place(flaw: &NameError, node: &Node) -> Range<usize> {
    let plain = matches!(
        &node.content,
        Content::Scalar {
            style: Style::Plain,
            ..
        }
    );
    match flaw {
        NameError::Character { found, at } if plain => {
            let start = node.range.start + at;
            start..start + found.len_utf8()
        }
        NameError::DoubleHyphen { at } if plain => node.range.start + at..node.range.start + at + 2,
        _ => node.range.clone(),
    }
}

fn with_help(finding: Diagnostic, text: &str) -> Diagnostic {
    match slug(text) {
        Some(name) => finding.with_help(format!("a valid name is `{name}`")),
        None => finding,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn reports_each_flaw() {
        check_rule(&RULE, &frontmatter("name: my-skill"), &[]);
        check_rule(
            &RULE,
            &frontmatter("name: a--b"),
            &["SKILL.md:2:8 the name has two hyphens in a row"],
        );
        check_rule(
            &RULE,
            &frontmatter("name: My-"),
            &[
                "SKILL.md:2:7 the name has `M` (U+004D), expected only `a-z`, `0-9` and hyphens",
                "SKILL.md:2:7 the name starts or ends with a hyphen",
            ],
        );
    }

    #[test]
    fn shows_what_looks_like_a_letter() {
        let message =
            "SKILL.md:2:8 the name has `о` (U+043E), expected only `a-z`, `0-9` and hyphens";
        check_rule(&RULE, &frontmatter("name: nоte-helper"), &[message]);
    }
}
