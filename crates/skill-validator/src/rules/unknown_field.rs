//! The frontmatter has a key that the specification does not define.

use skill_diagnostics::nearest;
use skill_diagnostics::{Code, Diagnostic};
use skill_model::yaml::Node;
use skill_model::{Frontmatter, Skill};

use crate::context::Context;
use crate::level::{Level, Levels};
use crate::profile::Profile;
use crate::rule::{Check, Group, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("unknown-field"),
    group: Group::Specification,
    levels: Levels::REQUIRED
        .claude_code(Level::Warning)
        .codex(Level::Warning),
    what: "The frontmatter has a key that the specification does not define.",
    why: "It is a typing mistake, or belongs to one client and makes others refuse the file; `metadata` is the place for anything else.",
    example: "descriptoin: Does a thing",
    source: "https://agentskills.io/specification#frontmatter (six fields); the specification is silent on others, skills-ref and claude.ai refuse them",
    check: Check::Skill(check),
};

/// Additional fields of Claude Code
/// (<https://code.claude.com/docs/en/skills#frontmatter-reference>).
const CLAUDE_CODE: [&str; 13] = [
    "when_to_use",
    "argument-hint",
    "arguments",
    "disable-model-invocation",
    "user-invocable",
    "model",
    "effort",
    "context",
    "agent",
    "hooks",
    "paths",
    "shell",
    "version",
];

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    let entries = cx.skill.map(Skill::entries).unwrap_or_default().iter();
    let unknown = entries.filter(|(key, _)| !is_known(cx, key));
    unknown.map(|(key, _)| finding(cx, key)).collect()
}

fn is_known(cx: &Context<'_>, key: &Node) -> bool {
    key.text().is_some_and(|key| {
        Frontmatter::KEYS.contains(&key)
            || (cx.settings.profile == Profile::ClaudeCode && CLAUDE_CODE.contains(&key))
    })
}

fn finding(cx: &Context<'_>, key: &Node) -> Diagnostic {
    let name = key.text().unwrap_or("a list or map");
    let message = format!(
        "`{}` is not a field of the specification",
        name.escape_debug()
    );
    let help = match nearest(name, Frontmatter::KEYS) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "move it under `metadata`".to_owned(),
    };
    cx.at(RULE.code, key.range.clone(), message).with_help(help)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[track_caller]
    fn check_help(yaml: &str, expected: &str) {
        let findings = run(&RULE, &frontmatter(yaml));
        assert_eq!(findings[0].help.as_deref(), Some(expected));
    }

    #[test]
    fn suggests_what_was_meant() {
        check_help("descriptoin: x", "did you mean `description`?");
        check_help("allowed_tools: x", "did you mean `allowed-tools`?");
        check_help("colour: x", "move it under `metadata`");
    }

    #[test]
    fn each_client_knows_its_own() {
        let files = frontmatter("name: a\nargument-hint: x\n");
        let settings = Settings {
            profile: Profile::ClaudeCode,
            ..Settings::default()
        };
        assert_eq!(run_with(&RULE, &files, &settings), []);
        check_rule(
            &RULE,
            &files,
            &["SKILL.md:3:1 `argument-hint` is not a field of the specification"],
        );
    }
}
