//! The body has a placeholder that only another host replaces.

use plugin_template::{DeadPlaceholder, Dialect, dead_placeholders};
use skill_diagnostics::{Code, Diagnostic};

use crate::context::Context;
use crate::level::Levels;
use crate::profile::Profile;
use crate::rule::{Check, Group, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("dead-placeholder"),
    group: Group::Quality,
    levels: Levels::ADVICE,
    what: "The body has a placeholder of another host, such as `$ARGUMENTS` or `$1`, outside of code that it shows.",
    why: "Agents read the body as it is, so the placeholder stays and means nothing.",
    example: "Fix issue $ARGUMENTS.",
    source: "docs/design/prompt-templates.md",
    check: Check::Skill(check),
};

/// Maximum number of findings.
const MAX: usize = 20;

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    let replaces_its_own = cx.settings.profile == Profile::ClaudeCode;
    let dead = dead_placeholders(cx.body()).into_iter();
    let dead = dead.filter(|dead| !(replaces_its_own && dead.dialect == Dialect::Claude));
    dead.take(MAX).map(|dead| finding(cx, &dead)).collect()
}

fn finding(cx: &Context<'_>, dead: &DeadPlaceholder) -> Diagnostic {
    let source = &cx.body()[dead.range.clone()];
    let line = source.lines().next().unwrap_or_default();
    let host = match dead.dialect {
        Dialect::Gemini => "Gemini CLI",
        Dialect::Copilot => "Copilot",
        Dialect::Mcpb => "MCP bundles",
        _ => "Claude Code",
    };
    let message = format!(
        "`{}` is a placeholder of {host}; other agents read it as text",
        line.escape_debug()
    );
    let start = cx.body_start() + dead.range.start;
    cx.at(RULE.code, start..start + source.len(), message)
        .with_help("write what it means, or keep the prompt as a template (docs/protocols.md)")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Settings;
    use crate::testing::*;

    #[test]
    fn finds_placeholders_of_each_host() {
        let text = "Fix $ARGUMENTS.\n!`git diff`\nSay {{args}} to ${input:who}.\n";
        check_rule(
            &RULE,
            &body(text),
            &[
                "SKILL.md:5:5 `$ARGUMENTS` is a placeholder of Claude Code; other agents read it as text",
                "SKILL.md:6:1 `!`git diff`` is a placeholder of Claude Code; other agents read it as text",
                "SKILL.md:7:5 `{{args}}` is a placeholder of Gemini CLI; other agents read it as text",
                "SKILL.md:7:17 `${input:who}` is a placeholder of Copilot; other agents read it as text",
            ],
        );
        let settings = Settings {
            profile: Profile::ClaudeCode,
            ..Settings::default()
        };
        assert_eq!(run_with(&RULE, &body(text), &settings).len(), 2);
    }

    #[test]
    fn leaves_code_and_amounts_alone() {
        for text in [
            "```sh\necho $ARGUMENTS $1 $2 ${CLAUDE_PLUGIN_ROOT}/x\n```",
            "Use `$ARGUMENTS` and `${CLAUDE_PLUGIN_ROOT}` in it.",
            "It costs $1, $5,000 or $3M; run `awk '{print $1, $2}'`.",
            "Jinja: {{ args }}, Actions: ${{ github.sha }}, shell: ${HOME}, $PATH",
            "See HEAD@{1}, log @{u}.., @{ key = 1 } and !{}",
            "## Using $ARGUMENTS",
            r"Write \$ARGUMENTS, @dataclass, me@example.org and `${input:variableName}`.",
        ] {
            check_rule(&RULE, &body(text), &[]);
        }
    }
}
