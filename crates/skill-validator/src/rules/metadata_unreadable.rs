//! `METADATA.yml` is not a YAML map.

use skill_diagnostics::Diagnostic;
use skill_model::metadata_codes;

use crate::context::Context;
use crate::rule::{Check, Group, Levels, Rule};

pub(crate) const RULE: Rule = Rule {
    code: metadata_codes::METADATA_UNREADABLE,
    group: Group::Metadata,
    levels: Levels::UNSAFE,
    what: "`METADATA.yml` is not a YAML map.",
    why: "Describers and executors then have no information about the skill.",
    example: "- a",
    source: "skill_model::Metadata",
    check: Check::Skill(check),
};

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    super::sources::metadata_findings(cx, RULE.code)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn wants_keys() {
        check_rule(&RULE, &body("x"), &[]);
        check_rule(
            &RULE,
            &metadata("- a\n"),
            &["METADATA.yml:1:1 the file is a list, expected keys and values"],
        );
        assert_eq!(run(&RULE, &metadata("a: b\na: c\n")).len(), 1);
    }
}
