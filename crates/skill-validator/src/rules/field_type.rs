//! A field that is a string in the specification is a list or a map.

use skill_diagnostics::{Code, Diagnostic};
use skill_model::yaml::Content;

use crate::context::Context;
use crate::level::Levels;
use crate::profile::Profile;
use crate::rule::{Check, Group, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("field-type"),
    group: Group::Specification,
    levels: Levels::REQUIRED,
    what: "A field that is a string in the specification is a list or a map.",
    why: "Readers that expect a string crash, drop the field, or print the list's inner form.",
    example: "allowed-tools:\n  - Read",
    source: "https://agentskills.io/specification#frontmatter",
    check: Check::Skill(check),
};

/// Fields that must be strings.
const STRINGS: [&str; 5] = [
    "name",
    "description",
    "license",
    "compatibility",
    "allowed-tools",
];

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    STRINGS
        .iter()
        .filter_map(|key| check_field(cx, key))
        .collect()
}

fn check_field(cx: &Context<'_>, key: &str) -> Option<Diagnostic> {
    let node = cx.field(key)?;
    let is_list = matches!(node.content, Content::Sequence { .. });
    // Claude Code reads a YAML list of tools (<https://code.claude.com/docs/en/skills>).
    let is_known_list =
        key == "allowed-tools" && is_list && cx.settings.profile == Profile::ClaudeCode;
    if node.text().is_some() || is_known_list {
        return None;
    }
    let message = format!("`{key}` is {}, expected a string", node.kind());
    let finding = cx.at(RULE.code, node.range.clone(), message);
    Some(if is_list {
        finding.with_help("write the entries on one line, separated by spaces")
    } else {
        finding
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn wants_strings() {
        check_rule(&RULE, &frontmatter("allowed-tools: Read Bash(git:*)"), &[]);
        check_rule(
            &RULE,
            &frontmatter("description: [a, b]\nlicense: { a: b }"),
            &[
                "SKILL.md:2:14 `description` is a list, expected a string",
                "SKILL.md:3:10 `license` is a map, expected a string",
            ],
        );
    }

    #[test]
    fn claude_code_reads_a_list_of_tools() {
        let files = frontmatter("allowed-tools:\n  - Read");
        let settings = Settings {
            profile: Profile::ClaudeCode,
            ..Settings::default()
        };
        assert_eq!(run_with(&RULE, &files, &settings), []);
        assert_eq!(run(&RULE, &files).len(), 1);
    }
}
