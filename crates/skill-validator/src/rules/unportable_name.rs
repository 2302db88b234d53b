//! A file name is reserved on Windows, or has characters or extensions that some systems cannot
//! store.

use skill_diagnostics::{Code, Diagnostic};
use skill_model::name_flaw;

use crate::context::Context;
use crate::level::Levels;
use crate::rule::{Check, Group, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("unportable-name"),
    group: Group::Safety,
    levels: Levels::ADVICE,
    what: "A file name is reserved on Windows, or has characters or extensions that some systems cannot store.",
    why: "The skill cannot be checked out, or a name reaches another file (`a:b` is a stream, `git~1` is `.git`).",
    example: "con.txt",
    source: "https://learn.microsoft.com/windows/win32/fileio/naming-a-file; https://git-scm.com/docs/git-config (core.protectNTFS)",
    check: Check::Skill(check),
};

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    let flawed = cx
        .files
        .entries
        .iter()
        .filter_map(|entry| Some((entry, flaw(entry.name())?)));
    flawed
        .map(|(entry, flaw)| {
            let message = format!("the name `{}` {flaw}", entry.name().escape_debug());
            cx.finding(RULE.code, message).in_file(entry.path.clone())
        })
        .collect()
}

fn flaw(name: &str) -> Option<String> {
    match name_flaw(name) {
        Some(flaw) => Some(flaw.to_string()),
        None if name.starts_with('-') => {
            Some("starts with a hyphen, which commands take for an option".to_owned())
        }
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_name(name: &str, expected: Option<&str>) {
        assert_eq!(flaw(name).as_deref(), expected);
    }

    #[test]
    fn knows_windows() {
        for name in [
            "SKILL.md",
            "a b.txt",
            "参数.md",
            "console.py",
            "com.py",
            ".gitignore",
            "a-b",
        ] {
            check_name(name, None);
        }
        check_name("con.txt", Some("is reserved on Windows"));
        check_name("COM1", Some("is reserved on Windows"));
        check_name("x.", Some("ends with a dot or a space"));
        check_name("a:b", Some("has a character that Windows does not store"));
        check_name("GIT~1", Some("is an alias of `.git` on Windows"));
        check_name(
            "-rf",
            Some("starts with a hyphen, which commands take for an option"),
        );
    }
}
