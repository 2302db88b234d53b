//! The frontmatter is YAML only after values with a colon are put in quotes.

use skill_diagnostics::{Code, Diagnostic};

use crate::context::Context;
use crate::rule::{Check, Group, Level, Levels, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("yaml-repaired"),
    group: Group::Specification,
    levels: Levels::everywhere(Level::Off).lenient(Level::Warning),
    what: "The frontmatter is YAML only after values with a colon are put in quotes.",
    why: "A lenient client repairs it in this way and loads the skill; a strict one does not.",
    example: "description: Use this: when you test",
    source: "https://agentskills.io/client-implementation/adding-skills-support (\"malformed YAML\")",
    check: Check::Skill(check),
};

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    super::sources::forwarded(cx, RULE.code)
}

#[cfg(test)]
mod tests {
    use crate::testing::*;

    #[test]
    fn lenient_clients_load_it() {
        let files = skill_text("---\nname: my-skill\ndescription: Use this: when\n---\n");
        let settings = Settings {
            profile: Profile::Lenient,
            ..Settings::default()
        };
        let report = crate::validate_skill(&files, None, &settings);
        let codes: Vec<_> = report.findings.iter().map(|f| f.code.0).collect();
        assert!(codes.contains(&"yaml-repaired"), "{codes:?}");
        assert!(!codes.contains(&"invalid-yaml"), "{codes:?}");
        assert_eq!(report.summary.description, "Use this: when");
    }
}
