//! A `SKILL.md` inside a skill.

use crate::input::Kind;
use skill_diagnostics::{Code, Diagnostic};

use crate::context::Context;
use crate::level::{Level, Levels};
use crate::rule::{Check, Group, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("nested-skill"),
    group: Group::Quality,
    levels: Levels::ADVICE.codex(Level::Error),
    what: "A skill contains another `SKILL.md`, at any depth.",
    why: "Clients that search recursively, such as Codex, offer it as a skill of its own. Uploads accept exactly one `SKILL.md`.",
    example: "scripts/vendor/SKILL.md",
    source: "https://github.com/agentplugins/agent-plugins-spec; OpenAI cookbook, examples/skills_in_api.ipynb",
    check: Check::Skill(check),
};

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    let files = cx.files.entries.iter();
    let nested = files.filter(|entry| {
        let is_file = matches!(entry.kind, Kind::File { .. } | Kind::Link { .. });
        is_file && entry.path.contains('/') && entry.name().eq_ignore_ascii_case("SKILL.md")
    });
    let finding = |path: &str| {
        let message = format!("`{}` is a skill inside this skill", path.escape_debug());
        cx.finding(RULE.code, message)
            .in_file(path.to_owned())
            .with_help("rename the file, or move it to a directory beside this skill")
    };
    nested.map(|entry| finding(&entry.path)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn any_depth_and_case() {
        let mut files = body("x");
        for path in [
            "references/skill-md.md",
            "scripts/SKILL.upstream.md",
            "scripts/a/b/Skill.md",
            "scripts/x/SKILL.md",
        ] {
            add(&mut files, path, b"x");
        }
        check_rule(
            &RULE,
            &files,
            &[
                "scripts/a/b/Skill.md `scripts/a/b/Skill.md` is a skill inside this skill",
                "scripts/x/SKILL.md `scripts/x/SKILL.md` is a skill inside this skill",
            ],
        );
    }
}
