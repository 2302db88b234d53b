//! `fallback` can never be used.

use skill_diagnostics::{Code, Diagnostic};

use crate::context::Context;
use crate::level::Levels;
use crate::rule::{Check, Group, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("metadata-fallback-unused"),
    group: Group::Metadata,
    levels: Levels::ADVICE,
    what: "`fallback` can never be used: no call may be repeated, or it names the skill itself.",
    why: "A failed call may have had effects, so another skill is only tried if the author declares that a repetition changes nothing.",
    example: "fallback: [other]",
    source: "skill_model::Metadata::is_idempotent",
    check: Check::Skill(check),
};

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    let Some(reading) = cx.metadata_reading() else {
        return Vec::new();
    };
    let metadata = &reading.metadata;
    let mut messages = Vec::new();
    let is_any = metadata.commands.iter().any(|command| command.idempotent);
    if !metadata.fallback.is_empty() && !is_any && !metadata.is_idempotent(None) {
        messages.push("nothing here is `idempotent`, so no fallback is tried".to_owned());
    }
    if metadata.fallback.contains(&metadata.name) {
        messages.push(format!("`{}` names itself", metadata.name));
    }
    let findings = messages.into_iter();
    findings
        .map(|message| super::sources::at_metadata(cx, cx.finding(RULE.code, message), "fallback"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn wants_a_skill_that_may_be_asked_twice() {
        let head = "schema: 1\nname: my-skill\ntype: direct\n";
        for (text, expected) in [
            ("", &[][..]),
            ("idempotent: true\nfallback: [other]\n", &[]),
            ("cache: {cacheable: true}\nfallback: [other]\n", &[]),
            (
                "commands: [{id: a, idempotent: true}, {id: b}]\nfallback: [other]\n",
                &[],
            ),
            (
                "fallback: [other]\n",
                &["METADATA.yml:4:11 nothing here is `idempotent`, so no fallback is tried"],
            ),
            (
                "idempotent: true\nfallback: [other, my-skill]\n",
                &["METADATA.yml:5:11 `my-skill` names itself"],
            ),
        ] {
            check_rule(&RULE, &metadata(&format!("{head}{text}")), expected);
        }
    }
}
