//! The directory has no file `SKILL.md`, spelled exactly so.

use skill_diagnostics::{Code, Diagnostic};

use crate::context::{Context, SKILL_MD};
use crate::level::Levels;
use crate::rule::{Check, Group, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("skill-md-missing"),
    group: Group::Specification,
    levels: Levels::FATAL,
    what: "The directory has no file `SKILL.md`, spelled exactly so.",
    why: "A skill is a directory with that file; on case-sensitive file systems, `skill.md` is another file.",
    example: "my-skill/skill.md",
    source: "https://agentskills.io/specification#directory-structure; https://agentskills.io/client-implementation/adding-skills-support (\"named exactly `SKILL.md`\")",
    check: Check::Skill(check),
};

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    if cx.files.bytes(SKILL_MD).is_some() {
        return Vec::new();
    }
    let entries = cx.files.entries.iter();
    let mut others = entries.filter(|entry| entry.path.eq_ignore_ascii_case(SKILL_MD));
    let finding = match others.next() {
        Some(entry) if entry.path == SKILL_MD => {
            cx.finding(RULE.code, "`SKILL.md` cannot be read as a regular file")
        }
        Some(entry) => cx
            .finding(
                RULE.code,
                format!("found `{}`, expected `SKILL.md`", entry.path),
            )
            .in_file(entry.path.clone())
            .with_help("rename the file to `SKILL.md`"),
        None => cx.finding(RULE.code, "the directory has no `SKILL.md`"),
    };
    vec![finding]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn wants_the_exact_name() {
        check_rule(
            &RULE,
            &with_bytes("skill.md", b"x"),
            &["skill.md found `skill.md`, expected `SKILL.md`"],
        );
        check_rule(
            &RULE,
            &SkillFiles::default(),
            &["SKILL.md the directory has no `SKILL.md`"],
        );
        check_rule(&RULE, &skill_text("x"), &[]);
    }
}
