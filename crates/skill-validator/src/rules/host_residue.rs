//! `SKILL.md` has words of the protocol of an old host.

use skill_diagnostics::{Code, Diagnostic};
use skill_wording::host_residue;

use crate::context::Context;
use crate::level::Levels;
use crate::rule::{Check, Group, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("host-residue"),
    group: Group::Quality,
    levels: Levels::REMARK,
    what: "`SKILL.md` has words of the protocol of an old host, such as `「始」`, `TOOL_REQUEST` or `{{VCP…}}`.",
    why: "An agent that follows them writes calls that nothing reads. It is a note, because a skill may describe such a protocol.",
    example: "tool_name:「始」Weather「末」",
    source: "docs/design/legacy-host.md",
    check: Check::Skill(check),
};

/// Maximum number of findings in one file.
const MAX: usize = 5;

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    let mut at = 0;
    let mut res = Vec::new();
    for line in cx.text.split_inclusive('\n') {
        if let Some(range) = host_residue(line).filter(|_| res.len() < MAX) {
            let message = format!("`{}` is a word of an old host", &line[range.clone()]);
            let finding = cx.at(RULE.code, at + range.start..at + range.end, message);
            res.push(finding.with_help("say what to do without it, or show the call as JSON"));
        }
        at += line.len();
    }
    res
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn is_named_with_its_line() {
        check_rule(
            &RULE,
            &body("Call it.\n\ntool_name:「始」Tea「末」\n支持串语法。\n"),
            &[
                "SKILL.md:7:11 `「始」` is a word of an old host",
                "SKILL.md:8:3 `串语法` is a word of an old host",
            ],
        );
        check_rule(
            &RULE,
            &body("A tool request with a placeholder {{name}}.\n"),
            &[],
        );
    }
}
