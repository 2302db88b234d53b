//! The name in `METADATA.yml` differs from that of `SKILL.md`.

use skill_diagnostics::{Code, Diagnostic};

use crate::context::Context;
use crate::level::Levels;
use crate::rule::{Check, Group, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("metadata-name-mismatch"),
    group: Group::Metadata,
    levels: Levels::UNSAFE,
    what: "The name in `METADATA.yml` differs from that of `SKILL.md`.",
    why: "The index offers a skill that the agent cannot find.",
    example: "name: other",
    source: "skill_model::Metadata (\"the directory's name and the `name` of `SKILL.md`\")",
    check: Check::Skill(check),
};

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    let (Some(reading), Some((name, _))) = (cx.metadata_reading(), cx.field_text("name")) else {
        return Vec::new();
    };
    let theirs = reading.metadata.name.as_str();
    if theirs == name || theirs.is_empty() {
        return Vec::new();
    }
    let message = format!("the name is `{theirs}`, expected `{name}` as in `SKILL.md`");
    vec![super::sources::at_metadata(
        cx,
        cx.finding(RULE.code, message),
        "name",
    )]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn wants_one_name() {
        check_rule(&RULE, &metadata("name: my-skill\n"), &[]);
        check_rule(
            &RULE,
            &metadata("schema: 1\nname: other\n"),
            &["METADATA.yml:2:7 the name is `other`, expected `my-skill` as in `SKILL.md`"],
        );
    }
}
