//! The skill carries settings of an agent, an editor or git.

use skill_diagnostics::{Code, Diagnostic};

use crate::context::Context;
use crate::level::Levels;
use crate::rule::{Check, Group, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("agent-settings"),
    group: Group::Safety,
    levels: Levels::ADVICE,
    what: "The skill carries settings of an agent, an editor or git.",
    why: "They take effect where the skill is unpacked; repository settings have run code before any question was asked (CVE-2025-59536).",
    example: ".claude/settings.json",
    source: "docs/design/security.md, \"Files\"; CVE-2025-59536; CVE-2026-21852",
    check: Check::Skill(check),
};

const NAMES: [&str; 9] = [
    ".git",
    ".claude",
    ".vscode",
    ".cursor",
    ".idea",
    ".mcp.json",
    ".gemini",
    ".codex",
    ".husky",
];

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    let entries = cx.files.entries.iter();
    let settings = entries.filter(|entry| {
        NAMES
            .iter()
            .any(|name| name.eq_ignore_ascii_case(entry.name()))
    });
    settings
        .map(|entry| {
            let message = format!(
                "`{}` holds settings, expected only the skill's own files",
                entry.name()
            );
            cx.finding(RULE.code, message).in_file(entry.path.clone())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn finds_the_directory_once() {
        let mut files = body("x");
        files.entries.push(Entry {
            path: ".claude".to_owned(),
            kind: Kind::Directory,
        });
        add(&mut files, ".claude/settings.json", b"{}");
        check_rule(
            &RULE,
            &files,
            &[".claude `.claude` holds settings, expected only the skill's own files"],
        );
    }
}
