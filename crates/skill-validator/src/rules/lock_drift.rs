//! A file of a migrated skill differs from `skills.lock`.

use crate::input::Kind;
use skill_diagnostics::{Code, Diagnostic};
use skill_model::{Digest, LockedSkill, is_of_package_manager};

use crate::context::Context;
use crate::level::Levels;
use crate::rule::{Check, Group, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("lock-drift"),
    group: Group::Migration,
    levels: Levels::ADVICE,
    what: "A file of a migrated skill differs from `skills.lock`.",
    why: "The next migration would overwrite manual changes.",
    example: "SKILL.md edited after the migration",
    source: "skills.lock (this project)",
    check: Check::Skill(check),
};

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    let Some(locked) = cx.locked else {
        return Vec::new();
    };
    let flaws = locked
        .files
        .iter()
        .filter_map(|(path, digest)| flaw(cx, path, digest));
    flaws.chain(added(cx, locked)).collect()
}

fn flaw(cx: &Context<'_>, path: &str, locked: &str) -> Option<Diagnostic> {
    let finding = |message: String| cx.finding(RULE.code, message).in_file(path);
    let shown = path.escape_debug();
    let Some(entry) = cx.files.entry(path) else {
        return Some(finding(format!(
            "`{shown}` was migrated and no longer exists"
        )));
    };
    let changed =
        Digest::from_content(entry.bytes()?).hex() != locked.trim_start_matches("sha256:");
    changed.then(|| finding(format!("`{shown}` was changed after the migration")))
}

fn added(cx: &Context<'_>, locked: &LockedSkill) -> impl Iterator<Item = Diagnostic> {
    let files = cx
        .files
        .entries
        .iter()
        .filter(|entry| matches!(entry.kind, Kind::File { .. }));
    let new = files.filter(|entry| {
        !locked.files.contains_key(&entry.path) && !is_of_package_manager(&entry.path)
    });
    new.map(|entry| {
        let message = format!(
            "`{}` was added after the migration",
            entry.path.escape_debug()
        );
        cx.finding(RULE.code, message).in_file(entry.path.clone())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    const SHA_X: &str = "sha256:2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881";

    #[track_caller]
    fn check_locked(files: &[(&str, &str)], expected: &[&str]) {
        let mut actual = SkillFiles {
            directory: "a".to_owned(),
            ..SkillFiles::default()
        };
        add(&mut actual, "SKILL.md", b"x");
        // What `npm install` leaves does not count.
        add(&mut actual, "scripts/package-lock.json", b"{}");
        let locked: serde_json::Map<_, _> = files
            .iter()
            .map(|(path, digest)| ((*path).to_owned(), (*digest).into()))
            .collect();
        let lock = serde_json::json!({ "schema": 1, "skills": { "a": {
            "source": { "directory": "A", "manifest": "m", "digest": "d" }, "recipe": "r", "files": locked
        } } });
        let lock = serde_json::from_value(lock).unwrap();
        let report = crate::validate_skill(&actual, Some(&lock), &Settings::default());
        let findings = report.findings.into_iter().filter(|f| f.code == RULE.code);
        assert_eq!(findings.map(|f| f.message).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn compares_digests() {
        check_locked(&[("SKILL.md", SHA_X)], &[]);
        check_locked(
            &[("SKILL.md", "sha256:00")],
            &["`SKILL.md` was changed after the migration"],
        );
        check_locked(
            &[("b", SHA_X)],
            &[
                "`SKILL.md` was added after the migration",
                "`b` was migrated and no longer exists",
            ],
        );
    }
}
