//! `METADATA.yml` has a key that this version does not know.

use skill_diagnostics::Diagnostic;
use skill_model::metadata_codes;

use crate::context::Context;
use crate::rule::{Check, Group, Levels, Rule};

pub(crate) const RULE: Rule = Rule {
    code: metadata_codes::METADATA_UNKNOWN_KEY,
    group: Group::Metadata,
    levels: Levels::REMARK,
    what: "`METADATA.yml` has a key that this version does not know.",
    why: "It is kept and has no effect; often it is a typing mistake.",
    example: "displayname: X",
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
    fn suggests_what_was_meant() {
        let files = metadata("name: my-skill\nversion: a\ntype: direct\nkeyword: [a]\n");
        let findings = run(&RULE, &files);
        assert_eq!(
            findings[0].help.as_deref(),
            Some("did you mean `keywords`?")
        );
    }
}
