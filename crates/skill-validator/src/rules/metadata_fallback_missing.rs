//! `fallback` names a skill that is not in the same directory.

use std::collections::{BTreeMap, BTreeSet};

use skill_diagnostics::{Code, Diagnostic};

use crate::context::Tree;
use crate::level::Levels;
use crate::rule::{Check, Group, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("metadata-fallback-missing"),
    group: Group::Metadata,
    levels: Levels::ADVICE,
    what: "`fallback` names a skill that is not in the same directory.",
    why: "If the skill fails, its replacement is not found.",
    example: "fallback: [gone]",
    source: "skill_model::Metadata::fallback (\"skills of the same tree\")",
    check: Check::Tree(check),
};

fn check(tree: &Tree<'_>) -> Vec<Diagnostic> {
    let paths: BTreeSet<&str> = tree.skills.iter().map(|it| it.path.as_str()).collect();
    let mut n_beside: BTreeMap<&str, usize> = BTreeMap::new();
    for path in &paths {
        *n_beside.entry(parent(path)).or_default() += 1;
    }
    let mut findings = Vec::new();
    for (at, skill) in tree.skills.iter().enumerate() {
        let parent = parent(&skill.path);
        // A skill that is checked alone has no neighbors to compare with.
        if n_beside[parent] < 2 {
            continue;
        }
        for name in &skill.fallback {
            if !paths.contains(&*format!("{parent}{name}")) {
                let message = format!("there is no skill `{}` here", name.escape_debug());
                findings.push(tree.finding(RULE.code, at, message));
            }
        }
    }
    findings
}

/// Returns the path of the parent directory, with its slash; empty at the top.
fn parent(path: &str) -> &str {
    path.rfind('/').map_or("", |slash| &path[..=slash])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Settings;
    use crate::summary::SkillSummary;

    #[track_caller]
    fn check_tree(skills: &[(&str, &[&str])], expected: &[&str]) {
        let summary = |(path, fallback): &(&str, &[&str])| SkillSummary {
            path: (*path).to_owned(),
            fallback: fallback.iter().map(|name| (*name).to_owned()).collect(),
            ..SkillSummary::default()
        };
        let skills: Vec<_> = skills.iter().map(summary).collect();
        let settings = Settings::default();
        let found = check(&Tree {
            skills: &skills,
            settings: &settings,
            locks: &[],
            versions: &[],
        });
        let found: Vec<_> = found.iter().map(|it| it.message.as_str()).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn looks_beside_the_skill() {
        check_tree(&[("a", &["b"]), ("b", &[])], &[]);
        check_tree(&[("x/a", &["b"]), ("x/b", &[])], &[]);
        check_tree(
            &[("x/a", &["b", "c"]), ("x/c", &[]), ("b", &[])],
            &["there is no skill `b` here"],
        );
        check_tree(&[("a", &["b"])], &[]);
    }
}
