//! The body names a file under `scripts/`, `references/` or `assets/` that the skill does not have.

use aho_corasick::AhoCorasick;
use skill_diagnostics::{Code, Diagnostic};
use std::collections::BTreeSet;
use std::sync::LazyLock;

use crate::context::Context;
use crate::level::Levels;
use crate::rule::{Check, Group, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("missing-file"),
    group: Group::Quality,
    levels: Levels::ADVICE,
    what: "The body names a file under `scripts/`, `references/` or `assets/` that the skill does not have.",
    why: "The agent runs or reads it and fails.",
    example: "Run `scripts/fill.py`",
    source: "https://agentskills.io/specification#optional-directories",
    check: Check::Skill(check),
};

/// Directories with files of the skill.
static DIRECTORIES: LazyLock<AhoCorasick> = LazyLock::new(|| {
    AhoCorasick::new(["scripts/", "references/", "assets/"]).expect("three short words")
});

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    let mut seen = BTreeSet::new();
    let mut findings = Vec::new();
    for found in DIRECTORIES.find_iter(cx.body()) {
        let Some(path) = mentioned(cx.body(), found.start()) else {
            continue;
        };
        if cx.files.entry(path).is_none() && seen.insert(path) {
            let start = cx.body_start() + found.start();
            let message = format!("the body names `{path}`, which does not exist");
            findings.push(cx.at(RULE.code, start..start + path.len(), message));
        }
    }
    findings
}

/// Returns the path that starts here, if it names a file and is not the end of a longer path or a
/// link, which has its own rule.
fn mentioned(body: &str, at: usize) -> Option<&str> {
    let before = &body[..at];
    let is_end = before.ends_with(|c: char| {
        c.is_alphanumeric() || matches!(c, '/' | '-' | '_' | '.' | '}' | '>' | '$')
    });
    let before_dot = before.strip_suffix("./").unwrap_or(before);
    let is_longer = is_end
        && !(before.len() != before_dot.len() && before_dot.ends_with([' ', '`', '(', '"', '\n']));
    if is_longer || before_dot.ends_with("](") {
        return None;
    }
    let rest = &body[at..];
    let end = rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '/' | '-' | '_' | '.')));
    let is_pattern = end.is_some_and(|end| rest[end..].starts_with(['*', '{', '<', '$', '[', '…']));
    let path = rest[..end.unwrap_or(rest.len())].trim_end_matches('.');
    let name = path.rsplit('/').next().unwrap_or_default();
    let has_extension = name
        .rsplit_once('.')
        .is_some_and(|(stem, end)| !stem.is_empty() && !end.is_empty());
    (has_extension && !is_pattern && !path.contains("..")).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn wants_what_is_named() {
        let mut files = body("Run `python scripts/fill.py` or ./scripts/fill.py.\n");
        check_rule(
            &RULE,
            &files,
            &["SKILL.md:5:13 the body names `scripts/fill.py`, which does not exist"],
        );
        add(&mut files, "scripts/fill.py", b"x");
        check_rule(&RULE, &files, &[]);
    }

    #[test]
    fn leaves_patterns_and_other_paths_alone() {
        for text in [
            "put them into scripts/ or scripts/*.py",
            "node_modules/x/scripts/build.js",
            "${ROOT}/scripts/a.sh and <dir>/scripts/a.sh",
            "scripts/{name}.py",
            "[a](references/a.md)",
        ] {
            check_rule(&RULE, &body(text), &[]);
        }
    }
}
