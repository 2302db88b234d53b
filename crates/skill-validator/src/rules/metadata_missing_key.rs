//! `METADATA.yml` has no `name`, `version` or `type`, or a part of it lacks its own main key.

use skill_diagnostics::Diagnostic;
use skill_model::metadata_codes;

use crate::context::Context;
use crate::rule::{Check, Group, Levels, Rule};

pub(crate) const RULE: Rule = Rule {
    code: metadata_codes::METADATA_MISSING_KEY,
    group: Group::Metadata,
    levels: Levels::ADVICE,
    what: "`METADATA.yml` has no `name`, `version` or `type`, or a part of it lacks its own main key.",
    why: "An index cannot place the skill.",
    example: "schema: 1",
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
    fn wants_the_main_keys() {
        let files = metadata("name: my-skill\ntype: direct\n");
        check_rule(
            &RULE,
            &files,
            &["METADATA.yml:1:1 the key `version` is missing"],
        );
    }
}
