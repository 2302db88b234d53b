//! A value in `METADATA.yml` has another type than its key, or is none of the words that it may be.

use skill_diagnostics::Diagnostic;
use skill_model::metadata_codes;

use crate::context::Context;
use crate::rule::{Check, Group, Levels, Rule};

/// The rule.
pub(crate) const RULE: Rule = Rule {
    code: metadata_codes::METADATA_WRONG_VALUE,
    group: Group::Metadata,
    levels: Levels::UNSAFE,
    what: "A value in `METADATA.yml` has another type than its key, or is none of the words that it may be.",
    why: "The value is ignored, and a default applies that nobody chose.",
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
