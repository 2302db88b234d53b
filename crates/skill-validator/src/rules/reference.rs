//! The Python reference `skills-ref` 0.1.1 refuses the skill.

use skill_diagnostics::LineIndex;
use skill_diagnostics::{Code, Diagnostic};

use crate::context::Context;
use crate::level::{Level, Levels};
use crate::rule::{Check, Group, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("skills-ref"),
    group: Group::Specification,
    levels: Levels::everywhere(Level::Off).skills_ref(Level::Error),
    what: "The Python reference `skills-ref` 0.1.1 refuses the skill.",
    why: "Marketplaces run it. This rule repeats its decisions, also where they differ from the specification: it cuts at any `---`, reads StrictYAML, normalizes names to NFKC and does not look at `metadata`.",
    example: "license: [MIT]",
    source: "https://pypi.org/project/skills-ref/0.1.1/ (validator.py, parser.py)",
    check: Check::Skill(check),
};

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    let flaws = crate::reference::flaws(cx.files).into_iter();
    flaws
        .map(|flaw| {
            let finding = cx.finding(RULE.code, flaw.message);
            match flaw.line {
                Some(line) => at_line(cx, finding, line),
                None => finding,
            }
        })
        .collect()
}

fn at_line(cx: &Context<'_>, finding: Diagnostic, line: u32) -> Diagnostic {
    let lines = LineIndex::new(cx.text);
    match lines.line_start(line) {
        Some(start) => finding.at(lines.span(start..start)),
        None => finding,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn judges_as_the_reference_does() {
        let settings = Settings {
            profile: Profile::SkillsRef,
            ..Settings::default()
        };
        let count = |files: &SkillFiles| run_with(&RULE, files, &settings).len();
        assert_eq!(count(&frontmatter("name: my-skill\ndescription: x")), 0);
        assert_eq!(
            count(&frontmatter("name: my-skill\ndescription: a --- b")),
            0
        );
        assert_eq!(
            count(&frontmatter("name: my-skill\ndescription: x\nlicense: [a]")),
            1
        );
        assert_eq!(count(&frontmatter("name: My-Skill\ndescription: ''")), 3);
    }
}
