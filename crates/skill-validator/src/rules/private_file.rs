//! A file is user data, or a leftover of a tool.

use crate::input::{Entry, Kind};
use skill_diagnostics::{Code, Diagnostic};
use skill_model::{PrivateKind, PrivateName, private_content, private_path};

use crate::context::Context;
use crate::level::Levels;
use crate::rule::{Check, Group, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("private-file"),
    group: Group::Safety,
    levels: Levels::REMARK,
    what: "A file is user data, a cache or a leftover of a tool, by its name or its first bytes.",
    why: "It belongs to one user or machine. Servers do not list it and nodes do not publish it.",
    example: "state/session.json",
    source: "docs/migration.md, \"Copied and private files\"; https://github.com/github/gitignore",
    check: Check::Skill(check),
};

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    let files = cx
        .files
        .entries
        .iter()
        .filter(|entry| matches!(entry.kind, Kind::File { .. }));
    let found = files.filter_map(|entry| Some((entry, private(entry)?)));
    found
        .map(|(entry, row)| {
            let message = format!(
                "`{}` does not belong in a skill: {}",
                entry.name().escape_debug(),
                row.reason
            );
            cx.finding(RULE.code, message)
                .in_file(entry.path.clone())
                .with_help("leave the file out")
        })
        .collect()
}

/// Returns the row for a private file, except for credentials, which have their own rule.
fn private(entry: &Entry) -> Option<&'static PrivateName> {
    let by_name = private_path(&entry.path);
    let row = by_name.or_else(|| private_content(entry.head()?))?;
    let is_other = !matches!(row.kind, PrivateKind::Credentials | PrivateKind::Settings);
    is_other.then_some(row)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::credential_file;
    use crate::testing::*;

    #[test]
    fn goes_by_names_and_first_bytes() {
        let mut files = body("x");
        for (path, bytes) in [
            ("assets/table.bin", "SQLite format 3\0"),
            ("scripts/cache/index.js", "export {}"),
            ("scripts/state/session.json", "{}"),
        ] {
            add(&mut files, path, bytes.as_bytes());
        }
        check_rule(
            &RULE,
            &files,
            &[
                "assets/table.bin `table.bin` does not belong in a skill: a database (SQLite)",
                "scripts/state/session.json `session.json` does not belong in a skill: state of a run",
            ],
        );
    }

    /// As the migrator, the server and the nodes do, each in a test of its own.
    #[test]
    fn finds_what_is_private_and_nothing_else() {
        let cases = skill_model::private_cases();
        let mut files = body("x");
        for (path, _) in &cases {
            add(&mut files, path, b"x");
        }
        let rules = [&RULE, &credential_file::RULE];
        let findings = rules.iter().flat_map(|rule| run(rule, &files));
        let mut found: Vec<String> = findings.filter_map(|finding| finding.place.file).collect();
        found.sort();
        let private = cases.iter().filter(|(_, row)| row.is_some());
        let mut expected: Vec<&str> = private.map(|(path, _)| &path[..]).collect();
        expected.sort_unstable();
        assert_eq!(found, expected);
    }

    #[test]
    fn every_row_of_the_table_is_found() {
        for (path, row) in skill_model::private_examples() {
            let mut files = body("x");
            add(&mut files, &path, b"x");
            let rule = match row.kind {
                PrivateKind::Credentials | PrivateKind::Settings => &credential_file::RULE,
                _ => &RULE,
            };
            let name = path.rsplit('/').next().unwrap_or_default();
            let expected = match row.kind {
                PrivateKind::Credentials | PrivateKind::Settings => {
                    format!("{path} `{name}` stores credentials: {}", row.reason)
                }
                _ => format!("{path} `{name}` does not belong in a skill: {}", row.reason),
            };
            check_rule(rule, &files, &[&expected]);
        }
    }
}
