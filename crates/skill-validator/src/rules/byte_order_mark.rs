//! `SKILL.md` starts with a byte order mark.

use skill_diagnostics::{Code, Diagnostic};

use crate::context::Context;
use crate::level::Levels;
use crate::rule::{Check, Group, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("byte-order-mark"),
    group: Group::Specification,
    levels: Levels::STYLE,
    what: "`SKILL.md` starts with a byte order mark.",
    why: "Readers that compare the first three bytes with `---` find no frontmatter; the Python reference is one.",
    example: "U+FEFF before `---`",
    source: "https://agentskills.io/specification#frontmatter (silent)",
    check: Check::Skill(check),
};

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    if !cx.text.starts_with('\u{feff}') {
        return Vec::new();
    }
    let message = "the file starts with a byte order mark (U+FEFF), expected `---`";
    vec![
        cx.at(RULE.code, 0..3, message)
            .with_help("save the file as UTF-8 without BOM"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn finds_it_only_at_the_start() {
        check_rule(&RULE, &skill_text("---\n---\n"), &[]);
        assert_eq!(run(&RULE, &skill_text("\u{feff}---\n---\n")).len(), 1);
    }
}
