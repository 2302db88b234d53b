//! A value in `METADATA.yml` has the wrong type, or is not one of the allowed words.

use skill_diagnostics::Diagnostic;
use skill_model::metadata_codes;

use crate::context::Context;
use crate::rule::{Check, Group, Levels, Rule};

pub(crate) const RULE: Rule = Rule {
    code: metadata_codes::METADATA_WRONG_VALUE,
    group: Group::Metadata,
    levels: Levels::UNSAFE,
    what: "A value in `METADATA.yml` has the wrong type, or is not one of the allowed words.",
    why: "The value is ignored, and an unintended default applies.",
    example: "enabled: maybe",
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
    fn wants_the_type() {
        let files = metadata("name: my-skill\nversion: a\ntype: direct\nenabled: maybe\n");
        check_rule(
            &RULE,
            &files,
            &["METADATA.yml:4:10 found `maybe`, expected true or false"],
        );
    }
}
