//! The skill names packages that it needs, and `SKILL.md` does not say how to install them.

use std::sync::LazyLock;

use regex::Regex;
use skill_diagnostics::{Code, Diagnostic};

use crate::context::Context;
use crate::level::Levels;
use crate::rule::{Check, Group, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("install-step-missing"),
    group: Group::Quality,
    levels: Levels::ADVICE,
    what: "`compatibility` or METADATA.yml (`requires`) names npm or Python packages, and `SKILL.md` has no step that installs them.",
    why: "The first call fails because a module is missing, and the agent has to guess the command.",
    example: "compatibility: \"Requires npm packages: axios\"",
    source: "https://agentskills.io/specification#compatibility-field",
    check: Check::Skill(check),
};

/// Words before the names of packages in `compatibility`.
static PACKAGES: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i-u:npm|pip|python) ?((?i-u:package)|包)").expect("a valid pattern")
});

/// Commands that install packages, or run a program with them.
static STEPS: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r"(?i-u)\bp?npm (i|ci|add|install)\b|\b(yarn|bun|poetry|uv|conda|mamba) (add|install|sync|pip|run)\b|\bpip3? install\b|-m pip\b|\b(pipx|uvx|npx) |\bskills-run prepare\b|requirements\.txt";
    Regex::new(pattern).expect("a valid pattern")
});

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    if cx.skill.is_none() {
        return Vec::new();
    }
    if STEPS.is_match(cx.body()) {
        return Vec::new();
    }
    let help = "add the command to SKILL.md, before the first call";
    // What cannot run needs no packages.
    let is_blocked = cx
        .metadata_reading()
        .is_some_and(|reading| !reading.metadata.runnable);
    let compatibility = cx.field_text("compatibility").filter(|_| !is_blocked);
    if let Some((_, node)) = compatibility.filter(|(text, _)| PACKAGES.is_match(text)) {
        let message = "`compatibility` names packages, and no step installs them";
        return vec![
            cx.at(RULE.code, node.range.clone(), message)
                .with_help(help),
        ];
    }
    let metadata = cx.metadata_reading().map(|reading| &reading.metadata);
    let Some(requires) = metadata.filter(|it| it.runnable).map(|it| &it.requires) else {
        return Vec::new();
    };
    let names: Vec<&str> = requires
        .npm
        .iter()
        .chain(&requires.pip)
        .map(String::as_str)
        .collect();
    if names.is_empty() {
        return Vec::new();
    }
    let message = format!(
        "METADATA.yml requires `{}`, and no step installs it",
        names[0]
    );
    let finding = cx.finding(RULE.code, message).in_file("SKILL.md");
    vec![finding.with_help(help)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    fn with(compatibility: &str, text: &str) -> SkillFiles {
        skill_text(&format!(
            "---\nname: my-skill\ndescription: Use when testing.\ncompatibility: {compatibility}\n---\n{text}\n"
        ))
    }

    #[test]
    fn packages_need_a_step() {
        let expected = ["SKILL.md:4:16 `compatibility` names packages, and no step installs them"];
        check_rule(
            &RULE,
            &with("Node.js and npm packages axios", "Run it."),
            &expected,
        );
        check_rule(
            &RULE,
            &with("Python 3，Python 包 requests", "运行。"),
            &expected,
        );
        check_rule(
            &RULE,
            &with("Node.js and npm packages axios", "`npm install axios`"),
            &[],
        );
        check_rule(&RULE, &with("Node.js 20", "Run it."), &[]);
    }
}
