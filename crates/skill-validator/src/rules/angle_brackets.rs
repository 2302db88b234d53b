//! The name or the description contains `<` or `>`.

use skill_diagnostics::{Code, Diagnostic};

use crate::context::Context;
use crate::level::{Level, Levels};
use crate::profile::Profile;
use crate::rule::{Check, Group, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("angle-brackets"),
    group: Group::Specification,
    levels: Levels::everywhere(Level::Off)
        .claude_code(Level::Error)
        .codex(Level::Error),
    what: "The name or the description contains `<` or `>`.",
    why: "Codex and Anthropic's products refuse them, because they write the catalog as XML.",
    example: "description: Handles <b> tags",
    source: "https://platform.claude.com/docs/en/agents-and-tools/agent-skills/overview (\"Cannot contain XML tags\"); Codex, per agnix AS-009",
    check: Check::Skill(check),
};

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    ["name", "description"]
        .iter()
        .filter_map(|key| check_field(cx, key))
        .collect()
}

fn check_field(cx: &Context<'_>, key: &str) -> Option<Diagnostic> {
    let (text, node) = cx.field_text(key)?;
    let found = text.find(['<', '>'])?;
    let is_tag = text[found..].starts_with('<') && text[found..].contains('>');
    // Anthropic refuses tags, Codex every bracket.
    if !is_tag && cx.settings.profile == Profile::ClaudeCode {
        return None;
    }
    let message = format!("`{key}` contains an angle bracket");
    Some(cx.at(RULE.code, node.range.clone(), message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn clients_differ() {
        let lone = frontmatter("description: for a > b");
        let of = |profile| Settings {
            profile,
            ..Settings::default()
        };
        assert_eq!(run_with(&RULE, &lone, &of(Profile::ClaudeCode)), []);
        assert_eq!(run_with(&RULE, &lone, &of(Profile::Codex)).len(), 1);
        let tag = frontmatter("description: a <b> tag");
        assert_eq!(run_with(&RULE, &tag, &of(Profile::ClaudeCode)).len(), 1);
    }
}
