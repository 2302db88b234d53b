//! The frontmatter is not YAML, or is larger or deeper than any frontmatter has to be.

use skill_diagnostics::Diagnostic;
use skill_model::codes;

use crate::context::Context;
use crate::rule::{Check, Group, Levels, Rule};

pub(crate) const RULE: Rule = Rule {
    code: codes::INVALID_YAML,
    group: Group::Specification,
    levels: Levels::FATAL,
    what: "The frontmatter is not YAML, or is larger or deeper than any frontmatter has to be.",
    why: "Clients skip a skill whose frontmatter they cannot parse. The bounds (64 KiB, 32 levels, 20,000 values after alias expansion) keep a hostile file from stopping the reader.",
    example: "description: Use this: when you test",
    source: "https://agentskills.io/specification#frontmatter; https://agentskills.io/client-implementation/adding-skills-support (\"unparseable YAML\")",
    check: Check::Skill(check),
};

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    super::sources::forwarded(cx, RULE.code)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn gives_a_hint_for_colons() {
        let findings = run(
            &RULE,
            &skill_text("---\ndescription: Use this: when\n---\n"),
        );
        let hint = "put the value of `description` in double quotes";
        assert_eq!(findings[0].help.as_deref(), Some(hint));
    }
}
