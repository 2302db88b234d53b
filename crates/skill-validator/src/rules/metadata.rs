//! Flaws that the reader of `METADATA.yml` finds. Each rule reports the findings of its code.

use skill_diagnostics::Code;
use skill_model::metadata_codes;

use crate::level::Levels;
use crate::rule::{Check, Group, Rule};

/// The values that most of these rules have.
const READING: Rule = Rule {
    code: Code(""),
    group: Group::Metadata,
    levels: Levels::UNSAFE,
    what: "",
    why: "",
    example: "",
    source: "skill_model::Metadata",
    check: Check::Metadata,
};

pub(crate) const METADATA_MISSING_KEY: Rule = Rule {
    code: metadata_codes::METADATA_MISSING_KEY,
    levels: Levels::ADVICE,
    what: "`METADATA.yml` has no `name`, `version` or `type`, or a part of it lacks its own main key.",
    why: "An index cannot place the skill.",
    example: "schema: 1",
    ..READING
};

pub(crate) const METADATA_UNKNOWN_KEY: Rule = Rule {
    code: metadata_codes::METADATA_UNKNOWN_KEY,
    levels: Levels::REMARK,
    what: "`METADATA.yml` has a key that this version does not know.",
    why: "It is kept and has no effect; often it is a typing mistake.",
    example: "displayname: X",
    ..READING
};

pub(crate) const METADATA_UNREADABLE: Rule = Rule {
    code: metadata_codes::METADATA_UNREADABLE,
    what: "`METADATA.yml` is not a YAML map.",
    why: "Describers and executors then have no information about the skill.",
    example: "- a",
    ..READING
};

pub(crate) const METADATA_WRONG_VALUE: Rule = Rule {
    code: metadata_codes::METADATA_WRONG_VALUE,
    what: "A value in `METADATA.yml` has the wrong type, or is not one of the allowed words.",
    why: "The value is ignored, and an unintended default applies.",
    example: "enabled: maybe",
    ..READING
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn wants_the_main_keys() {
        let files = metadata("name: my-skill\ntype: direct\n");
        check_rule(
            &METADATA_MISSING_KEY,
            &files,
            &["METADATA.yml:1:1 the key `version` is missing"],
        );
    }

    #[test]
    fn suggests_what_was_meant() {
        let files = metadata("name: my-skill\nversion: a\ntype: direct\nkeyword: [a]\n");
        let findings = run(&METADATA_UNKNOWN_KEY, &files);
        assert_eq!(
            findings[0].help.as_deref(),
            Some("did you mean `keywords`?")
        );
    }

    #[test]
    fn metadata_unreadable_wants_keys() {
        check_rule(&METADATA_UNREADABLE, &body("x"), &[]);
        check_rule(
            &METADATA_UNREADABLE,
            &metadata("- a\n"),
            &["METADATA.yml:1:1 the file is a list, expected keys and values"],
        );
        assert_eq!(
            run(&METADATA_UNREADABLE, &metadata("a: b\na: c\n")).len(),
            1
        );
    }

    #[test]
    fn wants_the_type() {
        let files = metadata("name: my-skill\nversion: a\ntype: direct\nenabled: maybe\n");
        check_rule(
            &METADATA_WRONG_VALUE,
            &files,
            &["METADATA.yml:4:10 found `maybe`, expected true or false"],
        );
    }
}
