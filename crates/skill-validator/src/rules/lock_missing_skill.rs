//! `skills.lock` lists a skill whose directory does not exist.

use skill_diagnostics::Severity;
use skill_diagnostics::{Code, Diagnostic};
use std::collections::BTreeSet;

use crate::context::Tree;
use crate::level::Levels;
use crate::rule::{Check, Group, Rule};
use crate::summary::join;

pub(crate) const RULE: Rule = Rule {
    code: Code("lock-missing-skill"),
    group: Group::Migration,
    levels: Levels::ADVICE,
    what: "`skills.lock` lists a skill whose directory does not exist.",
    why: "It was deleted or renamed by hand; the next migration brings it back.",
    example: "skills: { gone: … }",
    source: "skills.lock (this project)",
    check: Check::Tree(check),
};

fn check(tree: &Tree<'_>) -> Vec<Diagnostic> {
    let present: BTreeSet<&str> = tree
        .skills
        .iter()
        .map(|skill| skill.path.as_str())
        .collect();
    let locked = tree.locks.iter().flat_map(|(directory, lock)| {
        lock.skills
            .iter()
            .filter(|(_, entry)| !entry.hosted)
            .map(move |(name, _)| (directory.as_str(), name))
    });
    let missing =
        locked.filter(|(directory, name)| !present.contains(join(directory, name).as_str()));
    missing
        .map(|(directory, name)| {
            let message = format!(
                "`{}` is listed in `skills.lock` and does not exist",
                name.escape_debug()
            );
            let file = join(directory, "skills.lock");
            Diagnostic::new(Severity::Warning, RULE.code, message).in_file(file)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use crate::testing::*;

    #[test]
    fn wants_the_directory() {
        let locked = serde_json::json!({ "schema": 1, "skills": { "a": {
            "source": { "directory": "A", "manifest": "m", "digest": "d" }, "recipe": "r", "files": {}
        } } });
        let lock = serde_json::from_value(locked).unwrap();
        let findings = crate::validate_tree(
            &[],
            &[("skills".to_owned(), lock)],
            &[],
            &Settings::default(),
        );
        assert_eq!(
            findings[0].message,
            "`a` is listed in `skills.lock` and does not exist"
        );
        assert_eq!(
            findings[0].place.file.as_deref(),
            Some("skills/skills.lock")
        );
    }
}
